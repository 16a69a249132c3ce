// SPDX-License-Identifier: Apache-2.0
// komuz.fit: the request of `komuz fit`, with tables and programs from Python.
#pragma once
#include <pybind11/pybind11.h>

namespace komuz::python {

void register_fit(pybind11::module_& module);

}  // namespace komuz::python
