"Finding paragraphs and pages: BM25, a query language, a store on disk, vectors, rank fusion, rerankers."
