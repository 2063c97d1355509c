"""The recorder's library through ctypes: names with ids, points, events, statistics of tensors."""
import ctypes
import os

ROLES = {name: number for number, name in enumerate(
    "metric setting input target output output-gradient weight gradient update event".split())}
DTYPES = {name: number for number, name in enumerate(
    "float32 float64 float16 bfloat16 int64 int32 int16 int8 uint8".split())}
DTYPES["bool"] = DTYPES["uint8"]

_u32, _u64, _text = ctypes.c_uint32, ctypes.c_uint64, ctypes.c_char_p
_handle, _double = ctypes.c_void_p, ctypes.c_double
_SIGNATURES = {
    "lwr_open": (_handle, [_text]),
    "lwr_close": (ctypes.c_int, [_handle]),
    "lwr_flush": (ctypes.c_int, [_handle]),
    "lwr_meta": (None, [_handle, _text, _u64]),
    "lwr_name": (None, [_handle, _u32, _u32, _text, _text, _text, _u32]),
    "lwr_point": (None, [_handle, _u32, _u32, _double, _double]),
    "lwr_event": (None, [_handle, _u32, _u32, _u32, _double]),
    "lwr_tensors": (None, [_handle, _u32, _u32] + [ctypes.c_void_p] * 4 + [_u64]),
    "lwr_remember": (None, [_handle, _u32] + [ctypes.c_void_p] * 4 + [_u64]),
    "lwr_changes": (None, [_handle, _u32, _u32] + [ctypes.c_void_p] * 5),
}


def load():
    """The library; OSError where it cannot be loaded."""
    here = os.path.dirname(os.path.abspath(__file__))
    path = os.environ.get("LACEWING_RECORD_LIBRARY") or os.path.join(here, "liblacewing-record.so")
    library = ctypes.CDLL(path)
    for name, (result, arguments) in _SIGNATURES.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


class Batch:
    """Tensors of fixed ids whose addresses change: arrays that are made once and filled again."""

    def __init__(self, ids):
        n = len(ids)
        self.count = n
        self.ids = (_u32 * n)(*ids)
        self.addresses = (_u64 * n)()
        self.sizes = (_u64 * n)()
        self.dtypes = (_u32 * n)()
        self.changed = (ctypes.c_uint8 * n)()

    def put(self, i, address, size, dtype):
        self.addresses[i], self.sizes[i], self.dtypes[i] = address, size, dtype


class Trace:
    """A trace file that is being written. Every call is harmless: what fails ends the recording."""

    def __init__(self, path, library=None):
        self.library = library or load()
        self.handle = self.library.lwr_open(os.fsencode(path))
        if not self.handle:
            raise OSError(f"cannot make '{path}'")
        self.path = path
        self.ids = {}

    def id(self, role, name, layer="", path="", line=0):
        """The number of a name; a new one is written down."""
        key = (role, name)
        number = self.ids.get(key)
        if number is None:
            number = self.ids[key] = len(self.ids) + 1
            self.library.lwr_name(self.handle, number, ROLES[role], _bytes(name), _bytes(layer), _bytes(path), line)
        return number

    def meta(self, json):
        data = _bytes(json)
        self.library.lwr_meta(self.handle, data, len(data))

    def point(self, number, step, time, value):
        self.library.lwr_point(self.handle, number, step, time, value)

    def event(self, number, step, subject=0, value=0.0):
        self.library.lwr_event(self.handle, number, step, subject, value)

    def tensors(self, batch, step, most):
        self.library.lwr_tensors(self.handle, step, batch.count, batch.ids, batch.addresses, batch.sizes,
                                 batch.dtypes, most)

    def remember(self, batch, most):
        self.library.lwr_remember(self.handle, batch.count, batch.ids, batch.addresses, batch.sizes,
                                  batch.dtypes, most)

    def changes(self, batch, step):
        self.library.lwr_changes(self.handle, step, batch.count, batch.ids, batch.addresses, batch.sizes,
                                 batch.dtypes, batch.changed)
        return batch.changed

    def flush(self):
        return bool(self.library.lwr_flush(self.handle))

    def close(self):
        handle, self.handle = self.handle, None
        return bool(handle) and bool(self.library.lwr_close(handle))


def _bytes(text):
    return text.encode("utf-8", "replace").replace(b"\0", b"?")
