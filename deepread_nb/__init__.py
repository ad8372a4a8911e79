"Agents that read long documents as people do: locate, then read. What most programs need, in one place."

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

# Loaded when first asked for, so that importing one part of the package does not load all the others.
_HOMES = {
    'agent.library': ('Library',),
    'agent.loop': ('Budget',),
    'agent.record': ('Trajectory', 'load_trajectory'),
    'core.corpus': ('Corpus',),
    'core.document': ('Coord', 'Document'),
    'core.errors': ('DeepReadError',),
    'core.files': ('load', 'save'),
    'core.toc': ('toc',),
    'llm.by_name': ('open_chat',),
    'llm.local': ('LlamaCpp',),
    'llm.scripted': ('Recorded', 'Scripted'),
    'llm.server': ('OpenAIChat',),
    'parse.files': ('parse_file',),
    'parse.folder': ('parse_folder', 'parse_paths'),
    'search.index': ('Index',),
    'systems.registry': ('ask', 'make_system'),
    'widgets.corpus_view': ('show_corpus',),
    'widgets.viewer': ('show',),
}
__all__ = [name for names in _HOMES.values() for name in names]


def __getattr__(name: str) -> Any:
    "A name of `__all__`, from the module that holds it."
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f'{__name__}.{module}'), name)
    raise AttributeError(f'module {__name__!r} has no attribute {name!r}')


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
