// SPDX-License-Identifier: Apache-2.0
// What a text means, name by name: taken before and after an edit that should change no meaning, and compared.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "services/editor/name_uses.h"

namespace komuz::services {

struct TextMeaning {
  struct Name {
    u32 begin = 0;                     // bytes of the text
    Symbol symbol;                     // of a name of the text itself, or a built-in one
    std::optional<SharedName> shared;  // of a name of a module
  };
  struct Finding {
    DiagnosticCode code = DiagnosticCode::None;
    u32 begin = 0;
    std::string message;
  };
  std::vector<u32> nodes;  // kind and context of each
  std::vector<Name> names;
  std::vector<Finding> findings;
  // The first name spelled so whose meaning nobody knows, since its item is broken.
  std::optional<u32> unclear;
};
// `spelled`: the name that must be clear wherever it stands.
[[nodiscard]] TextMeaning read_meaning(const Analysis& analysis, std::string_view spelled);

// Where an edit changed a meaning, and why; bytes of the text after it.
struct MeaningChange {
  u32 begin = 0;
  std::string finding;  // a message that is new; empty: a name means something else
};
// `place`: where a byte of the text before is afterwards. `renamed`: what a module's name is called afterwards.
[[nodiscard]] std::optional<MeaningChange> find_change(
    const TextMeaning& before, const TextMeaning& after, const std::function<u32(u32)>& place,
    const std::function<SharedName(SharedName)>& renamed);

}  // namespace komuz::services
