// SPDX-License-Identifier: Apache-2.0
// A fault of an input, and its place. Doors of the engine return a fault or nothing.
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
  bool is_of_option = false;  // nor here: an option names something that the file lacks
  bool is_stop = false;       // nor here: the caller requested a stop

  // One line: "cases.csv:3:7: message; remedy".
  [[nodiscard]] std::string text() const;
};

// The text in backquotes, for a message: cut where it is long, never inside a character.
[[nodiscard]] std::string shown(std::string_view text);

// The text as a word of a command that is to be copied into a shell.
[[nodiscard]] std::string shell_word(std::string_view text);

// A list of the names that exist, for an unknown name: ", but `a`, `b` and `c`", cut if there are many; empty if
// there are none.
[[nodiscard]] std::string names_there_are(std::span<const std::string_view> names);
// "did you mean `speed`?"; if no name is near, other advice.
[[nodiscard]] std::string near_name(std::string_view name, std::span<const std::string_view> names,
                                    std::string otherwise);

// Nothing means success.
using Problem = std::optional<InputError>;

// The error of work that a requested stop interrupted.
[[nodiscard]] InputError stopped();

// A device's own message; nothing if the message is empty.
[[nodiscard]] Problem device_error(std::string problem);

}  // namespace komuz::engine
