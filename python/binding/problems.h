// SPDX-License-Identifier: Apache-2.0
// Problems as exceptions of Python: classes of komuz/_errors.py, with the file, the line and the remedy of the problem.
#pragma once
#include <pybind11/pybind11.h>

#include "base/problem.h"

namespace komuz::python {

namespace py = pybind11;

// What the binding throws; Python sees the exception that belongs to the kind of the problem.
struct Raised {
  Problem problem;
};

// A name in komuz/_errors.py.
[[nodiscard]] py::object error_class(const char* name);

// Raises the problem, if there is one.
void raise(Problem problem);
template <class Value>
Value value_of(Result<Value> result) {
  if (result.problem()) throw Raised{std::move(result).problem()};
  return std::move(result).value();
}

void register_problems();

}  // namespace komuz::python
