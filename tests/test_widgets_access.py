"""What a screen reader and a keyboard need of every page: names, roles, headings in order, one main part, and nothing
that only a mouse can scroll."""

import re
import sys
from pathlib import Path

import pytest
from browsing import CHROMIUM, ROOT, expect, watched

from deepread_nb.agent.citations import cite
from deepread_nb.agent.record import Outcome, Step, Trajectory
from deepread_nb.core.corpus import Corpus
from deepread_nb.core.document import Coord, Document, Heading, Paragraph
from deepread_nb.metrics.predictions import Question
from deepread_nb.report import report_html
from deepread_nb.widgets import agreement, calibration, drift
from deepread_nb.widgets.corpus_view import show_corpus
from deepread_nb.widgets.human import HumanDesk
from deepread_nb.widgets.judging import judge_blind
from deepread_nb.widgets.page import app_html, asset
from deepread_nb.widgets.session import HumanSession
from deepread_nb.widgets.viewer import show

sys.path.insert(0, str(ROOT / 'data'))
from simulated_runs import simulated_rows  # noqa: E402

PAGES = {
    'viewer': '.step',
    'side_by_side': '.step',
    'running': '.step',
    'corpus': '.line',
    'drift': '.dr-mark',
    'calibration': '.dr-mark',
    'agreement': '.dr-mark',
    'with_runs': '.dr-mark',
    'desk': 'table',
    'judge': 'table',
    'report': '.js-plotly-plot',
}  # and what is there when the page is drawn

# Rules of an accessibility checker (axe), as far as they concern what we write; each violation is named.
PROBLEMS = '''() => {
    const out = [], seen = n => n.checkVisibility({ visibilityProperty: true });
    const all = (what, root = document) => [...root.querySelectorAll(what)].filter(seen);
    const complain = (why, n) => out.push(why + ': ' + n.outerHTML.slice(0, 90));
    const labelled = n => {
        const labels = [...(n.labels ?? [])].map(l => l.textContent).join('');
        return (n.getAttribute('aria-label') || n.getAttribute('title') || labels || '').trim();
    };

    // controls, boxes, pictures and parts have names
    const controls = 'button, a[href], summary, [role=button], [role=option], [role=treeitem]';
    for (const n of all(controls)) if (!labelled(n) && !n.textContent.trim()) complain('a control without a name', n);
    for (const n of all('input, select, textarea')) if (!labelled(n)) complain('a box without a label', n);
    for (const n of all('img')) if (!n.hasAttribute('alt')) complain('a picture without words', n);
    const parts = '[role=region], [role=listbox], [role=tree], [role=group], section[tabindex], figure[role]';
    for (const n of all(parts))
        if (!labelled(n) && !n.getAttribute('aria-labelledby')) complain('a part without a name', n);
    const nameless = /^(pre|div|span|p|b|i|code)$/i;
    for (const n of all('[aria-label]'))
        if (nameless.test(n.tagName) && !n.hasAttribute('role')) complain('a name where no role allows one', n);

    // references lead somewhere, and ids are unique
    for (const name of ['aria-activedescendant', 'aria-controls', 'aria-labelledby'])
        for (const n of all('[' + name + ']'))
            if (!document.getElementById(n.getAttribute(name))) complain('it points to nothing', n);
    const ids = [...document.querySelectorAll('[id]')].map(n => n.id);
    for (const id of new Set(ids.filter((x, i) => ids.indexOf(x) != i))) out.push('the same id twice: ' + id);

    // headings in order, one main part, and all text in it
    let level = 0;
    for (const n of all('h1, h2, h3, h4, h5, h6')) {
        const own = Number(n.tagName[1]);
        if (own > level + 1) complain('a heading skips a level', n);
        level = own;
    }
    if (all('h1').length != 1) out.push('there is not one first heading');
    if (all('main').length != 1) out.push('there is not one main part');
    const elsewhere = 'main, script, style, [role=tooltip]';
    for (const n of all('body *'))
        if (n.childElementCount == 0 && n.textContent.trim() && !n.closest(elsewhere))
            complain('text outside the main part', n);

    // what scrolls can be scrolled by keyboard
    const scroll = /auto|scroll/, reachable = 'a[href], button, input, select, [tabindex="0"]';
    for (const n of all('main *')) {
        const style = getComputedStyle(n);
        const down = n.scrollHeight > n.clientHeight + 1 && scroll.test(style.overflowY);
        const across = n.scrollWidth > n.clientWidth + 1 && scroll.test(style.overflowX);
        if ((down || across) && n.tabIndex < 0 && ![...n.querySelectorAll(reachable)].some(seen))
            complain('only a mouse can scroll it', n);
    }

    for (const n of all('table'))
        for (const h of n.querySelectorAll('tr:first-child > th'))
            if (!h.hasAttribute('scope')) complain('a heading of a table without its scope', h);
    if (!document.documentElement.lang || !document.title) out.push('a page without language or title');
    return [...new Set(out)];
}'''


