"The sample corpus: reproducible bytes, and a gold standard that the PDFs themselves confirm."

import importlib.util
import json
import re
from collections import Counter
from pathlib import Path

import pypdfium2
import pytest
import reportlab

DATA = Path(__file__).parents[1] / "data"
EXTRACTIVE = {"single-hop", "cross-page", "cross-document", "list"}


def normalise(text: str) -> str:
    "Letters and digits only, because white space, hyphens and quotation marks differ between text and page."
    return re.sub(r"[\W_]", "", text).lower()


def generated_files(folder: Path) -> list[Path]:
    "The files that data/make_data.py writes."
    return sorted([*folder.glob("*.pdf"), folder / "questions.jsonl", folder / "structure.json"])


def page_texts(pdf: Path) -> list[str]:
    "The normalised text of each page."
    with pypdfium2.PdfDocument(pdf) as doc:
        return [normalise(page.get_textpage().get_text_bounded()) for page in doc]


@pytest.fixture(scope="module")
def questions() -> list[dict]:
    return [json.loads(line) for line in (DATA / "questions.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def structure() -> dict:
    return json.loads((DATA / "structure.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def pages() -> dict[str, list[str]]:
    return {pdf.name: page_texts(pdf) for pdf in DATA.glob("*.pdf")}


def gold_texts(question: dict, structure: dict) -> list[str]:
    "The gold paragraphs of a question; raises if a coordinate points to nothing."
    found = []
    for name, sec_id, para_idx in question["coordinates"]:
        section = structure[name]["sections"][sec_id - 1]
        assert section["sec_id"] == sec_id and para_idx >= 1
        found.append(normalise(section["paragraphs"][para_idx - 1]["text"]))
    return found


def test_bytes_are_reproducible(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("make_data", DATA / "make_data.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if reportlab.__version__ != module.REPORTLAB:
        pytest.skip(f"the bytes are only the same with reportlab {module.REPORTLAB}")
    module.make(tmp_path)
    assert [f.name for f in generated_files(tmp_path)] == [f.name for f in generated_files(DATA)]
    for made in generated_files(tmp_path):
        assert made.read_bytes() == (DATA / made.name).read_bytes(), (
            f"{made.name} is out of date: run data/make_data.py"
        )


def test_corpus_size(pages: dict, structure: dict) -> None:
    assert len(pages) >= 5 and set(pages) == set(structure)
    assert sum(map(len, pages.values())) >= 30
    assert {name: len(p) for name, p in pages.items()} == {name: d["pages"] for name, d in structure.items()}


def test_question_counts(questions: list[dict]) -> None:
    assert len(questions) == 40 and len({q["id"] for q in questions}) == 40
    kinds = Counter(q["kind"] for q in questions)
    assert kinds == {
        "single-hop": 14,
        "cross-page": 4,
        "cross-document": 7,
        "yes/no": 4,
        "list": 3,
        "numeric": 4,
        "unanswerable": 4,
    }
    assert all(q["kind"] == "single-hop" for q in questions[:10])


def test_question_fields(questions: list[dict], pages: dict) -> None:
    fields = {
        "id",
        "dataset",
        "question",
        "answer_variants",
        "evidence",
        "documents",
        "answer_format",
        "kind",
        "coordinates",
    }
    for q in questions:
        assert set(q) == fields
        assert set(q["documents"]) == set(pages)
        assert q["answer_format"] in {"Str", "Int", "Float", "List", "None"}
        assert all(1 <= e["page"] <= len(pages[e["document"]]) for e in q["evidence"])
        assert {e["document"] for e in q["evidence"]} == {c[0] for c in q["coordinates"]}


def test_questions_fit_their_kind(questions: list[dict]) -> None:
    for q in questions:
        documents = {e["document"] for e in q["evidence"]}
        if q["kind"] == "unanswerable":
            assert q["evidence"] == q["coordinates"] == [] and q["answer_variants"] == [["Not answerable"]]
        else:
            assert q["evidence"] and q["coordinates"]
        if q["kind"] == "single-hop":
            assert len(q["coordinates"]) == 1
        if q["kind"] == "cross-page":
            assert len(documents) == 1 and len(q["evidence"]) > 1
        if q["kind"] == "cross-document":
            assert len(documents) > 1
        if q["kind"] == "yes/no":
            assert q["answer_variants"] in ([["Yes"]], [["No"]])


def test_gold_paragraphs_hold_the_answer(questions: list[dict], structure: dict, pages: dict) -> None:
    "The first variant of an extractive answer is in a gold paragraph, and on a gold page of the PDF."
    for q in questions:
        texts = gold_texts(q, structure)
        gold_pages = [pages[e["document"]][e["page"] - 1] for e in q["evidence"]]
        if q["kind"] not in EXTRACTIVE:
            continue
        for answer in map(normalise, q["answer_variants"][0]):
            assert any(answer in text for text in texts), q["id"]
            assert any(answer in text for text in gold_pages), q["id"]


def test_structure_is_a_tree(structure: dict) -> None:
    for document in structure.values():
        sections = document["sections"]
        assert [s["sec_id"] for s in sections] == list(range(1, len(sections) + 1))
        assert sections[0]["level"] == 1 and sections[0]["parent"] is None
        for s in sections[1:]:
            assert s["parent"] < s["sec_id"] and sections[s["parent"] - 1]["level"] == s["level"] - 1


def test_structure_is_on_the_pages(structure: dict, pages: dict) -> None:
    "Every paragraph starts on the page it names, and every heading is printed in its document."
    for name, document in structure.items():
        whole = "".join(pages[name])
        for section in document["sections"]:
            if document["title"]:
                assert normalise(section["title"]) in whole
            for paragraph in section["paragraphs"]:
                assert normalise(paragraph["text"])[:24] in pages[name][paragraph["page"] - 1], paragraph["text"]


def test_documents_differ_in_form(structure: dict) -> None:
    "Between them the documents have all a parser should handle: depth, outline, tables, notes, lists, no structure."
    kinds = Counter(p["kind"] for d in structure.values() for s in d["sections"] for p in s["paragraphs"])
    assert set(kinds) == {"text", "list_item", "table", "table_caption", "footnote", "equation"}
    assert {s["level"] for s in structure["keepers_handbook.pdf"]["sections"]} == {1, 2, 3, 4}
    assert structure["night_cars_memo.pdf"]["title"] is None
    with pypdfium2.PdfDocument(DATA / "keepers_handbook.pdf") as doc:
        outline = [item.get_title() for item in doc.get_toc()]
    assert outline == [s["title"] for s in structure["keepers_handbook.pdf"]["sections"][1:]]
