"Many questions, systems and models; datasets and ablations."
