// SPDX-License-Identifier: Apache-2.0
// "Did you mean": the nearest word of a list.
#pragma once
#include <span>
#include <string_view>

namespace komuz {

// A word that differs only in capitals is nearest. Empty if no word is near: more than a third of the letters (plus
// one), or all of them, would have to change.
[[nodiscard]] std::string_view nearest_word(std::string_view word,
                                            std::span<const std::string_view> choices);

// Letters to insert, delete or change, or to swap with their neighbour.
[[nodiscard]] size_t letters_apart(std::string_view a, std::string_view b);

}  // namespace komuz
