"The systems of the papers and their baselines, one module each."
