"""How the library is waited for: threads, and how far it is."""
import operator
import sys

from . import _idne


def threads_of(threads):
    """None and -1 are all that the machine has."""
    if threads is None:
        return _idne.hardware_threads()
    try:
        number = operator.index(threads)
    except TypeError:
        raise _idne.Error(f"threads: a whole number is needed, not {threads!r}") from None
    if number == -1:
        return _idne.hardware_threads()
    if not 1 <= number <= 1024:
        raise _idne.Error(f"threads: '{number}' is not a whole number in 1 … 1024")
    return number


def number_of(name, value, least=0, most=2**53):
    """A whole number that the library can take."""
    try:
        number = operator.index(value)
    except TypeError:
        raise _idne.Error(f"{name}: a whole number is needed, not {value!r}") from None
    if isinstance(value, bool) or not least <= number <= most:
        raise _idne.Error(f"{name}: '{value}' is not a whole number in {least} … {most}")
    return number


class Bar:
    """A progress bar by tqdm, where that is installed."""

    def __init__(self, tqdm):
        self.tqdm, self.bar, self.stage = tqdm, None, ""

    def __call__(self, stage, done, total, loss):
        if stage != self.stage or self.bar is None:
            self.close()
            self.stage, self.bar = stage, self.tqdm(desc=stage, total=total or None, leave=False, unit_scale=True)
        self.bar.n = done
        if loss is not None:
            self.bar.set_postfix(loss=f"{loss:.4f}", refresh=False)
        self.bar.refresh()

    def close(self):
        if self.bar is not None:
            self.bar.close()
            self.bar = None


class shown:
    """with shown(progress) as tell: … `progress` is True, False, a function, or None: a bar if a person is watching."""

    def __init__(self, progress):
        self.close = lambda: None
        self.tell = progress if callable(progress) else None
        watched = progress is None and sys.stderr is not None and getattr(sys.stderr, "isatty", bool)()
        if progress is True or watched:
            try:
                from tqdm.auto import tqdm
            except ImportError:
                return
            bar = Bar(tqdm)
            self.tell, self.close = bar, bar.close

    def __enter__(self):
        return self.tell

    def __exit__(self, *_):
        self.close()
