// SPDX-License-Identifier: Apache-2.0
// The commands of a session, with a row for each, which the help reads.
#pragma once
#include <span>
#include <string_view>

#include "repl/commands.h"

namespace komuz::repl {

struct CommandRow {
  // The groups of `:help`, with a SectionRow for each.
  enum class Section : u8 { Session, Files, Language, Compiler, Table, Runs, Ranking };

  std::string_view name, words, summary, example;
  Answer (Commands::*run)(const Input& words);
  Section section = Section::Session;
  std::string_view more = {};    // sentences for the help on this command
  std::string_view others = {};  // names of the same command elsewhere, separated by blanks

  // In the order of their sections.
  static std::span<const CommandRow> all();
  // Null: there is none of that name.
  static const CommandRow* find(std::string_view name);
};

struct SectionRow {
  CommandRow::Section section;
  std::string_view name, summary;

  static std::span<const SectionRow> all();
  static const SectionRow* find(std::string_view name);
};

}  // namespace komuz::repl
