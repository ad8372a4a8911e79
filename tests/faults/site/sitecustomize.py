"A process that a fault case starts finds our `product` too, whatever folder comes first in its path."

import importlib.util
import sys
from pathlib import Path

PRODUCT = Path(__file__).parents[1] / 'product.py'


class OurProduct:
    "Finds the one module `product`, before the folders of the path are asked."

    @staticmethod
    def find_spec(name, path=None, target=None):
        return importlib.util.spec_from_file_location(name, PRODUCT) if name == 'product' else None


sys.meta_path.insert(0, OurProduct)
