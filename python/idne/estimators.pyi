# Made by python/stubs/make.py from the library's tables of options.
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeVar, Union

import numpy as np
from numpy.typing import NDArray

from .models import Model
from .results import Topics

_Path = Union[str, bytes, os.PathLike[str]]
_Progress = Union[bool, None, Callable[[str, int, int, Union[float, None]], object]]
_E = TypeVar("_E", bound="_Estimator")

class _Estimator:
    model_: Model
    n_features_in_: int
    def get_params(self, deep: bool = ...) -> dict[str, Any]: ...
    def set_params(self: _E, **params: Any) -> _E: ...
    def set_output(self: _E, *, transform: Literal["default", "pandas"] | None = ...) -> _E: ...
    def fit(self: _E, X: Any, y: Any = ..., links: Any = ..., groups: Any = ..., vocabulary: Sequence[str] | Mapping[str, int] | None = ...) -> _E: ...
    def transform(self, X: Any) -> NDArray[np.float32]: ...
    def fit_transform(self, X: Any, y: Any = ..., links: Any = ..., groups: Any = ..., vocabulary: Sequence[str] | Mapping[str, int] | None = ...) -> NDArray[np.float32]: ...
    def get_feature_names_out(self, input_features: Any = ...) -> NDArray[np.object_]: ...
    def save(self, path: _Path) -> None: ...
    def __sklearn_tags__(self) -> Any: ...
    def __sklearn_is_fitted__(self) -> bool: ...
    @property
    def document_vectors_(self) -> NDArray[np.float32]: ...
    @property
    def words_(self) -> list[str]: ...
    @property
    def word_vectors_(self) -> NDArray[np.float32]: ...
    @property
    def topics_(self) -> Topics: ...
    @property
    def topic_vectors_(self) -> NDArray[np.float32]: ...

class IDNE(_Estimator):
    strict: bool
    preset: Literal['best', 'paper']
    n_topics: int | Literal['auto']
    n_components: int
    steps: int | None
    batch: int | None
    random_state: object | None
    learning_rate: float | None
    step_words: int | None
    decay: Literal['linear', 'none'] | None
    start: Literal['network', 'text', 'random'] | None
    link_share: float
    start_norm: float
    topic_fit: Literal['kmeans', 'none'] | None
    attention: Literal['relu', 'softmax']
    sampling: Literal['near', 'node', 'path'] | None
    similarity: Literal['paths', 'simrank', 'ppr']
    neighbours: int
    stretch: float
    min_count: int
    max_share: float
    language: str
    stop_words: _Path | Sequence[str] | None
    stem: bool
    numbers: Literal['keep', 'drop']
    phrases: bool
    leave_out: _Path | None
    n_jobs: int | None
    vocabulary: Sequence[str] | Mapping[str, int] | None
    progress: _Progress
    def __init__(self, *, strict: bool = ..., preset: Literal['best', 'paper'] = ..., n_topics: int | Literal['auto'] = ..., n_components: int = ..., steps: int | None = ..., batch: int | None = ..., random_state: object | None = ..., learning_rate: float | None = ..., step_words: int | None = ..., decay: Literal['linear', 'none'] | None = ..., start: Literal['network', 'text', 'random'] | None = ..., link_share: float = ..., start_norm: float = ..., topic_fit: Literal['kmeans', 'none'] | None = ..., attention: Literal['relu', 'softmax'] = ..., sampling: Literal['near', 'node', 'path'] | None = ..., similarity: Literal['paths', 'simrank', 'ppr'] = ..., neighbours: int = ..., stretch: float = ..., min_count: int = ..., max_share: float = ..., language: str = ..., stop_words: _Path | Sequence[str] | None = ..., stem: bool = ..., numbers: Literal['keep', 'drop'] = ..., phrases: bool = ..., leave_out: _Path | None = ..., n_jobs: int | None = ..., vocabulary: Sequence[str] | Mapping[str, int] | None = ..., progress: _Progress = ...) -> None: ...

class LSA(_Estimator):
    strict: bool
    n_components: int
    random_state: object | None
    neighbours: int
    stretch: float
    min_count: int
    max_share: float
    language: str
    stop_words: _Path | Sequence[str] | None
    stem: bool
    numbers: Literal['keep', 'drop']
    phrases: bool
    leave_out: _Path | None
    n_jobs: int | None
    vocabulary: Sequence[str] | Mapping[str, int] | None
    progress: _Progress
    def __init__(self, *, strict: bool = ..., n_components: int = ..., random_state: object | None = ..., neighbours: int = ..., stretch: float = ..., min_count: int = ..., max_share: float = ..., language: str = ..., stop_words: _Path | Sequence[str] | None = ..., stem: bool = ..., numbers: Literal['keep', 'drop'] = ..., phrases: bool = ..., leave_out: _Path | None = ..., n_jobs: int | None = ..., vocabulary: Sequence[str] | Mapping[str, int] | None = ..., progress: _Progress = ...) -> None: ...

