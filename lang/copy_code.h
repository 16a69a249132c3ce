// SPDX-License-Identifier: Apache-2.0
// Code of its own from a view of code.
#pragma once
#include "lang/code.h"

namespace komuz {

[[nodiscard]] Code copy_code(const CodeView& code);

}  // namespace komuz
