"Runs, figures, a corpus and a desk for people, to look at in a notebook or as one HTML file."
