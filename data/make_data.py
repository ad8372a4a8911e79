"""Typesets the sample corpus: source/*.story and source/questions.toml -> PDFs, structure.json, questions.jsonl.

The texts are fiction and are in source/. This script lays them out and records what it laid out where, which is
the gold standard. No page, section or paragraph number of the gold standard is typed by hand: every paragraph that
a question needs has a key, the layout records the page on which each piece of it was drawn, and a question names
keys and the words that answer it. The same version of reportlab gives the same bytes on every run.

Run `python data/make_data.py`, or with `--out DIR` to write elsewhere.
"""

import argparse
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from xml.sax.saxutils import escape

import tomllib
from reportlab import rl_config
from reportlab.lib import colors
from reportlab.lib.enums import TA_CENTER, TA_JUSTIFY, TA_LEFT
from reportlab.lib.pagesizes import A4, A5
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import (
    BaseDocTemplate,
    CondPageBreak,
    Flowable,
    Frame,
    FrameBreak,
    KeepTogether,
    NextPageTemplate,
    PageBreak,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
)

rl_config.invariant = 1  # no time stamp and no random document id
HERE = Path(__file__).parent
DATASET = "deepread_nb"
REPORTLAB = "5.1.0"  # the version that made the committed bytes; another one may break lines differently
EXTRACTIVE = {"single-hop", "cross-page", "cross-document", "list"}  # the answer has the words of the text


# --- source text -> blocks ----------------------------------------------------------------------------


@dataclass(eq=False)  # compared by identity: a block is a place in the text, not its wording
class Block:
    "One paragraph, heading or layout command of a source text."

    kind: str  # heading, text, list_item, table, table_caption, equation, footnote, newpage, contents
    text: str = ""  # with inline markup: *italic* and [^1]
    level: int = 0  # of a heading: 1 is the title
    key: str = ""  # the name by which a question refers to the block
    rows: list[list[str]] = field(default_factory=list)
    centred: bool = False  # cover lines, authors, equations

    @property
    def plain(self) -> str:
        "The text as it is printed, without markup and footnote markers."
        if self.rows:
            return "\n".join(" | ".join(row) for row in self.rows)
        return re.sub(r"\*(.+?)\*", r"\1", re.sub(r"\[\^\d+\]", "", self.text))


def curl(text: str) -> str:
    "The text with curly quotation marks in place of straight ones."
    return re.sub(r'(^|[\s(])"', "\\1\u201c", text).replace('"', "\u201d").replace("'", "\u2019")


def read_block(chunk: str) -> list[Block]:
    "The blocks in a chunk of text between blank lines; only a list has more than one."
    if chunk.startswith("- "):
        return [b for line in chunk.splitlines() for b in read_block("* " + line[2:])]
    if chunk.startswith("<<"):
        return [Block(chunk.strip("<>"))]
    key = re.search(r"\s*\{#([\w-]+)\}$", chunk)
    body, name = (chunk[: key.start()], key[1]) if key else (chunk, "")
    if body.startswith("|"):
        return [
            Block(
                "table", key=name, rows=[[c.strip() for c in line.strip("| ").split("|")] for line in body.splitlines()]
            )
        ]
    mark, _, rest = body.partition(" ")
    if set(mark) == {"#"}:
        return [Block("heading", rest, len(mark), name)]
    if mark == "*":
        return [Block("list_item", rest, key=name)]
    if mark == "=":
        return [Block("equation", rest, key=name, centred=True)]
    if mark == "%":
        return [Block("text", rest, key=name, centred=True)]
    if note := re.match(r"\[\^(\d+)\]: ", body):
        return [Block("footnote", f"{note[1]} {body[note.end() :]}", key=name)]
    return [Block("table_caption" if re.match(r"Table \d+\. ", body) else "text", body, key=name)]


def read_source(path: Path, curly: bool) -> list[Block]:
    "The blocks of a source text, with curly quotation marks if the design wants them."
    text = path.read_text(encoding="utf-8")
    if curly:
        text = curl(text)
    chunks = re.split(r"\n\s*\n", text.strip())
    return [block for chunk in chunks for block in read_block(chunk)]


# --- how each document looks --------------------------------------------------------------------------


