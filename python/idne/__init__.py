"""Linked documents, new documents and reasons: one space of words, topics and documents.

>>> import idne
>>> folder = idne.generate("corpus", documents=300, fields=3)
>>> model = idne.train(folder, topics=3, steps=100)
>>> model
<idne.Model: idne, 300 documents, 3 topics, 256 dimensions>
>>> model.suggest("The judge heard the lawyer and the defendant.", k=1).labels
[SuggestedLabel(label='law', probability=0.9...)]

`train`, `load`, `read_corpus`, `evaluate`, `generate` and `import_…` do what the program's verbs do, with its options'
names. `IDNE`, `LSA`, `TADW`, `GVNRt`, `Graph2Gauss`, `CANE`, `DeepWalk`, `Node2Vec` and `VERSE` are estimators as scikit-learn has them.
"""
from ._idne import Error, __version__
from .corpora import Corpus, CorpusFolder
from .estimators import CANE, DeepWalk, GVNRt, Graph2Gauss, IDNE, LSA, Node2Vec, TADW, VERSE
from .functions import (
    evaluate,
    generate,
    import_csv,
    import_debian,
    import_html,
    import_markdown,
    import_mediawiki,
    import_openalex,
    import_stackexchange,
    load,
    read_corpus,
    train,
)
from .models import Model
from .plots import plot_map, plot_sweep, plot_topics

__all__ = [
    "CANE", "Corpus", "CorpusFolder", "DeepWalk", "Error", "GVNRt", "Graph2Gauss", "IDNE", "LSA", "Model", "Node2Vec", "TADW", "VERSE", "__version__",
    "evaluate", "generate", "import_csv", "import_debian", "import_html", "import_markdown", "import_mediawiki",
    "import_openalex", "import_stackexchange", "load", "plot_map", "plot_sweep", "plot_topics", "read_corpus", "train",
]
