"""Runs when Python starts under `lacewing watch`: waits for torch or Keras, then attaches the recorder.

The program must not notice: a sitecustomize of its own still runs, and what fails here is silent
(LACEWING_DEBUG=1 shows it).
"""
import os
import sys


def _run_the_next_sitecustomize():
    here = os.path.dirname(os.path.abspath(__file__))
    path = sys.path
    sys.path = [p for p in path if os.path.abspath(p or ".") != here]
    mine = sys.modules.pop("sitecustomize", None)
    try:
        import sitecustomize  # noqa: F401  the one that would have run without us
    except ImportError as error:
        if error.name != "sitecustomize":
            raise
        if mine is not None:
            sys.modules["sitecustomize"] = mine
    finally:
        sys.path = path


def _attach():
    try:
        from lacewing import attach
        attach.when_imported()
    except Exception:  # the program comes first
        if os.environ.get("LACEWING_DEBUG"):
            import traceback
            traceback.print_exc()


_run_the_next_sitecustomize()
if os.environ.get("LACEWING_TRACE"):
    _attach()