@dataclass(frozen=True)
class Design:
    "Everything that makes one document look different from the others."

    name: str  # of the source and of the PDF
    page: tuple[float, float]
    margins: tuple[float, float, float]  # side, top, bottom
    font: str  # regular, bold and italic of one family
    bold: str
    italic: str
    size: float
    leading: float
    head_sizes: tuple[float, ...]  # of levels 1, 2, ...
    columns: int = 1
    justified: bool = True
    indent: float = 0  # of first lines; without it, there is space between paragraphs
    header: tuple[str, str] = ("", "")  # on even and on odd pages
    footer: str = ""  # "{n}" is the page number
    cover: bool = False  # the first page is a title page, without header and footer
    outline: bool = False
    curly: bool = True
    ruled: bool = False  # tables with a full grid instead of three rules
    metadata: bool = True  # whether the PDF states its title

    @property
    def pdf(self) -> str:
        return self.name + ".pdf"


TIMES = ("Times-Roman", "Times-Bold", "Times-Italic")
HELVETICA = ("Helvetica", "Helvetica-Bold", "Helvetica-Oblique")
COURIER = ("Courier", "Courier-Bold", "Courier-Oblique")
DESIGNS = [
    Design(
        "keepers_handbook",
        A5,
        (19 * mm, 21 * mm, 20 * mm),
        *TIMES,
        11,
        14.8,
        (26, 18, 14, 11.5),
        indent=12,
        header=("The Keeper\u2019s Handbook", "Skarrow Fell Observatory"),
        footer="{n}",
        cover=True,
        outline=True,
    ),
    Design(
        "lantern_germination",
        (170 * mm, 240 * mm),
        (17 * mm, 20 * mm, 21 * mm),
        *TIMES,
        10.7,
        14.2,
        (16, 12.5, 11),
        columns=2,
        indent=10,
        footer="{n}",
        metadata=False,
    ),
    Design(
        "ropeway_report",
        A4,
        (33 * mm, 32 * mm, 30 * mm),
        *HELVETICA,
        11.5,
        18,
        (30, 20, 14),
        justified=False,
        header=("Ellary Ropeway Cooperative", "Annual Report 2018"),
        footer="Page {n}",
        cover=True,
        ruled=True,
    ),
    Design(
        "night_cars_memo",
        A4,
        (27 * mm, 26 * mm, 26 * mm),
        *COURIER,
        10.5,
        15,
        (),
        justified=False,
        curly=False,
        metadata=False,
    ),
    Design(
        "council_minutes", A4, (32 * mm, 28 * mm, 28 * mm), *TIMES, 12, 16.5, (16, 12), footer="- {n} -", metadata=False
    ),
]


def hyphenate(word: str) -> Iterator[tuple[str, str]]:
    """The (head, tail) pairs at which `word` may break, last first: between two consonants with vowels around them.

    Crude but safe for plain English. Names and short words are never broken.
    """
    if len(word) < 7 or not word.islower():
        return
    for i in range(len(word) - 4, 2, -1):
        before, pair, after = word[: i - 1], word[i - 1 : i + 1], word[i + 1]
        if (
            not set(pair) & set("aeiouy")
            and after in "aeiouy"
            and before[-1] in "aeiouy"
            and pair[0] != pair[1]
            and pair[1] not in "hlrw"
            and pair != "ck"
        ):
            yield word[:i], word[i:]


