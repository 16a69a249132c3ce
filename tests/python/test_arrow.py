# SPDX-License-Identifier: Apache-2.0
"""The Arrow C data interface, with a small producer and a small consumer of our own."""
import ctypes as c
import gc

import numpy as np
import pytest

import komuz
from komuz import _arrow

SIGNATURE = "fn(x: f64, y: f64) -> f64"


class Table(_arrow.ArrowTable):
    """A producer of a stream, whose batches are no concern of its consumers."""


class Batch:
    """A producer of one batch: columns of NumPy, whose memory it shows."""

    def __init__(self, **columns):
        self.columns = columns

    def __arrow_c_array__(self, requested_schema=None):
        formats = {"f8": b"g", "f4": b"f", "i8": b"l", "i4": b"i", "u1": b"C", "b1": b"b"}
        schemas, arrays = [], []
        for name, values in self.columns.items():
            kind = formats[values.dtype.str[1:]]
            schema, array = _arrow.ArrowSchema(), _arrow.ArrowArray()
            _arrow._fill_schema(schema, kind, name.encode(), [])
            shown = np.packbits(values, bitorder="little") if kind == b"b" else values
            buffer = (c.c_uint8 * max(shown.nbytes, 1)).from_address(shown.ctypes.data)
            buffer._keeps = shown
            _arrow._fill_array(array, len(values), 0, [None, buffer], [])
            schemas.append(schema)
            arrays.append(array)
        schema, array = _arrow.ArrowSchema(), _arrow.ArrowArray()
        _arrow._fill_schema(schema, b"+s", b"", schemas)
        _arrow._fill_array(array, len(next(iter(self.columns.values()))), 0, [None], arrays)
        self.made = schema, array
        return (
            _arrow._capsule(c.addressof(schema), b"arrow_schema", None),
            _arrow._capsule(c.addressof(array), b"arrow_array", None),
        )


def test_a_batch_is_read_where_it_lies():
    x, y = np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 6.0])
    ranking = komuz.rank(["x + y", "x * y"], Batch(x=x, y=y), x * y, signature=SIGNATURE)
    assert ranking.best.id == "2"
    seen = _arrow.columns_of(Batch(x=x))["x"]
    assert np.frombuffer(seen).ctypes.data == x.ctypes.data
    gc.collect()
    assert seen.tolist() == x.tolist()


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "int32", "uint8", "bool"])
def test_kinds(dtype):
    values = np.array([0, 1, 1, 0, 1, 0, 0, 1, 1]).astype(dtype)
    assert _arrow.columns_of(Batch(a=values))["a"].tolist() == values.tolist()


def test_a_stream_is_read():
    table = Table({"x": [1.0, 2.0], "y": [3.0, 4.0]}, {"x": _arrow.FLOAT, "y": _arrow.FLOAT})
    ranking = komuz.rank(["x + y", "x * y"], table, [3.0, 8.0], signature=SIGNATURE)
    assert ranking.best.id == "2"
    f = komuz.compile("x - y", signature=SIGNATURE)
    assert list(f(table)) == [-2.0, -2.0]


def test_missing_values_and_texts_are_refused():
    missing = Table({"x": [1.0, None], "y": [3.0, 4.0]}, {"x": _arrow.FLOAT, "y": _arrow.FLOAT})
    with pytest.raises(komuz.InputError, match="row 1 of the column `x` is missing"):
        komuz.rank(["x"], missing, [1.0, 2.0], signature=SIGNATURE)
    texts = Table({"x": ["a"]}, {"x": _arrow.TEXT})
    with pytest.raises(komuz.InputError, match="Arrow type `u`"):
        komuz.rank(["x"], texts, [1.0], signature=SIGNATURE)


def test_results_are_a_stream():
    ranking = komuz.rank(["x + y", "x * y", "x *"], [((1.0, 2.0), 2.0)], signature=SIGNATURE)
    table = ranking.to_arrow()
    assert table.column_names[:3] == ["id", "rank", "status"] and len(table) == 3
    capsule = table.__arrow_c_stream__()
    stream = _arrow.ArrowStream.from_address(_arrow._pointer_of(capsule, b"arrow_array_stream"))
    schema, array = _arrow.ArrowSchema(), _arrow.ArrowArray()
    assert stream.get_schema(c.byref(stream), c.byref(schema)) == 0
    assert [schema.children[k].contents.format for k in range(4)] == [b"u", b"l", b"u", b"g"]
    assert stream.get_next(c.byref(stream), c.byref(array)) == 0
    ends = (c.c_int32 * 4).from_address(array.children[0].contents.buffers[1])
    text = c.string_at(array.children[0].contents.buffers[2], ends[3])
    assert text.decode() == "213" and array.children[3].contents.null_count == 1
    array.release(c.byref(array))
    schema.release(c.byref(schema))
    before = len(_arrow._alive)
    del capsule
    gc.collect()
    assert len(_arrow._alive) < before
