// SPDX-License-Identifier: Apache-2.0
// Names that a header may give: what C, C++ and their library leave to others, and each once.
#pragma once
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ints.h"

namespace komuz::backend {

// True for what cannot be the name of a parameter or of a field: keywords of C and C++, types of the headers that many
// programs include, and what is often a macro.
[[nodiscard]] bool is_c_word(std::string_view name);
// True for functions of the C library, and for what compilers take for one.
[[nodiscard]] bool is_c_library_name(std::string_view name);
// The name, with `_` behind it where it is a word of C.
[[nodiscard]] std::string c_name(std::string_view name);
// The same for a struct or an enumeration, also where a struct of the C library is called so.
[[nodiscard]] std::string c_type_name(std::string_view name);

// Names for the parameters of a function, or for the fields of a struct: as wished, where that is no word of C, none of
// `taken` and no other's name; else with `_` behind it, as often as it takes. What begins as macros of compilers do, or
// of these headers, has `p` before it.
[[nodiscard]] std::vector<std::string> c_member_names(std::span<const std::string> wishes,
                                                      std::span<const std::string_view> taken);

// Eight hexadecimal digits that tell texts apart, for names of macros.
[[nodiscard]] std::string c_digest(std::string_view text);

// What has a name in a header.
enum class CThing : u8 { Function, Type, Alternative };

// The names of one header: structs, enumerations, their constants, and functions.
class CNames {
 public:
  // Takes the name. Else the reason why that thing cannot have it, and what to do.
  [[nodiscard]] std::string take(const std::string& name, CThing thing);
  // Is it a type's?
  [[nodiscard]] bool has_type(const std::string& name) const;

 private:
  std::map<std::string, CThing> taken_;
};

}  // namespace komuz::backend
