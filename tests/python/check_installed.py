# SPDX-License-Identifier: Apache-2.0
"""Run by an installation, as a new user would: no file of the repository is looked at."""
import sys
import time

begin = time.process_time()  # others may use the processors
import komuz

took = time.process_time() - begin
assert not {"numpy", "pandas"} & set(sys.modules)

ranking = komuz.rank(["x * y", "x + y"], [[1.0, 2.0], [3.0, 4.0]], [2.0, 12.0], signature="fn(x: f64, y: f64) -> f64")
assert ranking.best.id == "1" and ranking.best.score == 2
f = komuz.compile("x * x", signature="fn(x: f64) -> f64")
assert f(3.0) == 9.0
try:
    import numpy

    assert f(numpy.arange(4.0)).tolist() == [0, 1, 4, 9]
    assert ranking.to_pandas()["id"].tolist() == ["1", "2"]
    print("with NumPy and pandas, ", end="")
except ImportError:
    import array

    assert list(f(array.array("d", [2.0]))) == [4.0]
assert "double" in f.code("c")
print(f"komuz {komuz.__version__} works; imported in {took * 1000:.1f} ms")
