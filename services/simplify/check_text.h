// SPDX-License-Identifier: Apache-2.0
// What is asked of a text before it takes the place of another one.
#pragma once
#include "services/simplify/draft.h"

namespace komuz::services {

// The comments of a text, in order, without the blanks around them.
[[nodiscard]] std::vector<std::string_view> comments_of(const Analysis& analysis);
// Has the second text a warning or note that the first one has not, or one more often?
[[nodiscard]] bool says_more(const Analysis& before, const Analysis& after);
// The literals of the draft that the text gives another type, by their numbers. Nothing: the text does not say what the
// draft means.
[[nodiscard]] std::optional<std::vector<u32>> retyped_literals(const Draft& meant,
                                                               const Draft& read);

}  // namespace komuz::services
