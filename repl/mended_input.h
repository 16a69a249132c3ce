// SPDX-License-Identifier: Apache-2.0
// Applies the edits that an input's messages offer.
#pragma once
#include <functional>
#include <string>

#include "repl/answer.h"

namespace komuz::repl {

// Checks an input; true if it has no errors.
using CheckInput = std::function<bool(const Input& input, Answer& answer)>;

// The input after all edits of `answer`, which belongs to it, and of the errors that remain then. Empty if no edit is
// offered.
[[nodiscard]] std::string mended_input(const Input& input, const Answer& answer,
                                       const CheckInput& check);

}  // namespace komuz::repl
