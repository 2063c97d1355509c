"""Says what an interpreter is and which modules it has, without importing them.

Run as `python -I -c THIS module=distribution ...`; prints lines of fields split by tabs.
"""
import importlib.util
import os
import re
import sys


def is_there(spec):
    """A folder that an uninstalled package left behind also counts as a namespace package."""
    if spec is None:
        return False
    if spec.origin not in (None, "namespace"):
        return True
    for folder in spec.submodule_search_locations or ():
        if os.path.isdir(folder) and any(n != "__pycache__" for n in os.listdir(folder)):
            return True
    return False


def version_by_metadata(names):
    try:
        from importlib import metadata
    except ImportError:
        return ""
    for name in names:
        try:
            return metadata.version(name) or ""
        except Exception:
            pass
    return ""


def version_by_text(spec):
    for folder in spec.submodule_search_locations or ():
        for name in ("version.py", "_version.py", "__init__.py"):
            try:
                with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as f:
                    found = re.search(r"^_{0,2}version_{0,2}\s*(?::\s*str\s*)?=\s*['\"]([^'\"]+)",
                                      f.read(200000), re.M)
            except OSError:
                continue
            if found:
                return found.group(1)
    return ""


def version_by_import(module):
    out = os.dup(1)
    try:
        os.dup2(2, 1)
        return str(getattr(__import__(module), "__version__", ""))
    except BaseException:
        return ""
    finally:
        os.dup2(out, 1)
        os.close(out)


def say(*fields):
    sys.stdout.write("\t".join(re.sub(r"[\t\r\n]", " ", f) for f in fields) + "\n")


say("python", sys.executable, "%d.%d.%d" % sys.version_info[:3])
for prefix in sorted({sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix,
                      os.path.dirname(os.path.dirname(os.path.realpath(sys.executable)))}):
    say("prefix", prefix)
for argument in sys.argv[1:]:
    module, _, distribution = argument.partition("=")
    try:
        spec = importlib.util.find_spec(module)
        there = is_there(spec)
    except Exception:
        there = False
    version = ""
    if there and module not in getattr(sys, "stdlib_module_names", ()):
        version = (version_by_metadata([n for n in (distribution, module) if n])
                   or version_by_text(spec) or version_by_import(module))
    say("module", module, "1" if there else "0", version)
sys.stdout.flush()
