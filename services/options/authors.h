// SPDX-License-Identifier: Apache-2.0
// Who proposes cheaper code besides the rules, which always are asked: the option `by` of whatever optimises.
#pragma once
#include <string_view>

#include "base/ints.h"

namespace komuz::services {

enum class Authors : u8 { Teacher, Rules, Model, All };
// The names that users type, in the order of the enumerators.
inline constexpr std::string_view kAuthorChoices[] = {"teacher", "rules", "model", "all"};

}  // namespace komuz::services
