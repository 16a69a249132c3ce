# SPDX-License-Identifier: Apache-2.0
"""Compiled programs as functions."""
import array
import pathlib
import pickle
import time

import numpy as np
import pandas as pd
import pytest

import komuz

XY = "fn(x: f64, y: f64) -> f64"


def test_numbers_and_arrays():
    f = komuz.compile("x * y + 1.0", signature=XY)
    assert f(2.0, 3.0) == 7.0 and f(y=3.0, x=2) == 7.0
    x = np.linspace(0, 1, 5000)
    assert (f(x, 2.0) == x * 2 + 1).all()
    assert f(np.stack([x, x], axis=1)).tolist() == (x * x + 1).tolist()
    assert f(pd.DataFrame({"y": [1.0], "x": [5.0], "z": [0.0]})).tolist() == [6.0]
    assert f({"x": x, "y": x[::-1]}).tolist() == (x * x[::-1] + 1).tolist()


@pytest.mark.parametrize("rows", [0, 1, 63, 4096, 4097, 65_537, 70_000, 200_001])
@pytest.mark.parametrize("offset", [0, 1, 3])
def test_places_in_memory_do_not_show(rows, offset):
    f = komuz.compile("x * x - y", signature=XY)
    x, y = np.random.default_rng(rows).normal(size=(2, rows + offset))[:, offset:]
    expected = (x * x - y).tolist()
    assert f(x, y).tolist() == expected
    assert f(x, y, threads=1).tolist() == expected
    wide = np.repeat(x, 3)[::3]
    assert f(wide, y).tolist() == expected
    assert f(x[::-1], y[::-1]).tolist() == expected[::-1]


def native(text, signature, *columns, errors="raise"):
    """A function that has been called until it runs natively, and what it gave before: whether that pays, clocks say."""
    f = komuz.compile(text, signature=signature)
    before = f(*columns, errors=errors, threads=1)
    until = time.monotonic() + 20
    while not f._made.is_native() and time.monotonic() < until:
        f(*columns, errors=errors, threads=1)
    if not f._made.is_native():
        pytest.skip("native code was no faster here")
    return f, before


def has_backend():
    folder = pathlib.Path(komuz.__file__).parent
    return (folder / "komuz_backend.so").exists()


needs_backend = pytest.mark.skipif(not has_backend(), reason="this build has no native backend")


@needs_backend
@pytest.mark.parametrize("text", ["((0.5 * x - 1.0) * x + 2.0) * y", "exp(-x * x / 2.0) * cos(y)", "if x > y { x } else { y - 1.0 }"])
def test_calls_become_native_and_give_the_same_bits(text):
    x, y = np.random.default_rng(3).normal(size=(2, 300_001))
    x[:3] = [np.nan, np.inf, 5e-324]
    f, before = native(text, XY, x, y)
    for offset in (0, 1, 5):
        for rows in (1, 63, 4097, 70_000, 131_075, 300_001 - offset):
            part = slice(offset, offset + rows)
            assert f(x[part], y[part], threads=1).tobytes() == before[part].tobytes()
    assert f(x, y).tobytes() == before.tobytes()
    assert f(x[::-1], y[::-1]).tobytes() == before[::-1].tobytes()
    assert f(x, y[1], threads=1)[:4].tobytes() == komuz.compile(text, signature=XY)(x[:4], y[1]).tobytes()


@needs_backend
def test_traps_of_native_calls_are_the_same():
    a = np.arange(200_000)
    b = np.arange(200_000) % 70_001
    text, signature = "a * 7 / b + a % 11", "fn(a: i64, b: i64) -> i64"
    f, (values, marks) = native(text, signature, a, b, errors="mask")
    assert np.flatnonzero(marks).tolist() == [0, 70_001, 140_002]
    given, found = f(a, b, errors="mask", threads=1)
    assert given.tobytes() == values.tobytes() and found.tobytes() == marks.tobytes()
    with pytest.raises(komuz.TrapError) as caught:
        f(a[1:], b[1:])
    fresh = komuz.compile(text, signature=signature)
    with pytest.raises(komuz.TrapError) as expected:
        fresh(a[1:], b[1:])
    assert caught.value.row == expected.value.row == 70_000
    assert (caught.value.count, caught.value.depth, str(caught.value)) == (2, expected.value.depth, str(expected.value))


