// SPDX-License-Identifier: Apache-2.0
// An input that has errors, with the edits that its messages offer.
#pragma once
#include <functional>
#include <string>

#include "repl/answer.h"

namespace komuz::repl {

// What is wrong with an input; false: something is.
using CheckInput = std::function<bool(const Input& input, Answer& answer)>;

// The input as it is when all edits are made of `answer`, which is of it, and of what is still wrong then. Empty: none
// is offered.
[[nodiscard]] std::string mended_input(const Input& input, const Answer& answer,
                                       const CheckInput& check);

}  // namespace komuz::repl
