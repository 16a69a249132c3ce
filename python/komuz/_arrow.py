# SPDX-License-Identifier: Apache-2.0
"""The Arrow C data interface: frames of polars, pyarrow and others in, tables of results out.

Numbers are read where they lie. Only booleans, which Arrow packs into bits, are copied. The layout is that of
https://arrow.apache.org/docs/format/CDataInterface.html.
"""
from __future__ import annotations

import ctypes as c
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple

from ._columns import Texts
from ._errors import InputError


class ArrowSchema(c.Structure):
    pass


class ArrowArray(c.Structure):
    pass


class ArrowStream(c.Structure):
    pass


_ReleaseSchema = c.CFUNCTYPE(None, c.POINTER(ArrowSchema))
_ReleaseArray = c.CFUNCTYPE(None, c.POINTER(ArrowArray))
_ReleaseStream = c.CFUNCTYPE(None, c.POINTER(ArrowStream))
_GetSchema = c.CFUNCTYPE(c.c_int, c.POINTER(ArrowStream), c.POINTER(ArrowSchema))
_GetNext = c.CFUNCTYPE(c.c_int, c.POINTER(ArrowStream), c.POINTER(ArrowArray))
_GetError = c.CFUNCTYPE(c.c_void_p, c.POINTER(ArrowStream))

ArrowSchema._fields_ = [
    ("format", c.c_char_p),
    ("name", c.c_char_p),
    ("metadata", c.c_void_p),
    ("flags", c.c_int64),
    ("n_children", c.c_int64),
    ("children", c.POINTER(c.POINTER(ArrowSchema))),
    ("dictionary", c.POINTER(ArrowSchema)),
    ("release", _ReleaseSchema),
    ("private_data", c.c_void_p),
]
ArrowArray._fields_ = [
    ("length", c.c_int64),
    ("null_count", c.c_int64),
    ("offset", c.c_int64),
    ("n_buffers", c.c_int64),
    ("n_children", c.c_int64),
    ("buffers", c.POINTER(c.c_void_p)),
    ("children", c.POINTER(c.POINTER(ArrowArray))),
    ("dictionary", c.POINTER(ArrowArray)),
    ("release", _ReleaseArray),
    ("private_data", c.c_void_p),
]
ArrowStream._fields_ = [
    ("get_schema", _GetSchema),
    ("get_next", _GetNext),
    ("get_last_error", _GetError),
    ("release", _ReleaseStream),
    ("private_data", c.c_void_p),
]

# The element of C, and its format in memory views.
_FORMATS: Dict[bytes, Tuple[Any, str]] = {
    b"g": (c.c_double, "d"),
    b"f": (c.c_float, "f"),
    b"l": (c.c_int64, "q"),
    b"i": (c.c_int32, "i"),
    b"s": (c.c_int16, "h"),
    b"c": (c.c_int8, "b"),
    b"L": (c.c_uint64, "Q"),
    b"I": (c.c_uint32, "I"),
    b"S": (c.c_uint16, "H"),
    b"C": (c.c_uint8, "B"),
}

_pointer_of = c.pythonapi.PyCapsule_GetPointer
_pointer_of.restype, _pointer_of.argtypes = c.c_void_p, [c.py_object, c.c_char_p]
_capsule = c.pythonapi.PyCapsule_New
_capsule.restype, _capsule.argtypes = c.py_object, [c.c_void_p, c.c_char_p, c.c_void_p]


def is_arrow(frame: object) -> bool:
    """True for what has one of the two methods of the interface."""
    return hasattr(frame, "__arrow_c_stream__") or hasattr(frame, "__arrow_c_array__")


class _Held:
    """Memory that others made: it is released when nobody looks at it any more."""

    def __init__(self, made: Any, keeps: object = None) -> None:
        self.made, self.keeps = made, keeps

    def __del__(self) -> None:
        if self.made.release:
            self.made.release(c.byref(self.made))


