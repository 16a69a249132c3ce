// SPDX-License-Identifier: Apache-2.0
// What messages show of an input: pieces of its text, words for a shell, and the names that there are.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace komuz::engine {

// The text in backquotes, for a message: cut where it is long, never inside a character.
[[nodiscard]] std::string shown(std::string_view text);

// The text as a word of a command that is to be copied into a shell.
[[nodiscard]] std::string shell_word(std::string_view text);

// What there is in place of a name that is not: ", but `a`, `b` and `c`", cut where they are many; empty: there is nothing.
[[nodiscard]] std::string names_there_are(std::span<const std::string_view> names);
// "did you mean `speed`?"; where nothing is near, what else can be done.
[[nodiscard]] std::string near_name(std::string_view name, std::span<const std::string_view> names,
                                    std::string otherwise);

}  // namespace komuz::engine
