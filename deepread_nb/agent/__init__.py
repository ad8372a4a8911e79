"What an agent is made of: the record of a run, tools, conversation, loop, library, reading, eyes."