@pytest.fixture(scope='module')
def folder(tmp_path_factory) -> Path:
    "Every kind of page that is written, as a file."
    folder = tmp_path_factory.mktemp('pages')
    blocks = [
        Heading('Ferries', 1),
        *(Paragraph(f'Paragraph {n}. ' + 'The ferry leaves at nine. ' * 20) for n in range(1, 30)),
        Heading('Fares', 1),
        Paragraph('A crossing costs three crowns.'),
    ]
    corpus = Corpus([Document.from_blocks('ferry.md', blocks)])
    at = Coord(1, 2, 1)
    run = Trajectory(
        dict(question='What does a crossing cost?', system='deepread', corpus=corpus.hash, documents=['ferry.md'])
    )
    for n in range(1, 30):
        run.add(
            Step(
                n,
                'Look on.',
                dict(tool='Retrieve', query=f'fare {n}'),
                f'[{at}] {corpus[at].text}\n' * 40,
                [at],
                [at] if n == 1 else [],
                seconds=1.0,
            )
        )
    live = Trajectory(run.header)
    live.steps = list(run.steps)
    run.end(Outcome('answered', 'Three crowns.', [cite(corpus, at, 'three crowns')], 29.0))
    running = show(live, corpus)
    told = running.file_data()
    told['open'][0]['runs'][0]['live'] = True  # as it looks while the model writes
    rows, questions = simulated_rows(20), [Question('q1', run.question, (('three crowns',),))]
    judging = judge_blind(rows, folder / 'marks.jsonl')
    judging.do(judging.judging.mark, 'correct')
    # a document without pages: questions about it can be answered all the same
    desk = HumanDesk(HumanSession(questions, corpus, folder / 'session'))
    desk.session.answer('three crowns')
    pages = dict(
        viewer=show(run, corpus).html(),
        side_by_side=show([run, run], corpus).html(),
        running=app_html('Running', running._esm, running._css, told),
        corpus=show_corpus(corpus, [run]).html(),
        desk=desk.html(),
        judge=judging.html(),
        report=report_html(rows, 'A bench'),
        with_runs=calibration.show([run], questions, corpus=corpus).html(runs=True),
    ) | {m.__name__.rpartition('.')[2]: m.show(rows).html() for m in (drift, calibration, agreement)}
    for name, text in pages.items():
        (folder / f'{name}.html').write_text(text, encoding='utf-8')
    return folder


@pytest.fixture(scope='module')
def page(browser):
    context = browser.new_context(viewport=dict(width=1280, height=800))
    yield watched(context.new_page())
    context.close()


@pytest.mark.skipif(not CHROMIUM, reason='no Chromium here: install the package chromium')
@pytest.mark.parametrize('name', PAGES)
def test_every_page_can_be_heard_and_walked_through(page, folder, name):
    page.goto((folder / f'{name}.html').as_uri())
    page.locator(PAGES[name]).first.wait_for()
    assert page.evaluate(PROBLEMS) == []


