// SPDX-License-Identifier: Apache-2.0
// The module komuz._komuz: the engine and the services for the package komuz (python/komuz/), which alone imports it. Texts and
// numbers in, results out; it knows no frames, and prints nothing.
#include <pybind11/pybind11.h>

#include "python/binding/fit.h"
#include "python/binding/options.h"
#include "python/binding/pool.h"
#include "python/binding/problems.h"
#include "python/binding/program.h"
#include "python/binding/rank.h"
#include "python/binding/ranking.h"
#include "python/binding/ranking_end.h"
#include "python/binding/texts.h"

PYBIND11_MODULE(_komuz, module) {
  module.attr("__version__") = KOMUZ_VERSION;
  komuz::python::register_problems();
  komuz::python::register_ranking(module);
  komuz::python::register_ranking_end(module);
  komuz::python::register_rank(module);
  komuz::python::register_island(module);
  komuz::python::register_pool(module);
  komuz::python::register_fit(module);
  komuz::python::register_program(module);
  komuz::python::register_options(module);
  komuz::python::register_texts(module);
  komuz::python::register_sketch(module);
}
