// SPDX-License-Identifier: Apache-2.0
// What is made of the best programs when a run has ended, as the options `best`, `optimise` and `unprotect` ask for it.
#pragma once
#include <pybind11/pybind11.h>

namespace komuz::python {

void register_ranking_end(pybind11::module_& module);

}  // namespace komuz::python
