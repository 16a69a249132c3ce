// SPDX-License-Identifier: Apache-2.0
// The replacements of a space's names in an expression from it (filling.h).
#pragma once
#include "engine/sketch/fill_tables.h"
#include "engine/sketch/written_text.h"

namespace komuz::engine {

enum class StandsFor : u8 { Itself, Text, TextInBrackets, FreshName };
// The replacement of a parameter or a constant.
struct FilledArgument {
  SketchSpan text;           // of an argument, if those are kept
  u32 name = 0, number = 0;  // of the fresh name
  StandsFor stands = StandsFor::Itself;
  bool is_bound = false;  // by a `let`
};

// True for the name of a variable. Names of constants may stand for literals, whose types are open: a name with a capital is that of a
// variable only if the sketch says so.
[[nodiscard]] HD bool is_variable(std::span<const char> text, bool is_local) {
  if (text.empty()) return false;
  const bool has_capital = text[0] >= 'A' && text[0] <= 'Z';
  bool is_one = (text[0] >= 'a' && text[0] <= 'z') || text[0] == '_' || (is_local && has_capital);
  for (size_t at = 0; at < text.size() && is_one; ++at) is_one = is_word(text[at]);
  return is_one;
}

// Decides which arguments a `let` binds, and returns their number. A variable is written in place of its parameter.
// Anything else is bound by a `let`, as it must be evaluated once. A variable is bound, too, if the space binds names
// that could hide it, or a block among the arguments could change it. A slice cannot be kept by a `let`: its text
// replaces the parameter. The texts are in `apart`, from `begin` on. `first_argument`: as the hole has it.
[[nodiscard]] HD u32 choose_bound(const FillTables& tables, const FillTables::Space& space,
                                  u32 first_argument, std::span<const char> apart, u32 begin,
                                  FilledArgument* arguments) {
  bool has_blocks = false;
  for (size_t at = begin; at < apart.size(); ++at) has_blocks |= apart[at] == '{';
  const FillTables::Name* const names = tables.names.data() + space.first_name;
  u32 bound = 0;
  for (u32 k = 0; k < space.parameters; ++k) {
    FilledArgument& argument = arguments[k];
    const bool is_name =
        is_variable({apart.data() + argument.text.begin, argument.text.end - argument.text.begin},
                    tables.are_locals[first_argument + k] != 0);
    argument.is_bound = !names[k].is_slice && (!is_name || space.has_binders || has_blocks);
    argument.stands = argument.is_bound ? StandsFor::Itself
                      : is_name         ? StandsFor::Text
                                        : StandsFor::TextInBrackets;
    bound += argument.is_bound;
  }
  return bound;
}

// True if a `let` of a parameter's own name would hide a variable that replaces another parameter.
[[nodiscard]] HD bool hides_any(const FillTables& tables, const FillTables::Space& space,
                                const char* apart, const FilledArgument* arguments) {
  const auto has_text = [&](const FilledArgument& argument, SketchSpan name) {
    const u32 size = name.end - name.begin;
    bool is_same = argument.text.end - argument.text.begin == size;
    for (u32 k = 0; k < size && is_same; ++k)
      is_same = apart[argument.text.begin + k] == tables.text[name.begin + k];
    return is_same;
  };
  const FillTables::Name* const names = tables.names.data() + space.first_name;
  for (u32 k = 0; k < space.parameters; ++k)
    for (u32 other = 0; other < space.parameters && !arguments[k].is_bound; ++other)
      if (arguments[other].is_bound && has_text(arguments[k], names[other].text)) return true;
  return false;
}

}  // namespace komuz::engine
