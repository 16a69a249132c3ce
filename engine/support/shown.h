// SPDX-License-Identifier: Apache-2.0
// What messages show of an input: pieces of its text, words for a shell, and the names that exist.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace komuz::engine {

// The text in backquotes, for a message, which stays on its line: cut where it is long, never inside a character.
[[nodiscard]] std::string shown(std::string_view text);

// The text as a word of a command that is to be copied into a shell.
[[nodiscard]] std::string shell_word(std::string_view text);

// A list of the names that exist, for an unknown name: ", but `a`, `b` and `c`", cut if there are many; empty if
// there are none.
[[nodiscard]] std::string names_there_are(std::span<const std::string_view> names);
// "did you mean `speed`?"; if no name is near, other advice.
[[nodiscard]] std::string near_name(std::string_view name, std::span<const std::string_view> names,
                                    std::string otherwise);

}  // namespace komuz::engine
