// SPDX-License-Identifier: Apache-2.0
// komuz.rank and komuz.search: the request of `komuz eval` or `komuz search`, with candidates and cases from Python.
#pragma once
#include <pybind11/pybind11.h>

namespace komuz::python {

void register_rank(pybind11::module_& module);

}  // namespace komuz::python
