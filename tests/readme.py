"README.md from nbs/index.ipynb, without Quarto: hidden cells and directive lines are left out."

import re
from pathlib import Path

import nbformat
from nbconvert import MarkdownExporter

ROOT = Path(__file__).parent.parent


def readme(source: Path = ROOT / 'nbs/index.ipynb', target: Path = ROOT / 'README.md') -> Path:
    "Write the README that the index notebook shows."
    nb = nbformat.read(source, as_version=4)
    nb.cells = [c for c in nb.cells if not re.match(r'\s*#\|\s*hide\b', c.source)]
    for cell in nb.cells:
        cell.source = re.sub(r'^#\|.*\n?', '', cell.source, flags=re.M)
    nb.metadata['language_info'] = {'name': 'python'}
    text, _ = MarkdownExporter().from_notebook_node(nb)
    text = (
        text.replace("'../data", "'data").replace('](../', '](').replace('](images/', '](nbs/images/')
    )  # the README stands one folder higher
    target.write_text('<!-- generated from nbs/index.ipynb: edit there -->\n' + text.strip() + '\n', encoding='utf-8')
    return target


if __name__ == '__main__':
    readme()
