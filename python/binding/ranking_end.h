// SPDX-License-Identifier: Apache-2.0
// What is made of the best programs when a run has ended, as the options `best`, `optimise` and `unprotect` ask for it.
#pragma once
#include <pybind11/pybind11.h>

#include <stop_token>

namespace komuz::python {

class Ranking;

// Makes the text of the best program as the options ask for it, which may ask all cases, before anybody else has the ranking. Else it is
// made when somebody looks at it.
void make_best_text(Ranking& ranking, const std::stop_token& stop);

void register_ranking_end(pybind11::module_& module);

}  // namespace komuz::python