def style(design: Design, block: Block, first: bool = False) -> ParagraphStyle:
    "The paragraph style of a block; `first` paragraphs after a heading are not indented."
    made = ParagraphStyle(
        block.kind,
        fontName=design.font,
        fontSize=design.size,
        leading=design.leading,
        alignment=TA_JUSTIFY if design.justified else TA_LEFT,
        hyphenationLang=hyphenate,
        allowWidows=0,
        allowOrphans=0,
        bulletFontName=design.font,
        spaceAfter=0 if design.indent else design.leading * 0.55,
        firstLineIndent=0 if first else design.indent,
    )
    if block.kind == "heading":
        size = design.head_sizes[block.level - 1]
        above, below = (1.1, 0.45) if block.level > 1 else (0, 0.6)
        return made.clone(
            "heading",
            fontName=design.bold,
            fontSize=size,
            leading=size * 1.22,
            alignment=TA_CENTER if block.level == 1 else TA_LEFT,
            firstLineIndent=0,
            spaceBefore=above * design.leading,
            spaceAfter=below * design.leading,
        )
    if block.kind == "list_item":
        return made.clone("list_item", leftIndent=16, bulletIndent=4, firstLineIndent=0, spaceAfter=2)
    if block.kind == "table_caption":
        return made.clone(
            "caption",
            fontName=design.italic,
            fontSize=design.size - 1,
            leading=design.leading - 1.5,
            alignment=TA_LEFT,
            firstLineIndent=0,
            spaceBefore=6,
            spaceAfter=4,
        )
    if block.kind == "footnote":
        return made.clone(
            "footnote", fontSize=design.size - 2.5, leading=design.leading - 5, firstLineIndent=0, spaceAfter=2
        )
    if block.centred:
        gap = design.leading * 0.5
        return made.clone("centred", alignment=TA_CENTER, firstLineIndent=0, spaceBefore=gap, spaceAfter=gap)
    if block.text.startswith("["):  # an entry of the references hangs
        return made.clone("reference", leftIndent=14, firstLineIndent=-14, spaceAfter=3)
    return made


def markup(text: str) -> str:
    "Markup of the source text as markup of reportlab."
    text = re.sub(r"\*(.+?)\*", r"<i>\1</i>", escape(text))
    return re.sub(r"\[\^(\d+)\]", r'<super size="7">\1</super>', text)


# --- layout -------------------------------------------------------------------------------------------


@dataclass
class Log:
    "What one pass of the layout drew where. The layout is final when two passes are equal."

    pieces: dict[Block, list[tuple[int, str]]] = field(default_factory=dict)  # (page, text drawn there), in order
    notes: dict[int, list[str]] = field(default_factory=dict)  # page -> footnote numbers
    pages: int = 0

    def add(self, block: Block, page: int, text: str) -> None:
        self.pieces.setdefault(block, []).append((page, text))


class Piece(Paragraph):
    "A paragraph, or the part of one that fits a page. Records in the log where it was drawn."

    block: Block
    log: Log
    outline = False

    def split(self, width: float, height: float) -> list[Paragraph]:
        parts = super().split(width, height)
        for part in parts:
            part.block, part.log = self.block, self.log
        return parts

    def draw(self) -> None:
        page, drawn = self.canv.getPageNumber(), []
        for line in self.blPara.lines:
            if isinstance(line, tuple):
                drawn += line[1]  # a line in one font: (room left, words)
            else:
                drawn += [word.text for word in line.words]
            for word in getattr(line, "words", []):
                if getattr(word, "rise", 0) > 0:
                    self.log.notes.setdefault(page, []).append(word.text.strip())
        self.log.add(self.block, page, " ".join(drawn))
        if self.outline:
            self.canv.bookmarkPage(self.block.plain)
            self.canv.addOutlineEntry(self.block.plain, self.block.plain, self.block.level - 2)
        super().draw()


class Mark(Flowable):
    "Takes no space. Records in the log where the table after it was drawn."

    def __init__(self, block: Block, log: Log):
        super().__init__()
        self.block, self.log, self.width, self.height = block, log, 0, 0

    def draw(self) -> None:
        self.log.add(self.block, self.canv.getPageNumber(), self.block.plain)


class ContentsLine(Flowable):
    "A line of the printed table of contents: name, dotted leader, page."

    def __init__(self, name: str, page: int, font: str, size: float, indent: float):
        super().__init__()
        self.name, self.number, self.font, self.size, self.indent = name, str(page), font, size, indent

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        self.width, self.height = width, self.size * (1.6 if self.indent else 2.1)
        return self.width, self.height

    def draw(self) -> None:
        canvas = self.canv
        canvas.setFont(self.font, self.size)
        canvas.drawString(self.indent, 0, self.name)
        canvas.drawRightString(self.width, 0, self.number)
        start = self.indent + canvas.stringWidth(self.name) + 6
        step = canvas.stringWidth(".") * 1.8
        stop = self.width - canvas.stringWidth(self.number) - 6
        x = stop - step * int((stop - start) / step)  # so that the dots of all lines are aligned
        while x <= stop:
            canvas.drawString(x, 0, ".")
            x += step


