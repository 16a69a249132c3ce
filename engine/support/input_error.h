// SPDX-License-Identifier: Apache-2.0
// What is wrong with an input, and where. Doors of the engine return one of these or nothing.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/ints.h"

namespace komuz::engine {

struct InputError {
  std::string file;
  u64 line = 0;    // from 1; 0: the input as a whole
  u64 column = 0;  // a byte of the line, from 1; 0: the line as a whole
  std::string message;
  std::string remedy;         // what the user can do; empty if nothing can be said
  bool is_of_device = false;  // the GPU failed; nothing is wrong with the input
  bool is_of_option = false;  // nor here: an option names what the file does not have
  bool is_stop = false;       // nor here: who waits has asked for an end

  // One line: "cases.csv:3:7: message; remedy".
  [[nodiscard]] std::string text() const;
};

// The text in backquotes, for a message: cut where it is long, never inside a character.
[[nodiscard]] std::string shown(std::string_view text);

// The text as a word of a command that is to be copied into a shell.
[[nodiscard]] std::string shell_word(std::string_view text);

// What there is in place of a name that is not: ", but `a`, `b` and `c`", cut where they are many; empty: there is nothing.
[[nodiscard]] std::string names_there_are(std::span<const std::string_view> names);
// "did you mean `speed`?"; where nothing is near, what else can be done.
[[nodiscard]] std::string near_name(std::string_view name, std::span<const std::string_view> names,
                                    std::string otherwise);

// Nothing: all is well.
using Problem = std::optional<InputError>;

// Of what was cut short because a stop was requested.
[[nodiscard]] InputError stopped();

// What a device says of itself; nothing where it says nothing.
[[nodiscard]] Problem device_error(std::string problem);

}  // namespace komuz::engine
