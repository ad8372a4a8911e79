"Scoring headings against the outlines of files: what counts for us, what against us, and what neither way."

import sys
from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

sys.path.insert(0, str(Path(__file__).parent / 'bench'))
import parsing  # noqa: E402

OUTLINE = dict(h=[[1, 'Lamps', 2], [2, 'Oil', 2], [1, 'Nets', 3]], neutral=parsing.UNLISTED)


def test_headings_below_the_last_level_of_an_outline_count_neither_way():
    found = [
        [2, '1 Lamps', 2],
        [3, '1.1 Oil', 2],
        [4, 'Of whales', 2],
        [2, '2 Nets', 3],
        [3, 'Knots', 3],
        [2, 'References', 4],
    ]
    score = parsing.score_against_outline(OUTLINE, found)
    assert (score['recall'], score['level'], score['parent']) == (1, 1, 1)
    assert score['false'] == ['Knots']  # beneath a heading that is not of the last level


def test_missed_and_false_headings_count():
    score = parsing.score_against_outline(OUTLINE, [[2, 'Lamps', 2], [2, 'Gulls', 3]])
    assert score['missed'] == ['Oil', 'Nets'] and score['false'] == ['Gulls'] and round(score['f1'], 2) == 0.4


def test_only_titles_alone_on_their_lines_are_truth(tmp_path):
    canvas = Canvas(str(tmp_path / 'a.pdf'), pagesize=(400, 500), invariant=1)
    for n in range(12):
        title = f'Matter {"ABCDEFGHIJKL"[n]} of the harbour'
        canvas.drawString(40, 440, title)
        canvas.drawString(40, 420, 'The keeper calls lamp(oil) at dusk, and it burns.')
        for key in (f'a{n}', f'b{n}'):
            canvas.bookmarkPage(key)
        canvas.addOutlineEntry(title, f'a{n}', 0)
        if n == 0:
            canvas.addOutlineEntry('lamp(oil)', 'b0', 1)
            canvas.addOutlineEntry(title, 'b0', 0)
        canvas.showPage()
    canvas.save()
    headings = parsing.outline_truth(tmp_path / 'a.pdf')['h']
    assert [(level, page) for level, _, page in headings] == [(1, n) for n in range(1, 13)]
