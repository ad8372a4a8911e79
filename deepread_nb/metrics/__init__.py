"The evaluation protocol: answers, evidence, effort, behaviour, errors."