class Book(BaseDocTemplate):
    """The pages of one document, with their headers, footers and footnotes.

    `plan` is the log of the previous pass. From it a page knows how much space its footnotes need.
    """

    def __init__(self, out: BytesIO, design: Design, notes: dict[str, Block], plan: Log, log: Log, title: str):
        # Uncompressed, so that the bytes do not depend on the machine's zlib.
        super().__init__(
            out, pagesize=design.page, invariant=1, pageCompression=0, title=title if design.metadata else None
        )
        self.design, self.notes, self.plan, self.log = design, notes, plan, log
        side, top, bottom = design.margins
        self.text_width, self.text_height = design.page[0] - 2 * side, design.page[1] - top - bottom
        gap = 8 * mm
        width = (self.text_width - gap * (design.columns - 1)) / design.columns

        def frames(height: float) -> list[Frame]:
            return [Frame(side + i * (width + gap), bottom, width, height, 0, 0, 0, 0) for i in range(design.columns)]

        first = frames(self.text_height)
        if design.columns > 1:  # title and authors of a paper are above the columns
            banner = 41 * mm
            first = [
                Frame(side, bottom + self.text_height - banner, self.text_width, banner, 0, 0, 0, 0),
                *frames(self.text_height - banner),
            ]
        self.addPageTemplates(
            [
                PageTemplate("first", first, onPage=self.begin_page, onPageEnd=self.end_page),
                PageTemplate("later", frames(self.text_height), onPage=self.begin_page, onPageEnd=self.end_page),
            ]
        )

    def page_notes(self, page: int) -> list[tuple[Block, Paragraph]]:
        "The footnotes of a page, wrapped to the text width."
        blocks = [self.notes[number] for number in self.plan.notes.get(page, [])]
        made = [
            Paragraph(re.sub(r"^(\d+)", r"<super>\1</super>", markup(b.text)), style(self.design, b)) for b in blocks
        ]
        for note in made:
            note.wrap(self.text_width, self.text_height)
        return list(zip(blocks, made))

    def begin_page(self, canvas, doc) -> None:
        "Shorten the frame by the height of the page's footnotes, then draw header and footer."
        page, (side, top, bottom) = canvas.getPageNumber(), self.design.margins
        if self.notes:  # only in documents of one column
            found = self.page_notes(page)
            room = sum(note.height + 2 for _, note in found) + (14 if found else 0)
            frame = self.pageTemplate.frames[0]
            frame.y1, frame.height = bottom + room, self.text_height - room
        if self.design.cover and page == 1:
            return
        canvas.setFont(self.design.italic, 9)
        if header := self.design.header[page % 2]:
            y, right = self.design.page[1] - top + 16, self.design.page[0] - side
            if page % 2:
                canvas.drawRightString(right, y, header)
            else:
                canvas.drawString(side, y, header)
            canvas.setLineWidth(0.4)
            canvas.line(side, y - 5, right, y - 5)
        canvas.setFont(self.design.font, 9)
        canvas.drawCentredString(self.design.page[0] / 2, bottom - 24, self.design.footer.format(n=page))

    def end_page(self, canvas, doc) -> None:
        "Draw the footnotes, the last one on the bottom margin, with a rule above them."
        side, _, y = self.design.margins
        found = self.page_notes(canvas.getPageNumber())
        for _, note in reversed(found):
            note.drawOn(canvas, side, y)
            y += note.height + 2
        for block, _ in found:
            self.log.add(block, canvas.getPageNumber(), block.plain)
        if found:
            canvas.setLineWidth(0.4)
            canvas.line(side, y + 4, side + 50 * mm, y + 4)


