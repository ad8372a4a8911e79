"The measure of headings against the outlines of files: what counts for us, what against, and what neither way."

import sys
from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

sys.path.insert(0, str(Path(__file__).parent / 'bench'))
import parsing  # noqa: E402

OUTLINE = dict(h=[[1, 'Lamps', 2], [2, 'Oil', 2], [1, 'Nets', 3]], neutral=parsing.UNLISTED)


def test_what_an_outline_does_not_list_counts_neither_way_only_beneath_its_last_level():
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
    assert score['false'] == ['Knots']  # beneath a heading whose level is not the last


def test_a_title_counts_neither_way_and_a_missed_heading_does():
    score = parsing.score_against_outline(OUTLINE, [[2, 'Lamps', 2], [2, 'Gulls', 3]])
    assert score['missed'] == ['Oil', 'Nets'] and score['false'] == ['Gulls'] and round(score['f1'], 2) == 0.4


def test_only_titles_alone_on_their_lines_are_truth(tmp_path):
    canvas = Canvas(str(tmp_path / 'a.pdf'), pagesize=(400, 500), invariant=1)
    for n in range(12):
        canvas.drawString(40, 440, f'Matter {"ABCDEFGHIJKL"[n]} of the harbour')
        canvas.drawString(40, 420, 'The keeper calls lamp(oil) at dusk, and it burns.')
        for key in (f'a{n}', f'b{n}'):
            canvas.bookmarkPage(key)
        canvas.addOutlineEntry(f'Matter {"ABCDEFGHIJKL"[n]} of the harbour', f'a{n}', 0)
        if n == 0:
            canvas.addOutlineEntry('lamp(oil)', 'b0', 1)
            canvas.addOutlineEntry('Matter A of the harbour', 'b0', 0)
        canvas.showPage()
    canvas.save()
    assert [(level, page) for level, _, page in parsing.told_by_outline(tmp_path / 'a.pdf')['h']] == [
        (1, n) for n in range(1, 13)
    ]