class TADW(_Estimator):
    strict: bool
    n_components: int
    features: int
    scale: float
    penalty: float
    rounds: int
    random_state: object | None
    neighbours: int
    stretch: float
    min_count: int
    max_share: float
    language: str
    stop_words: _Path | Sequence[str] | None
    stem: bool
    numbers: Literal['keep', 'drop']
    phrases: bool
    leave_out: _Path | None
    n_jobs: int | None
    vocabulary: Sequence[str] | Mapping[str, int] | None
    progress: _Progress
    def __init__(self, *, strict: bool = ..., n_components: int = ..., features: int = ..., scale: float = ..., penalty: float = ..., rounds: int = ..., random_state: object | None = ..., neighbours: int = ..., stretch: float = ..., min_count: int = ..., max_share: float = ..., language: str = ..., stop_words: _Path | Sequence[str] | None = ..., stem: bool = ..., numbers: Literal['keep', 'drop'] = ..., phrases: bool = ..., leave_out: _Path | None = ..., n_jobs: int | None = ..., vocabulary: Sequence[str] | Mapping[str, int] | None = ..., progress: _Progress = ...) -> None: ...

class GVNRt(_Estimator):
    strict: bool
    n_components: int
    walks: int
    walk_length: int
    window: int
    threshold: float
    epochs: int
    batch: int
    learning_rate: float
    random_state: object | None
    neighbours: int
    stretch: float
    min_count: int
    max_share: float
    language: str
    stop_words: _Path | Sequence[str] | None
    stem: bool
    numbers: Literal['keep', 'drop']
    phrases: bool
    leave_out: _Path | None
    n_jobs: int | None
    vocabulary: Sequence[str] | Mapping[str, int] | None
    progress: _Progress
    def __init__(self, *, strict: bool = ..., n_components: int = ..., walks: int = ..., walk_length: int = ..., window: int = ..., threshold: float = ..., epochs: int = ..., batch: int = ..., learning_rate: float = ..., random_state: object | None = ..., neighbours: int = ..., stretch: float = ..., min_count: int = ..., max_share: float = ..., language: str = ..., stop_words: _Path | Sequence[str] | None = ..., stem: bool = ..., numbers: Literal['keep', 'drop'] = ..., phrases: bool = ..., leave_out: _Path | None = ..., n_jobs: int | None = ..., vocabulary: Sequence[str] | Mapping[str, int] | None = ..., progress: _Progress = ...) -> None: ...

class Graph2Gauss(_Estimator):
    strict: bool
    n_components: int
    hidden: int
    hops: int
    rounds: int
    patience: int
    held_out: float
    batch: int
    learning_rate: float
    random_state: object | None
    neighbours: int
    stretch: float
    min_count: int
    max_share: float
    language: str
    stop_words: _Path | Sequence[str] | None
    stem: bool
    numbers: Literal['keep', 'drop']
    phrases: bool
    leave_out: _Path | None
    n_jobs: int | None
    vocabulary: Sequence[str] | Mapping[str, int] | None
    progress: _Progress
    def __init__(self, *, strict: bool = ..., n_components: int = ..., hidden: int = ..., hops: int = ..., rounds: int = ..., patience: int = ..., held_out: float = ..., batch: int = ..., learning_rate: float = ..., random_state: object | None = ..., neighbours: int = ..., stretch: float = ..., min_count: int = ..., max_share: float = ..., language: str = ..., stop_words: _Path | Sequence[str] | None = ..., stem: bool = ..., numbers: Literal['keep', 'drop'] = ..., phrases: bool = ..., leave_out: _Path | None = ..., n_jobs: int | None = ..., vocabulary: Sequence[str] | Mapping[str, int] | None = ..., progress: _Progress = ...) -> None: ...

