// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/findings/habits/refine_grids.h"

#include <algorithm>

#include "mend/habits/from_grids.h"
#include "mend/source_text.h"

namespace komuz::frontend {

namespace {

// True for the parentheses behind a hole.
bool is_of_hole(const Columns& c, Index open) {
  return open != kNone && open != 0 && token_at(c, open) == Token::LParen &&
         (token_at(c, i64{open} - 1) == Token::Hole ||
          (token_at(c, i64{open} - 2) == Token::Hole && touches_next(c, i64{open} - 2)));
}

}  // namespace

bool refine_grid(const Columns& c, Index node, Diagnostic& row) {
  const Index open = c.token[node];
  const Index close = is_of_hole(c, open) ? closer_of(c, open) : kNone;
  if (close == kNone) return false;
  for (Index t = open + 1; t < close; ++t)
    if (token_at(c, t) == Token::Comma) return false;
  move_to(c, row, open + 1, close - 1);
  return true;
}

bool refine_grid_word(const Columns& c, Index t, Diagnostic& row) {
  if (std::ranges::find(kGridWords, text_of(c, t)) == std::end(kGridWords)) return false;
  const Index open = opener_of(c, t);
  const Index close = is_of_hole(c, open) ? closer_of(c, open) : kNone;
  if (close == kNone) return false;
  const u32 begin = end_of(c, open), end = c.token_start[close];
  const bool is_whole = row.code() == DiagnosticCode::GridIntegers ||
                        has_integer_ends(between(source_of(c), begin, end));
  become(row, is_whole ? DiagnosticCode::GridIntegers : DiagnosticCode::GridComma, begin, end);
  move_to(c, row, t, t);
  return true;
}

}  // namespace komuz::frontend
