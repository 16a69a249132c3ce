// SPDX-License-Identifier: Apache-2.0
// komuz.check, format, fix, explain and Sketch: questions about texts.
#pragma once
#include <pybind11/pybind11.h>

namespace komuz::python {

void register_texts(pybind11::module_& module);
void register_sketch(pybind11::module_& module);

}  // namespace komuz::python
