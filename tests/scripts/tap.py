"""What script tests share: TAP lines, and running programs."""
import os
import subprocess
import sys
import traceback

SOURCE = os.environ.get("LW_SOURCE") or os.path.dirname(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("LW_BUILD") or os.path.join(SOURCE, "build")
PROGRAM = os.path.join(BUILD, "lacewing")


class Skip(Exception):
    """Raised by a test that cannot run here; its text is the reason."""


def run(*argv, **more):
    """A finished program with text in .stdout and .stderr."""
    return subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, text=True, **more)


def tests(*functions):
    """Runs each function as one test named after it; an exception fails it. Ends the program."""
    failed = 0
    print(f"1..{len(functions)}", flush=True)
    for number, function in enumerate(functions, 1):
        name = function.__name__.replace("_", " ")
        try:
            function()
            print(f"ok {number} - {name}", flush=True)
        except Skip as reason:
            print(f"ok {number} - {name} # SKIP {reason}", flush=True)
        except Exception:
            failed += 1
            print(f"not ok {number} - {name}", flush=True)
            print("".join("# " + line + "\n" for line in traceback.format_exc().splitlines()), end="")
    sys.exit(1 if failed else 0)


def equal(got, expected):
    assert got == expected, f"got {got!r}, expected {expected!r}"