def table(block: Block, design: Design) -> Table:
    "The table of a block: numbers to the right, a grid or three rules, totals in bold."
    numeric = [all(re.fullmatch(r"[\d,.]+", row[i]) for row in block.rows[1:]) for i in range(1, len(block.rows[0]))]
    size = design.size - (0.5 if design.ruled else 1.3)
    commands = [
        ("FONT", (0, 0), (-1, -1), design.font, size, size * 1.3),
        ("FONT", (0, 0), (-1, 0), design.bold, size),
        ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 4),
        *[(f"{side}PADDING", (0, 0), (-1, -1), 6 if design.ruled else 3) for side in ("LEFT", "RIGHT")],
    ]
    commands += [("ALIGN", (i, 0), (i, -1), "RIGHT") for i, number in enumerate(numeric, 1) if number]
    commands += [
        ("FONT", (0, i), (-1, i), design.bold, size)
        for i, row in enumerate(block.rows)
        if re.match("All|Total|Surplus", row[0])
    ]
    if design.ruled:
        commands += [("GRID", (0, 0), (-1, -1), 0.6, colors.black), ("BACKGROUND", (0, 0), (-1, 0), colors.whitesmoke)]
    else:
        commands += [
            (f"LINE{side}", (0, row), (-1, row), 0.8, colors.black)
            for side, row in (("ABOVE", 0), ("BELOW", 0), ("BELOW", -1))
        ]
    widths = [165, *[82] * len(numeric)] if design.ruled else None
    return Table(block.rows, widths, style=commands, hAlign="LEFT" if design.ruled else "CENTER", spaceAfter=10)


def contents(blocks: list[Block], design: Design, plan: Log) -> list[Flowable]:
    "The printed table of contents, two levels deep so that it fits a page. It is not part of the text."
    head = style(design, Block("heading", level=2))
    lines = [
        ContentsLine(
            b.plain,
            plan.pieces[b][0][0] if b in plan.pieces else 0,
            design.bold if b.level == 2 else design.font,
            design.size,
            12 * (b.level - 2),
        )
        for b in blocks
        if b.kind == "heading" and b.level in (2, 3)
    ]
    return [Paragraph("Contents", head), *lines]


def flow(blocks: list[Block], design: Design, plan: Log, log: Log) -> list[Flowable]:
    "The blocks as a list of flowables, from which reportlab fills the frames."
    story: list[Flowable] = [NextPageTemplate("later")]
    if design.cover:
        story.append(Spacer(1, design.page[1] * 0.2))
    opened = False  # whether the first heading below the title has been met
    caption: list[Flowable] = []
    for i, block in enumerate(blocks):
        before = blocks[i - 1] if i else Block("newpage")
        if block.kind == "footnote":
            continue
        if block.kind == "newpage" or block.kind == "contents":
            story += [PageBreak(), *(contents(blocks, design, plan) if block.kind == "contents" else [])]
            continue
        if block.kind == "table":
            story.append(KeepTogether([*caption, Mark(block, log), table(block, design)]))
            caption = []
            continue
        if block.kind == "heading" and block.level > 1:
            if not opened and design.columns > 1:
                story.append(FrameBreak())
            elif before.kind != "heading":
                story.append(CondPageBreak(6.5 * design.leading))
            opened = True
        if before.kind == "list_item" != block.kind:
            story.append(Spacer(1, 0.4 * design.leading))
        bullet = "\u2022" if block.kind == "list_item" else None
        piece = Piece(markup(block.text), style(design, block, first=before.kind != "text"), bulletText=bullet)
        piece.block, piece.log = block, log
        piece.outline = design.outline and block.kind == "heading" and block.level > 1
        if block.kind == "table_caption":
            caption = [piece]  # kept with the table below it
        else:
            story.append(piece)
    return story


def typeset(design: Design, blocks: list[Block]) -> tuple[bytes, Log]:
    "Lay out again and again until the page numbers in the contents and the space for footnotes no longer change."
    title = next((b.plain for b in blocks if b.level == 1), "")
    notes = {b.text.split()[0]: b for b in blocks if b.kind == "footnote"}
    plan = Log()
    for _ in range(8):
        out, log = BytesIO(), Log()
        book = Book(out, design, notes, plan, log, title)
        book.build(flow(blocks, design, plan, log))
        log.pages = book.page
        if log == plan:
            return out.getvalue(), log
        plan = log
    raise RuntimeError(f"the layout of {design.name} never becomes stable")


# --- the record of what was laid out ------------------------------------------------------------------


def with_notes(blocks: list[Block], log: Log) -> list[Block]:
    "The blocks in reading order: a footnote comes after the last paragraph that begins on its page."
    order = [b for b in blocks if b in log.pieces and b.kind != "footnote"]
    for note in reversed([b for b in blocks if b.kind == "footnote"]):
        page = log.pieces[note][0][0]
        last = max(
            i for i, b in enumerate(order) if b.kind not in ("heading", "footnote") and log.pieces[b][0][0] <= page
        )
        order.insert(last + 1, note)
    return order


