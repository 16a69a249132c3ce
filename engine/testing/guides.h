// SPDX-License-Identifier: Apache-2.0
// What programs are likely to tell apart: the constants of their code, and the values next to them.
#pragma once
#include "engine/testing/value_sampler.h"
#include "lang/code.h"

namespace komuz::engine {

// Adds those of the functions that `function` of checked code reaches. An integer guides all integer types that have it.
void add_guides(const CodeView& code, u32 function, Guides& guides);
// Sorts them, each once: behind the last call of add_guides.
void settle_guides(Guides& guides);

}  // namespace komuz::engine
