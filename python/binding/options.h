// SPDX-License-Identifier: Apache-2.0
// Options of command lines, as keywords of Python need to know them.
#pragma once
#include <pybind11/pybind11.h>

namespace komuz::python {

void register_options(pybind11::module_& module);

}  // namespace komuz::python