class CANE(_Estimator):
    strict: bool
    n_components: int
    steps: int
    batch: int
    rate: float
    text_weight: float
    structure_weight: float
    cross_weight: float
    length: int
    contexts: int
    random_state: object | None
    neighbours: int
    stretch: float
    min_count: int
    max_share: float
    language: str
    stop_words: _Path | Sequence[str] | None
    stem: bool
    numbers: Literal['keep', 'drop']
    phrases: bool
    leave_out: _Path | None
    n_jobs: int | None
    vocabulary: Sequence[str] | Mapping[str, int] | None
    progress: _Progress
    def __init__(self, *, strict: bool = ..., n_components: int = ..., steps: int = ..., batch: int = ..., rate: float = ..., text_weight: float = ..., structure_weight: float = ..., cross_weight: float = ..., length: int = ..., contexts: int = ..., random_state: object | None = ..., neighbours: int = ..., stretch: float = ..., min_count: int = ..., max_share: float = ..., language: str = ..., stop_words: _Path | Sequence[str] | None = ..., stem: bool = ..., numbers: Literal['keep', 'drop'] = ..., phrases: bool = ..., leave_out: _Path | None = ..., n_jobs: int | None = ..., vocabulary: Sequence[str] | Mapping[str, int] | None = ..., progress: _Progress = ...) -> None: ...

class DeepWalk(_Estimator):
    strict: bool
    n_components: int
    walks: int
    walk_length: int
    window: int
    negatives: int
    learning_rate: float
    random_state: object | None
    neighbours: int
    stretch: float
    min_count: int
    max_share: float
    language: str
    stop_words: _Path | Sequence[str] | None
    stem: bool
    numbers: Literal['keep', 'drop']
    phrases: bool
    leave_out: _Path | None
    n_jobs: int | None
    vocabulary: Sequence[str] | Mapping[str, int] | None
    progress: _Progress
    def __init__(self, *, strict: bool = ..., n_components: int = ..., walks: int = ..., walk_length: int = ..., window: int = ..., negatives: int = ..., learning_rate: float = ..., random_state: object | None = ..., neighbours: int = ..., stretch: float = ..., min_count: int = ..., max_share: float = ..., language: str = ..., stop_words: _Path | Sequence[str] | None = ..., stem: bool = ..., numbers: Literal['keep', 'drop'] = ..., phrases: bool = ..., leave_out: _Path | None = ..., n_jobs: int | None = ..., vocabulary: Sequence[str] | Mapping[str, int] | None = ..., progress: _Progress = ...) -> None: ...

class Node2Vec(_Estimator):
    strict: bool
    n_components: int
    walks: int
    walk_length: int
    window: int
    p: float
    q: float
    negatives: int
    learning_rate: float
    random_state: object | None
    neighbours: int
    stretch: float
    min_count: int
    max_share: float
    language: str
    stop_words: _Path | Sequence[str] | None
    stem: bool
    numbers: Literal['keep', 'drop']
    phrases: bool
    leave_out: _Path | None
    n_jobs: int | None
    vocabulary: Sequence[str] | Mapping[str, int] | None
    progress: _Progress
    def __init__(self, *, strict: bool = ..., n_components: int = ..., walks: int = ..., walk_length: int = ..., window: int = ..., p: float = ..., q: float = ..., negatives: int = ..., learning_rate: float = ..., random_state: object | None = ..., neighbours: int = ..., stretch: float = ..., min_count: int = ..., max_share: float = ..., language: str = ..., stop_words: _Path | Sequence[str] | None = ..., stem: bool = ..., numbers: Literal['keep', 'drop'] = ..., phrases: bool = ..., leave_out: _Path | None = ..., n_jobs: int | None = ..., vocabulary: Sequence[str] | Mapping[str, int] | None = ..., progress: _Progress = ...) -> None: ...

class VERSE(_Estimator):
    strict: bool
    n_components: int
    pairs: int
    go_on: float
    negatives: int
    learning_rate: float
    random_state: object | None
    neighbours: int
    stretch: float
    min_count: int
    max_share: float
    language: str
    stop_words: _Path | Sequence[str] | None
    stem: bool
    numbers: Literal['keep', 'drop']
    phrases: bool
    leave_out: _Path | None
    n_jobs: int | None
    vocabulary: Sequence[str] | Mapping[str, int] | None
    progress: _Progress
    def __init__(self, *, strict: bool = ..., n_components: int = ..., pairs: int = ..., go_on: float = ..., negatives: int = ..., learning_rate: float = ..., random_state: object | None = ..., neighbours: int = ..., stretch: float = ..., min_count: int = ..., max_share: float = ..., language: str = ..., stop_words: _Path | Sequence[str] | None = ..., stem: bool = ..., numbers: Literal['keep', 'drop'] = ..., phrases: bool = ..., leave_out: _Path | None = ..., n_jobs: int | None = ..., vocabulary: Sequence[str] | Mapping[str, int] | None = ..., progress: _Progress = ...) -> None: ...
