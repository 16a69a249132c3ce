// SPDX-License-Identifier: Apache-2.0
// Expressions of a text as refactorings see them: where they are, what they use, where they need parentheses; and
// names that are free.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "services/analysis.h"

namespace komuz::services {

struct Expression {
  frontend::Index node = frontend::kNone;
  u32 begin = 0, end = 0;  // bytes of the text
  std::string type;        // as a program writes it
};
// What is left of the bytes [begin, end) of a text without the blanks at both ends.
[[nodiscard]] std::pair<u32, u32> without_blanks(std::string_view text, u32 begin, u32 end);
// The one that fills [begin, end) but for blanks. Nothing: none does, or it has no value, or an error.
[[nodiscard]] std::optional<Expression> expression_at(const Analysis& analysis, u32 begin, u32 end);
// That of a node, on the same conditions.
[[nodiscard]] std::optional<Expression> expression_of(const Analysis& analysis,
                                                      frontend::Index node);
// The node of the token around a byte; kNone: there is none.
[[nodiscard]] frontend::Index node_around(const Analysis& analysis, u32 byte);

[[nodiscard]] std::string_view text_of(const Analysis& analysis, const Expression& expression);
// True if it keeps its parts together wherever it stands: a name, a call, parentheses.
[[nodiscard]] bool is_whole(const Analysis& analysis, const Expression& expression);
// True if a comment stands between its tokens.
[[nodiscard]] bool has_comment(const Analysis& analysis, u32 begin, u32 end);

// Bindings of variables outside of the expression that it uses, in the order of their first uses.
[[nodiscard]] std::vector<u32> used_variables(const Analysis& analysis,
                                              const Expression& expression);
// True if it leaves the function or a loop around it, or has a hole.
[[nodiscard]] bool has_jump(const Analysis& analysis, const Expression& expression);
[[nodiscard]] bool has_hole(const Analysis& analysis, const Expression& expression);

// `name`, else `name2`, `name3`, …: one that no token of the text spells.
[[nodiscard]] std::string free_name(const Analysis& analysis, std::string_view name);

}  // namespace komuz::services
