// SPDX-License-Identifier: Apache-2.0
// The commands of a session, a row each, which the help reads.
#pragma once
#include <span>
#include <string_view>

#include "repl/commands.h"

namespace komuz::repl {

struct CommandRow {
  enum class Section : u8 { Session, Looking, Variants };

  std::string_view name, words, summary, example;
  Answer (Commands::*run)(const Input& words);
  Section section = Section::Session;
  std::string_view more = {};  // sentences for who asks for help on it

  // In the order of their sections.
  static std::span<const CommandRow> all();
  // Null: there is none of that name.
  static const CommandRow* find(std::string_view name);
};

}  // namespace komuz::repl