def structure(design: Design, blocks: list[Block], log: Log) -> tuple[dict, dict[str, tuple[int, int]]]:
    "Sections with their direct paragraphs, and the (sec_id, para_idx) of each key."
    title = next((b.plain for b in blocks if b.level == 1), None)
    sections = [{"sec_id": 1, "title": title or design.name, "level": 1, "parent": None, "paragraphs": []}]
    where = {}
    for block in with_notes(blocks, log):
        if block.kind == "heading":
            if block.level == 1:
                continue
            parent = next(s["sec_id"] for s in reversed(sections) if s["level"] < block.level)
            sections.append(
                {
                    "sec_id": len(sections) + 1,
                    "title": block.plain,
                    "level": block.level,
                    "parent": parent,
                    "paragraphs": [],
                }
            )
            continue
        paragraphs = sections[-1]["paragraphs"]
        paragraphs.append({"kind": block.kind, "page": log.pieces[block][0][0], "text": block.plain})
        if block.key:
            where[block.key] = (sections[-1]["sec_id"], len(paragraphs))
    return {"title": title, "pages": log.pages, "sections": sections}, where


def normalise(text: str) -> str:
    "Letters and digits only, so that hyphens, quotation marks and line ends do not matter when words are compared."
    return re.sub(r"[\W_]", "", text).lower()


def pages_of(block: Block, pieces: list[tuple[int, str]], words: str) -> list[int]:
    "The first page that holds `words`; all pages of the block if the words themselves run over the end of a page."
    if normalise(words) not in normalise(block.plain):
        raise ValueError(f"the paragraph {block.key} does not contain {words!r}")
    held = [page for page, text in pieces if normalise(words) in normalise(text)]
    return held[:1] or [page for page, _ in pieces]


def gold(number: int, asked: dict, keys: dict[str, tuple[Design, Block, Log, tuple[int, int]]]) -> dict:
    "One line of questions.jsonl: a question of questions.toml with the pages and coordinates of its evidence."
    evidence, coordinates, texts = [], [], []
    for key, words in asked.get("gold", {}).items():
        design, block, log, where = keys[key]
        for page in pages_of(block, log.pieces[block], words):
            if (item := {"document": design.pdf, "page": page}) not in evidence:
                evidence.append(item)
        coordinates.append([design.pdf, *where])
        texts.append(normalise(block.plain))
    if asked["kind"] in EXTRACTIVE:
        for answer in asked["answers"][0]:
            if not any(normalise(answer) in text for text in texts):
                raise ValueError(f"no gold paragraph contains {answer!r}")
    return {
        "id": f"{DATASET}_{number:02}",
        "dataset": DATASET,
        "question": asked["question"],
        "answer_variants": asked["answers"],
        "evidence": evidence,
        "documents": [d.pdf for d in DESIGNS],
        "answer_format": asked["format"],
        "kind": asked["kind"],
        "coordinates": coordinates,
    }


def make(out: Path) -> None:
    "Write the PDFs, structure.json and questions.jsonl into `out`."
    out.mkdir(parents=True, exist_ok=True)
    truth, keys = {}, {}
    for design in DESIGNS:
        blocks = read_source(HERE / "source" / f"{design.name}.story", design.curly)
        pdf, log = typeset(design, blocks)
        (out / design.pdf).write_bytes(pdf)
        truth[design.pdf], where = structure(design, blocks, log)
        for block in blocks:
            if not block.key:
                continue
            if block.key in keys:
                raise ValueError(f"two paragraphs have the key {block.key}")
            keys[block.key] = design, block, log, where[block.key]
        print(f"{design.pdf}: {log.pages} pages")
    asked = tomllib.loads((HERE / "source/questions.toml").read_text(encoding="utf-8"))["question"]
    lines = [json.dumps(gold(i, q, keys), ensure_ascii=False) for i, q in enumerate(asked, 1)]
    (out / "questions.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (out / "structure.json").write_text(json.dumps(truth, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=HERE, help="folder to write to (default: the script's own)")
    make(parser.parse_args().out)
