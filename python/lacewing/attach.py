"""Attaches the recorder when torch or Keras has been imported, without importing them itself."""
import importlib.abc
import importlib.machinery
import os
import sys
import traceback

FRAMEWORKS = {"torch": "torch_recorder", "keras": "keras_recorder", "tensorflow.keras": "keras_recorder"}


def quietly(function):
    """`function` as something that can never disturb the program."""
    def guarded(*arguments, **named):
        try:
            return function(*arguments, **named)
        except Exception:
            if os.environ.get("LACEWING_DEBUG"):
                traceback.print_exc()
            return None
    return guarded


@quietly
def _attach(framework):
    name = FRAMEWORKS[framework]
    module = __import__(f"lacewing.{name}", fromlist=["attach"])
    module.attach(sys.modules[framework])


class _Loader(importlib.abc.Loader):
    """Loads as the real loader does, then attaches."""

    def __init__(self, loader, framework):
        self.loader, self.framework = loader, framework

    def create_module(self, spec):
        return self.loader.create_module(spec)

    def exec_module(self, module):
        module.__loader__ = module.__spec__.loader = self.loader
        self.loader.exec_module(module)
        _attach(self.framework)


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self):
        self.waiting = set(FRAMEWORKS)

    def find_spec(self, name, path=None, target=None):
        if name not in self.waiting:
            return None
        self.waiting.discard(name)
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader, name)
        return spec


def when_imported():
    sys.meta_path.insert(0, _Finder())
