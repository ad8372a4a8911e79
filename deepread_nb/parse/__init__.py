"Any file to a document: layout, elements, structure, text recognition, formats, and back to the page."
