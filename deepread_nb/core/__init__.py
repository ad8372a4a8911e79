"""Documents as trees in which every paragraph has an address; errors, messages, files and words.

Pure data: nothing here imports another folder.
"""
