"The measurement of reading: which answers are right, which questions are drawn, and what the summary reports."

import sys
from math import isnan
from pathlib import Path

import pytest

from deepread_nb.metrics.predictions import Move, PageRef, Prediction, Question

sys.path.insert(0, str(Path(__file__).parent / 'bench'))
import draw  # noqa: E402
import reading  # noqa: E402

GOLD = (PageRef('pots.pdf', 2), PageRef('pots.pdf', 3))


def asked(*gold: str, question: str = 'Who may enter, and how?', evidence: tuple[PageRef, ...] = GOLD) -> Question:
    return Question('q', question, (gold,), evidence)


@pytest.mark.parametrize(
    'gold, answer',
    [
        ('Two kilograms', 'A pot weighs at most 2 kg.'),
        ('No', 'No, pots without a name are refused.'),
        ('No', 'Pots without a name are generally not accepted.'),
        ('Yes', 'Seedlings are judged in June.'),
        ('No, only growers of the parish.', 'No.'),
        ('No pot is refused before June.', 'No pot is refused before June, they say.'),
        ('Thirty percent of the marks are given for colour.', '30 %'),
        ('The show is held in the long barn of Ellary.', 'In the long barn, Ellary, door 2'),
        ("['Roses', 'Sweet peas']", 'Sweet peas and roses.'),
        ('Not answerable', 'Not answerable.'),
    ],
)
def test_right_answers(gold, answer):
    assert reading.is_right(asked(gold), (answer,))


@pytest.mark.parametrize(
    'gold, answer',
    [
        ('Two kilograms', 'A pot weighs at most 12 kg.'),
        ('No', 'Yes, pots without a name are not refused.'),
        ('Yes', 'Seedlings are not judged.'),
        ('No, only growers of the parish.', 'Yes, everybody.'),
        ('Thirty percent of the marks are given for colour.', '40 %'),
        ('Thirty percent of the marks are given for colour.', '30 % and 40 %'),
        ('The show is held in the long barn of Ellary.', 'In the school hall.'),
        ('The show is held in the long barn of Ellary.', 'Not answerable.'),
        ("['Roses', 'Sweet peas']", 'Roses.'),
        ('Not answerable', 'Two kilograms.'),
        ('Two kilograms', ''),
    ],
)
def test_wrong_answers(gold, answer):
    assert not reading.is_right(asked(gold), (answer,))


def test_words_of_the_question_earn_nothing():
    question = asked('The show is held in the long barn.', question='Where is the show held?')
    assert reading.is_right(question, ('Long barn',)) and not reading.is_right(question, ('The show will be held.',))
    assert not reading.is_right(question, ('The show is held in the place that the document names.',))
    share = asked(
        '30 % of the marks are given for the final show.',
        question='How many of the marks are given for the final show?',
    )
    assert reading.is_right(share, ('30 % of the marks are given for it.',)) and not reading.is_right(
        share, ('20 % of the marks are given for the final show.',)
    )
    assert reading.is_right(share, ('30 % of the marks of 2018 are given for the final show.',))
    assert reading.is_right(
        asked('The show is held.', question='Is the show held?'), ('The show is held.',)
    )  # nothing but the question's words


def test_a_figure_counts_as_written_where_the_question_says_in_what():
    assert reading.is_right(
        asked('6063.00', question='What are the liabilities? Answer in millions.'), ('They were $6,063 million.',)
    )
    assert not reading.is_right(asked('6063.00', question='What are the liabilities?'), ('They were $6,063 million.',))
    assert not reading.is_right(
        asked('6063.00', question='What are the liabilities? Answer in millions.'), ('They were $6,036 million.',)
    )


def shown(*pages: int, answer: str = '2 kg') -> Prediction:
    return Prediction(
        'q', (answer,), moves=(Move('Retrieve', pages=tuple(PageRef('pots.pdf', p) for p in pages)), Move('answer'))
    )


def test_pages_are_counted_where_there_is_gold():
    row = reading.row_of(asked('2 kg'), shown(1, 3))
    assert (row.shown, row.recall, row.right) == (1, 0.5, True)
    row = reading.row_of(asked('2 kg', evidence=()), shown(1))
    assert isnan(row.shown) and isnan(row.recall) and row.right


def test_the_summary_compares_question_by_question():
    rows = dict(
        deepread=[reading.Row(1, 1.0, True), reading.Row(1, 0.5, False), reading.Row(float('nan'), float('nan'), True)],
        search_o1=[reading.Row(1, 0.5, True), reading.Row(0, 0, False), reading.Row(float('nan'), float('nan'), False)],
        oracle=[reading.Row(1, 1.0, True), reading.Row(1, 1.0, True), reading.Row(float('nan'), float('nan'), True)],
    )
    said = reading.summary(rows)
    assert said['questions'] == 3 and said['shown']['search_o1'] == 0.5 and said['recall']['deepread'] == 0.75
    assert (
        said['shown_more'][0] == 0.5
        and said['recall_more'][0] == 0.5
        and said['right_more'][0] == 0.333
        and said['of_oracle'][0] == 0.667
    )
    assert said['right_more'][1] <= 0.333 <= said['right_more'][2]


def test_a_seed_draws_the_same_questions_from_any_order():
    rows = [
        dict(
            id=f'{n:02d}',
            kind='Chart' if n % 5 == 0 else 'Table',
            answer_variants=[['Not answerable' if n % 7 == 0 else str(n)]],
            documents=[f'{n % 3}.pdf'],
        )
        for n in range(40)
    ]
    first = draw.draw_questions(rows, 10, 6, draw.NEEDS_EYES)
    assert (
        first
        == draw.draw_questions(rows[::-1], 10, 6, draw.NEEDS_EYES)
        != draw.draw_questions(rows, 10, 7, draw.NEEDS_EYES)
    )
    assert len(first) == 10 and all(int(r['id']) % 5 and int(r['id']) % 7 for r in first)
    assert [r['documents'] for r in first] == sorted(r['documents'] for r in first)
    assert len(draw.draw_questions(rows, 99, 6, draw.NEEDS_EYES)) == sum(bool(n % 5 and n % 7) for n in range(40))


def test_two_files_of_one_name_are_refused_before_a_question_is_asked(tmp_path, monkeypatch):
    for folder in ('a', 'b'):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / 'asked.jsonl').write_text('')
    monkeypatch.setattr(
        sys,
        'argv',
        [
            'reading.py',
            '--questions',
            str(tmp_path / 'a' / 'asked.jsonl'),
            str(tmp_path / 'b' / 'asked.jsonl'),
            '--documents',
            str(tmp_path),
            '--out',
            str(tmp_path / 'out'),
        ],
    )
    with pytest.raises(SystemExit, match='same name'):
        reading.main()
    assert not (tmp_path / 'out').exists()