def _bits(address: int, offset: int, length: int) -> bytes:
    packed = (c.c_uint8 * ((offset + length + 7) // 8)).from_address(address)
    return bytes((packed[k >> 3] >> (k & 7)) & 1 for k in range(offset, offset + length))


# Texts by their ends, and how wide these are.
_TEXT_ENDS: Dict[bytes, Any] = {b"u": c.c_int32, b"U": c.c_int64}


def _valid(array: ArrowArray, offset: int, length: int) -> Optional[bytes]:
    """A byte for each row, 0 where it has no value; None: all have one."""
    if array.null_count == 0 or not array.n_buffers or not array.buffers[0]:
        return None
    valid = _bits(array.buffers[0], offset, length)
    return valid if 0 in valid else None


def _texts(kind: bytes, array: ArrowArray, offset: int, length: int) -> List[Optional[str]]:
    ends = (_TEXT_ENDS[kind] * (offset + length + 1)).from_address(array.buffers[1]) if length else (0,)
    valid = _valid(array, offset, length)
    texts: List[Optional[str]] = []
    for k in range(length):
        begin, end = ends[offset + k], ends[offset + k + 1]
        is_there = valid is None or valid[k]
        # Where all texts are empty, there may be no buffer.
        text = c.string_at(array.buffers[2] + begin, end - begin).decode() if begin != end else ""
        texts.append(text if is_there else None)
    return texts


def _text_column(schema: ArrowSchema, array: ArrowArray, more: int, what: str) -> Optional[Texts]:
    """Texts, or numbers of them; None: the column holds others."""
    offset, length = array.offset + more, array.length
    if not schema.dictionary:
        return Texts.of(_texts(schema.format, array, offset, length), what) if schema.format in _TEXT_ENDS else None
    of, words = schema.dictionary.contents.format, array.dictionary.contents
    if of not in _TEXT_ENDS or schema.format not in _FORMATS:
        return None
    known = _texts(of, words, words.offset, words.length)
    numbers = (_FORMATS[schema.format][0] * (offset + length)).from_address(array.buffers[1]) if length else ()
    valid = _valid(array, offset, length)
    return Texts.of(
        (known[int(numbers[offset + k])] if valid is None or valid[k] else None for k in range(length)), what
    )


def _column(name: str, schema: ArrowSchema, array: ArrowArray, held: _Held, more: int, takes_texts: bool) -> Any:
    kind = schema.format
    if takes_texts:
        texts = _text_column(schema, array, more, f"the column `{name}`")
        if texts is not None:
            return texts
    if schema.dictionary:
        raise InputError(
            f"the column `{name}` is a dictionary of Arrow, which holds no numbers",
            remedy="cast it to float64, or leave it out",
        )
    offset, length = array.offset + more, array.length
    valid = _valid(array, offset, length)
    if valid is not None:
        raise InputError(
            f"row {valid.index(0)} of the column `{name}` is missing",
            remedy="leave such rows out before, or write a number there",
        )
    if kind == b"b":
        return memoryview(bytearray(_bits(array.buffers[1], offset, length) if length else b"")).cast("?")
    if kind not in _FORMATS:
        raise InputError(
            f"the column `{name}` has the Arrow type `{kind.decode()}`, which holds no numbers",
            remedy="cast it to float64, or leave it out",
        )
    element, native = _FORMATS[kind]
    if length == 0:
        return memoryview(b"").cast(native)
    values = (element * length).from_address(array.buffers[1] + offset * c.sizeof(element))
    values._held = held  # the memory lives as long as the view
    return memoryview(values).cast("B").cast(native)


def _batches(frame: Any) -> Iterator[Tuple[ArrowSchema, ArrowArray, _Held]]:
    if not hasattr(frame, "__arrow_c_stream__"):
        schema_capsule, array_capsule = frame.__arrow_c_array__()
        schema = ArrowSchema.from_address(_pointer_of(schema_capsule, b"arrow_schema"))
        array = ArrowArray.from_address(_pointer_of(array_capsule, b"arrow_array"))
        held = _Held(array, (frame, schema_capsule, array_capsule, _Held(schema)))
        yield schema, array, held
        return
    capsule = frame.__arrow_c_stream__()
    stream = ArrowStream.from_address(_pointer_of(capsule, b"arrow_array_stream"))
    held_stream = _Held(stream, (frame, capsule))
    schema = ArrowSchema()
    if stream.get_schema(c.byref(stream), c.byref(schema)) != 0:
        raise InputError("the Arrow stream has no schema", remedy="give a frame, or a dict of columns")
    held_schema = _Held(schema)
    while True:
        array = ArrowArray()
        if stream.get_next(c.byref(stream), c.byref(array)) != 0:
            raise InputError("the Arrow stream broke off", remedy="give a frame, or a dict of columns")
        if not array.release:
            return
        yield schema, array, _Held(array, (held_schema, held_stream))


def columns_of(frame: Any, *, takes_texts: bool = False) -> Dict[str, Any]:
    """The columns of a frame, by name, as buffers, or as `Texts`. A column of several batches is a list of them."""
    columns: Dict[str, List[Any]] = {}
    for schema, array, held in _batches(frame):
        if schema.format != b"+s":
            name = (schema.name or b"").decode() or "x"
            columns.setdefault(name, []).append(_column(name, schema, array, held, 0, takes_texts))
            continue
        for k in range(schema.n_children):
            child = schema.children[k].contents
            name = (child.name or b"").decode()
            columns.setdefault(name, []).append(
                _column(name, child, array.children[k].contents, held, array.offset, takes_texts)
            )
    return {name: parts[0] if len(parts) == 1 else parts for name, parts in columns.items()}


# What tables of results hold: the format of Arrow for each kind of column.
TEXT, FLOAT, WHOLE, BOOL = b"u", b"g", b"l", b"b"


class ArrowTable:
    """Columns as an Arrow stream of one batch, for `polars.from_arrow`, `pyarrow.table` and others.

    None stands for a missing value.
    """

    def __init__(self, columns: Mapping[str, Sequence[Any]], kinds: Dict[str, bytes]) -> None:
        self._columns, self._kinds = columns, kinds

    @property
    def column_names(self) -> List[str]:
        return list(self._columns)

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()), ()))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """A capsule `arrow_array_stream`. The requested schema is not looked at, as the interface allows."""
        return _new_stream(self._columns, self._kinds)


