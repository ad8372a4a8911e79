"Documents as trees in which every paragraph has an address; errors, messages and files. Pure data: nothing here imports another folder."
