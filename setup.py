"The package's metadata, read from settings.ini: edit there, not here."

import shlex
from configparser import ConfigParser
from pathlib import Path

from setuptools import find_packages, setup

parser = ConfigParser(delimiters=['='])
parser.read('settings.ini', encoding='utf-8')
cfg = parser['DEFAULT']


def names(key: str) -> list[str]:
    "The requirement lines under `key`, comments dropped."
    return shlex.split(cfg.get(key, ''), comments=True)


setup(
    name=cfg['lib_name'],
    version=cfg['version'],
    description=cfg['description'],
    author=cfg['author'],
    license='Apache-2.0',
    url=cfg['git_url'],
    keywords=cfg['keywords'].split(),
    python_requires='>=' + cfg['min_python'],
    packages=find_packages(include=[cfg['lib_path'] + '*']),
    package_data={cfg['lib_path']: ['widgets/*.js', 'widgets/*.css']},
    zip_safe=False,
    install_requires=names('requirements'),
    extras_require={'dev': names('dev_requirements')},
    long_description=Path('README.md').read_text(encoding='utf-8'),
    long_description_content_type='text/markdown',
    entry_points={
        'console_scripts': names('console_scripts'),
        'nbdev': [f"{cfg['lib_path']}={cfg['lib_path']}._modidx:d"],
    },
)
