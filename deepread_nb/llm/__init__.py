"Language models: local files by hash, llama.cpp, OpenAI-compatible servers, scripted and recorded replies."