@pytest.mark.parametrize(
    "kind, dtype",
    [("i32", "int32"), ("i64", "int64"), ("u8", "uint8"), ("u32", "uint32"), ("u64", "uint64"), ("f32", "float32")]
    + [("f64", "float64"), ("bool", "bool")],
)
def test_kinds_of_numbers(kind, dtype):
    f = komuz.compile(f"pub fn f(x: {kind}) -> {kind} {{ x }}")
    x = np.array([0, 1, 1, 0]).astype(dtype)
    given = f(x)
    assert given.dtype == x.dtype and given.tolist() == x.tolist()
    assert f(x[1].item()) == x[1].item()


def test_columns_of_other_kinds_are_converted():
    whole = komuz.compile("pub fn f(x: i64) -> i64 { x * 2 }")
    assert whole(np.array([-3, 4], "int8")).tolist() == [-6, 8]
    assert whole(np.array([3, 4], "uint16")).tolist() == [6, 8]
    real = komuz.compile("x * 2.0", signature="fn(x: f64) -> f64")
    assert real(np.array([-3, 4], "int16")).tolist() == [-6.0, 8.0]
    assert real(np.array([0.5], "float32")).tolist() == [1.0]


def test_a_number_that_does_not_fit_is_refused():
    f = komuz.compile("pub fn f(x: u8) -> u8 { x }")
    with pytest.raises(komuz.InputError, match="row 1 of `x` is 300"):
        f(np.array([1, 300]))
    with pytest.raises(komuz.InputError, match="row 0 of `x` is -1"):
        f(np.array([-1]))
    with pytest.raises(komuz.InputError, match="the parameter `x` is u8, and its column holds float64"):
        f(np.array([1.0]))


def test_traps():
    f = komuz.compile("pub fn f(a: i64, b: i64) -> i64 { a / b }")
    with pytest.raises(komuz.TrapError) as caught:
        f(1, 0)
    assert (caught.value.code, caught.value.function, caught.value.row) == ("DIV_ZERO", "f", None)
    assert (caught.value.line, caught.value.column) == (1, 37)
    a, b = np.array([6, 7, 8, 9]), np.array([2, 0, 4, 0])
    with pytest.raises(komuz.TrapError) as caught:
        f(a, b)
    assert caught.value.row == 1 and caught.value.count == 2
    values, mask = f(a, b, errors="mask")
    assert mask.tolist() == [False, True, False, True] and values[[0, 2]].tolist() == [3, 2]
    with pytest.raises(komuz.OptionError, match="results that are floats"):
        f(a, b, errors="nan")
    g = komuz.compile("pub fn g(x: f64) -> f64 { assert x > 0.0; x }")
    assert np.isnan(g(np.array([1.0, -1.0]), errors="nan")).tolist() == [False, True]
    loop = komuz.compile("pub fn f(n: i64) -> i64 { var s = 0; while s < n { s = s + 1; } s }")
    assert loop(5) == 5
    with pytest.raises(komuz.TrapError, match="FUEL"):
        loop(10**9, fuel=1000)


def test_other_values():
    total = komuz.compile("pub fn total(xs: [f64]) -> f64 { var s = 0.0; for x in xs { s += x; } s }")
    assert total([1.0, 2.5]) == 3.5
    pair = komuz.compile("pub fn pair(x: f64) -> (f64, i64) { (x, 3) }")
    assert pair(2.0) == (2.0, 3)
    left, right = pair(np.array([1.0, 2.0]))
    assert left.tolist() == [1.0, 2.0] and right.tolist() == [3, 3]
    for xs in (np.array([1.0, 2.5]), array.array("d", [1.0, 2.5]), np.array([1.0, 9.0, 2.5])[::2]):
        assert total(xs) == 3.5
    with pytest.raises(komuz.InputError, match="takes or gives more than numbers"):
        total({"xs": np.array([1.0])})
    scaled = komuz.compile("pub fn scaled(xs: [f64], k: f64) -> f64 { var s = 0.0; for x in xs { s += k * x; } s }")
    assert scaled(np.array([1.0, np.nan]), 2.0) != scaled(k=2.0, xs=np.array([1.0, 3.0])) == 8.0
    assert komuz.compile("x / y", signature=XY)(1.0, 0.0) == float("inf")


