// SPDX-License-Identifier: Apache-2.0
// The door of services/simplify/: the text of a program in, the text of one that does the same and is shorter out, as
// a person would have written it. `komuz fill` and its like write variants of sketches by it.
//
// For all arguments both programs give the same value, to the bit, or end in a trap of the same kind, and take the same
// fuel: each rewriting keeps all three. The place of a trap may differ. Functions of the program are rewritten, and keep
// their names and heads; everything else, and all comments, stay. Free holes stay, too.
//
//   Draft     the front end's tree, which may be changed, and its text (draft.h)
//   Facts     what is known of each value: may it trap, which constant is it, can it be -0.0 (facts.h)
//   rules     rules.def: expressions; statements.h: `let`s and blocks
//   proof     what comes of it is compiled, and compared with what was meant (check_text.h)
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "lang/library.h"

namespace komuz::services {

// Longer texts are left as they are: this one takes half a second.
inline constexpr size_t kMostSimplified = size_t{1} << 18;

struct Simplified {
  std::string text;  // formatted; the text as it was given, if `why_not` says something
  // Of the formatted texts. There are never more.
  u32 tokens_before = 0, tokens_after = 0;
  u32 rewritings = 0;   // how many were made
  std::string why_not;  // why nothing was tried, or why what came of it was not taken; else empty
};

// To rounding, numbers that do one thing become one number (rounding_rules.def): values are the same but for rounding, and where an
// intermediate one overflows.
enum class Exactness : u8 { ToTheBit, ToRounding };

// `library`: the modules that the program uses; they are loaded before. Knows neither files nor terminals.
[[nodiscard]] Simplified simplify(std::string_view program, const Library* library = nullptr,
                                  Exactness exactness = Exactness::ToTheBit);

// The text of it, or, where it cannot be simplified, the program itself, formatted if it can be.
[[nodiscard]] std::string simplified_text(const std::string& program,
                                          const Library* library = nullptr,
                                          Exactness exactness = Exactness::ToTheBit);

}  // namespace komuz::services
