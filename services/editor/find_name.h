// SPDX-License-Identifier: Apache-2.0
// The name at a place of a text, and all names of the text that mean the same, in its examples, too. Only items that
// spell the name are compiled (item_tokens.h), so that many texts can be asked.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/problem.h"
#include "services/editor/item_tokens.h"
#include "services/editor/name_uses.h"

namespace komuz::services {

struct FoundName {
  u32 begin = 0, end = 0;  // the name at the place, bytes of the text
  std::string name;
  std::vector<NameUse> uses;
  // What other texts know it by; nothing: it is a name of this text alone, or no text defines it.
  std::optional<SharedName> shared;
  bool is_shown = false;  // other texts may use it
  bool is_linked =
      false;      // a parameter's name, or that of a hole: all of its uses are near each other
  Problem fixed;  // why it can have no other name
  // It is a function of a harness that candidates define. Then it is fixed for who does not know them all.
  bool is_open = false;
};
// `library`: the modules that the text names. Nothing: no name that means something is there.
[[nodiscard]] std::optional<FoundName> find_name(std::string_view text, const Library& library,
                                                 u32 place);
// The names of a text that mean one of these, in the order of the text. `kept`: what of it names them. `analysis`:
// one with examples as tests, for any number of texts that find the same modules.
[[nodiscard]] std::vector<NameUse> find_uses(const KeptText& kept, Analysis& analysis,
                                             const std::vector<SharedName>& names);

}  // namespace komuz::services