def test_traps_of_one_row():
    ratio = komuz.compile("pub fn ratio(a: i64, b: i64) -> f64 { f64(a / b) }")
    assert ratio(1, 0, errors="mask") != (0.0, True) and ratio(1, 0, errors="mask")[1] is True
    assert np.isnan(ratio(1, 0, errors="nan")) and ratio(6, 3, errors="mask") == (2.0, False)
    whole = komuz.compile("pub fn whole(a: i64) -> (i64, i64) { (1 / a, a) }")
    assert whole(0, errors="mask") == ((0, 0), True)
    with pytest.raises(komuz.OptionError, match="is for results that are floats"):
        whole(0, errors="nan")
    with pytest.raises(komuz.OptionError, match="`threads` is 'a'"):
        whole(1, threads="a")


def test_lists_that_are_too_long():
    total = komuz.compile("pub fn total(xs: [f64]) -> f64 { xs.sum() }")
    with pytest.raises(komuz.InputError, match="the arguments of `total` are too long"):
        total(np.ones(10**6))


def test_cost_and_code():
    f = komuz.compile("x * x", signature="fn(x: f64) -> f64")
    assert f.cost.ticks is not None and f.cost.code_bytes > 0 and "bytes of code" in str(f.cost)
    assert "LOAD_VAR" in f.code() and "double" in f.code("c") and "return" in f.code("python")
    with pytest.raises(komuz.OptionError, match="no target `cobol`"):
        f.code("cobol")


def test_errors_of_programs():
    with pytest.raises(komuz.CompileError) as caught:
        komuz.compile("pub fn f(x: f64) -> f64 { y }")
    assert caught.value.line == 1 and caught.value.diagnostics[0].code.startswith("K")
    with pytest.raises(komuz.InputError, match="entry"):
        komuz.compile("pub fn f() -> i64 { 1 }\npub fn g() -> i64 { 2 }")
    f = komuz.compile("pub fn f() -> i64 { 1 }\npub fn g() -> i64 { 2 }", entry="g")
    assert f() == 2


def test_arguments_that_are_wrong():
    f = komuz.compile("x * y", signature=XY)
    with pytest.raises(komuz.InputError, match="takes 2 arguments, and 1 are given"):
        f(1.0)
    with pytest.raises(komuz.InputError, match="no parameter `z`"):
        f(1.0, z=2.0)
    with pytest.raises(komuz.InputError, match="`x` has 2 rows, and another argument has 3"):
        f(np.zeros(2), np.zeros(3))
    with pytest.raises(komuz.InputError, match="no column `y`"):
        f(pd.DataFrame({"x": [1.0]}))
    with pytest.raises(komuz.InputError, match="X has 3 columns"):
        f(np.zeros((2, 3)))


def test_functions_can_be_pickled():
    f = pickle.loads(pickle.dumps(komuz.compile("x * y", signature=XY)))
    assert f(2.0, 3.0) == 6.0


def test_without_numpy_arrays_are_of_the_standard_library():
    import subprocess
    import sys

    code = (
        "import komuz, array, sys\n"
        "f = komuz.compile('x + 1.0', signature='fn(x: f64) -> f64')\n"
        "assert f(array.array('d', [1.0])) == array.array('d', [2.0])\n"
        "assert 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_lists_are_rows_of_functions_of_scalars():
    f = komuz.compile("x * y", signature="fn(x: f64, y: f64) -> f64")
    assert list(f([1.0, 2.0], [3.0, 4.0])) == [3.0, 8.0]
    assert list(f((1.0, 2.0), 0.5)) == [0.5, 1.0]
    total = komuz.compile("pub fn total(xs: [f64]) -> f64 { var s = 0.0; for x in xs { s += x; } s }")
    assert total([1.0, 2.0]) == 3.0
    with pytest.raises(komuz.InputError, match="`x` has 2 rows"):
        f([1.0, 2.0], [3.0, 4.0, 5.0])