@pytest.mark.skipif(not CHROMIUM, reason='no Chromium here: install the package chromium')
def test_a_file_finds_paragraphs_by_their_words(page, folder):
    page.goto((folder / 'corpus.html').as_uri())
    page.get_by_label('Search the documents').fill('crowns: what COSTS a crossing')
    page.keyboard.press('Enter')
    page.get_by_text('hold 4 of the 5 words').wait_for()
    expect(page.locator('.hit')).to_have_text([re.compile('A crossing costs three crowns')])
    page.get_by_label('Search the documents').fill('zeppelin')
    page.keyboard.press('Enter')
    page.get_by_text('Nothing was found').wait_for()
    assert page.complaints == []


FAULTY = '''<title>x</title><main><h1>One</h1><h3>Three</h3><button></button><input><img src="data:,">
<pre aria-label="Words">w</pre><div role="region">r</div>
<div role="listbox" aria-label="l" aria-activedescendant="gone"></div>
<div style="height:20px;overflow:auto"><p>a</p><p>b</p><p>c</p></div>
<table><tr><th>h</th></tr></table><i id="a"></i><i id="a"></i></main><p>outside</p>'''


@pytest.mark.skipif(not CHROMIUM, reason='no Chromium here: install the package chromium')
def test_the_rules_find_what_is_wrong(page):
    page.goto('about:blank')  # else the policy of the page before holds, and takes the styles away
    page.set_content(FAULTY)
    found = page.evaluate(PROBLEMS)
    wanted = (
        'skips a level',
        'control without a name',
        'without a label',
        'without words',
        'no role allows',
        'part without a name',
        'points to nothing',
        'only a mouse',
        'without its scope',
        'same id twice',
        'outside the main',
        'without language',
    )
    assert [w for w in wanted if not any(w in f for f in found)] == []
    assert len(found) == len(wanted)


def contrast(a: str, b: str) -> float:
    "Of two colours as #rrggbb or #rgb, as WCAG defines it."

    def light(colour: str) -> float:
        full = colour[1:] if len(colour) == 7 else ''.join(2 * c for c in colour[1:])
        linear = [
            v / 12.92 if v <= 0.03928 else ((v + 0.055) / 1.055) ** 2.4
            for v in (int(full[i : i + 2], 16) / 255 for i in (0, 2, 4))
        ]
        return sum(w * v for w, v in zip((0.2126, 0.7152, 0.0722), linear))

    high, low = sorted((light(a), light(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def pairs() -> dict[str, dict[str, str]]:
    "The colours of the figures and of the other widgets by name, light and dark."
    both = {
        k: (a, b)
        for k, a, b in re.findall(r'--(\w+): (?:var\([\w-]+, )?light-dark\((#\w+), (#\w+)\)', asset('base.css'))
    }
    blocks = re.findall(r'\{ (--ink[^}]*)\}', asset('figures.css'))
    schemes = [dict(re.findall(r'--(\w+): (#\w+)', block)) for block in blocks]
    return {
        'widgets, light': {k: a for k, (a, _) in both.items()},
        'widgets, dark': {k: b for k, (_, b) in both.items()},
    } | {f'figures, {n}': s for n, s in enumerate(schemes)}


@pytest.mark.parametrize('scheme', pairs())
def test_our_colours_can_be_read(scheme):
    colours = pairs()[scheme]
    assert {'ink', 'soft', 'paper', 'block', 'link', 'line'} <= set(colours)
    grounds = [g for g in ('paper', 'block', 'pick') if g in colours]
    for text in ('ink', 'soft', 'link', *(['bad'] if 'bad' in colours else [])):
        for ground in grounds:
            assert contrast(colours[text], colours[ground]) >= 4.5, f'{text} on {ground}'
    assert contrast(colours['line'], colours['paper']) >= 3  # the edge of a control (WCAG 1.4.11)
    if 'hit' in colours:
        assert contrast(colours['ink'], colours['hit']) >= 4.5
