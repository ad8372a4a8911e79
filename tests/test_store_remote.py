"""The store on object storage: the same calls on s3://, with a local server instead of Amazon's."""

import boto3
import pytest
from moto.server import ThreadedMotoServer

from deepread_nb.core.document import Document, Heading, Page, Paragraph, Region
from deepread_nb.search.store import Store
from deepread_nb.search.store_hybrid import StoreHybrid
from deepread_nb.search.store_tables import StoreError, built_with


def note(name: str, *texts: str) -> Document:
    return Document.from_blocks(
        name,
        [Heading(name, 1), *(Paragraph(t, 'text', (Region(i, None),)) for i, t in enumerate(texts, 1))],
        pages=tuple(Page(i, 612, 792, label=f'{i + 10}') for i in range(1, len(texts) + 1)),
    )


DOCS = [note('a.md', 'oil and lamps', 'the horn'), note('b.md', 'coal only')]


@pytest.fixture(scope='module')
def bucket():
    "The address of an empty bucket, on a free port."
    server = ThreadedMotoServer(ip_address='127.0.0.1', port=0)
    server.start()
    host, port = server.get_host_and_port()
    with pytest.MonkeyPatch.context() as patch:
        for name in (
            'HTTP_PROXY',
            'HTTPS_PROXY',
            'ALL_PROXY',
            'http_proxy',
            'https_proxy',
            'all_proxy',
            'AWS_PROFILE',
            'AWS_SESSION_TOKEN',
        ):
            patch.delenv(name, raising=False)
        for name, value in dict(
            AWS_ENDPOINT_URL=f'http://{host}:{port}',
            AWS_ENDPOINT=f'http://{host}:{port}',
            AWS_ALLOW_HTTP='true',
            AWS_ACCESS_KEY_ID='nobody',
            AWS_SECRET_ACCESS_KEY='nothing',
            AWS_REGION='us-east-1',
            AWS_DEFAULT_REGION='us-east-1',
            AWS_EC2_METADATA_DISABLED='true',
        ).items():
            patch.setenv(name, value)
        boto3.client('s3').create_bucket(Bucket='shelf')
        yield 's3://shelf'
    server.stop()


def test_the_same_calls_as_on_a_folder(bucket, tmp_path):
    "A bucket answers as a folder does: after building, after adding and replacing, and after removing."
    with (
        Store.create(f'{bucket}/same', DOCS, progress=False) as far,
        Store.create(tmp_path / 'same', DOCS, progress=False) as near,
    ):
        for change in (
            lambda s: None,
            lambda s: s.add([note('c.md', 'turf, and oil'), note('a.md', 'lamps without')]),
            lambda s: s.remove('b.md'),
        ):
            change(far)
            change(near)
            assert far.names == near.names and far.corpus().hash == near.corpus().hash
            for unit in ('paragraph', 'page', 'section'):
                assert far.search('oil lamps coal', unit=unit) == near.search('oil lamps coal', unit=unit)
            assert far.find('l?mps OR "turf and oil"') == near.find('l?mps OR "turf and oil"')
            assert StoreHybrid(far, 'page').search('What does page 11 say of oil?') == StoreHybrid(near, 'page').search(
                'What does page 11 say of oil?'
            )
        far.keep_images('a.md', {1: b'picture'})
        assert far.image('a.md', 1) == b'picture'
        far.verify()


def test_a_reader_elsewhere_sees_changes(bucket):
    with Store.create(f'{bucket}/seen', DOCS, progress=False) as store:
        reader = Store.open(f'{bucket}/seen')
        store.add([note('c.md', 'turf')])
        assert [h.doc_id for h in reader.search('turf')] == [3]
        store.remove('c.md')
        assert not reader.search('turf')
        with pytest.raises(StoreError):
            reader.add(DOCS)


def test_a_writer_that_stopped_in_the_middle(bucket, monkeypatch):
    "The half document is never seen, and the next writer deletes it."
    with Store.create(f'{bucket}/half', DOCS, progress=False) as store:

        def killed(new, old):
            raise KeyboardInterrupt

        monkeypatch.setattr(store, '_switch', killed)
        with pytest.raises(KeyboardInterrupt):
            store.add([note('a.md', 'whales')])
    assert not Store.open(f'{bucket}/half').search('whales')
    with Store.open(f'{bucket}/half', writable=True) as store:
        assert store.names == ['a.md', 'b.md'] and store.leftover == []
        assert not store.search('whales') and store.search('oil')


def test_errors_name_the_address(bucket):
    Store.create(f'{bucket}/said', DOCS, progress=False).close()
    for address, use in (
        (f'{bucket}/said', lambda uri: Store.create(uri, DOCS)),  # exists already
        (f'{bucket}/said', lambda uri: Store.open(uri, built_with(model='abc'))),  # built with other settings
        (f'{bucket}/nothing', Store.open),
        ('s3://no-such-bucket/x', lambda uri: Store.create(uri, DOCS)),
    ):
        with pytest.raises(StoreError) as raised:
            use(address)
        assert raised.value.thing == address


def test_lost_objects_are_reported(bucket):
    Store.create(f'{bucket}/lost', DOCS, progress=False).close()
    s3 = boto3.client('s3')
    found = s3.list_objects_v2(Bucket='shelf', Prefix='lost/paragraphs.lance/data')['Contents']
    s3.delete_objects(Bucket='shelf', Delete=dict(Objects=[dict(Key=o['Key']) for o in found]))
    with pytest.raises(StoreError) as raised:
        Store.open(f'{bucket}/lost').search('oil')
    assert raised.value.thing == f'{bucket}/lost' and 'network' in raised.value.mend