# A capsule keeps the address of its name.
_STREAM_NAME = b"arrow_array_stream"

# What was handed out, by its key, until it is released.
_alive: Dict[int, object] = {}


def _end(pointer: Any) -> None:
    """Ends a schema, an array or a stream: what is within it first."""
    made = pointer.contents
    for k in range(getattr(made, "n_children", 0)):
        child = made.children[k]
        if child.contents.release:
            child.contents.release(child)
    made.release = type(made.release)(0)
    _alive.pop(made.private_data, None)


# C calls them; here they stay as long as the module does.
_release_schema, _release_array, _release_stream = _ReleaseSchema(_end), _ReleaseArray(_end), _ReleaseStream(_end)


def _hand_out(to: Any, release: Any, *kept: object) -> None:
    """What is kept lives until it is released."""
    key = c.create_string_buffer(1)
    to.release, to.private_data = release, c.addressof(key)
    _alive[to.private_data] = (key, kept)


def _set_children(to: Any, children: List[Any]) -> object:
    """What it gives has to be kept as long as the children."""
    kind = c.POINTER(type(to))
    pointers = (kind * len(children))(*[c.pointer(child) for child in children])
    to.n_children, to.children = len(children), c.cast(pointers, c.POINTER(kind))
    return pointers


def _fill_schema(to: ArrowSchema, kind: bytes, name: bytes, children: List[ArrowSchema]) -> None:
    to.format, to.name, to.flags = kind, name, 2  # nullable
    _hand_out(to, _release_schema, kind, name, children, _set_children(to, children))


def _fill_array(to: ArrowArray, length: int, nulls: int, buffers: List[Any], children: List[ArrowArray]) -> None:
    addresses = (c.c_void_p * max(len(buffers), 1))(
        *[None if buffer is None else c.addressof(buffer) for buffer in buffers]
    )
    to.length, to.null_count, to.offset = length, nulls, 0
    to.n_buffers, to.buffers = len(buffers), c.cast(addresses, c.POINTER(c.c_void_p))
    _hand_out(to, _release_array, buffers, addresses, children, _set_children(to, children))


def _packed(bits: Sequence[bool]) -> Any:
    out = (c.c_uint8 * max((len(bits) + 7) // 8, 1))()
    for k, bit in enumerate(bits):
        if bit:
            out[k >> 3] |= 1 << (k & 7)
    return out


def _array_of(values: Sequence[Any], kind: bytes) -> ArrowArray:
    array = ArrowArray()
    count = len(values)
    there = [value is not None for value in values]
    nulls = count - sum(there)
    valid = _packed(there) if nulls else None
    if kind == TEXT:
        texts = [b"" if value is None else value.encode() for value in values]
        ends = (c.c_int32 * (count + 1))()
        for k, text in enumerate(texts):
            ends[k + 1] = ends[k] + len(text)
        buffers = [valid, ends, c.create_string_buffer(b"".join(texts), max(ends[count], 1))]
    elif kind == BOOL:
        buffers = [valid, _packed([bool(value) for value in values])]
    else:
        element: Any = c.c_double if kind == FLOAT else c.c_int64
        buffers = [valid, (element * max(count, 1))(*[0 if value is None else value for value in values])]
    _fill_array(array, count, nulls, buffers, [])
    return array


def _new_stream(columns: Mapping[str, Sequence[Any]], kinds: Dict[str, bytes]) -> object:
    stream = ArrowStream()
    given: List[Optional[bool]] = []

    def get_schema(_: Any, out: Any) -> int:
        children = []
        for name in columns:
            child = ArrowSchema()
            _fill_schema(child, kinds[name], name.encode(), [])
            children.append(child)
        _fill_schema(out.contents, b"+s", b"", children)
        return 0

    def get_next(_: Any, out: Any) -> int:
        if given:
            out.contents.release = _ReleaseArray(0)
            return 0
        given.append(True)
        arrays = [_array_of(values, kinds[name]) for name, values in columns.items()]
        length = len(next(iter(columns.values()), ()))
        _fill_array(out.contents, length, 0, [None], arrays)
        return 0

    calls = (_GetSchema(get_schema), _GetNext(get_next), _GetError(lambda _: None))
    stream.get_schema, stream.get_next, stream.get_last_error = calls
    _hand_out(stream, _release_stream, stream, calls)
    return _capsule(c.addressof(stream), _STREAM_NAME, _free_stream)


# The capsule is about to go, and nobody may hold it: so it stays a plain address here.
_pointer_of_address = c.PYFUNCTYPE(c.c_void_p, c.c_void_p, c.c_char_p)(("PyCapsule_GetPointer", c.pythonapi))


def _free_unused(capsule: Any) -> None:
    stream = ArrowStream.from_address(_pointer_of_address(capsule, _STREAM_NAME))
    if stream.release:
        stream.release(c.byref(stream))


_free_capsule = c.CFUNCTYPE(None, c.c_void_p)(_free_unused)
_free_stream = c.cast(_free_capsule, c.c_void_p)
