// SPDX-License-Identifier: Apache-2.0
// Names that a text could use if it had another `use`, for editors that write it: the line editor of a session cannot.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mend/mend.h"
#include "services/complete.h"

namespace komuz::services {

// Fewer letters fit too many names.
inline constexpr u32 kFewestLetters = 2;

struct UnimportedName {
  Completion completion;
  std::string module;  // `std.math`
};
// Functions, constants and types that begin with the word before the place, of the standard library and of modules that are loaded; a
// name that several modules have once for each. None: fewer letters are there, or neither a value nor a type may stand there. `known`:
// what completion lists there; of these none is listed again.
[[nodiscard]] std::vector<UnimportedName> list_unimported_names(const Analysis& analysis,
                                                                const Completions& known,
                                                                u32 place);
// What brings such a name, or a module that is spelled but not used, into a text. Nothing: it is there.
[[nodiscard]] std::optional<Edit> bring_name(std::string_view module, std::string_view name,
                                             std::string_view text);
[[nodiscard]] std::optional<Edit> bring_module(std::string_view module, std::string_view text);

}  // namespace komuz::services
