// SPDX-License-Identifier: Apache-2.0
// Scores as JSON: a number or null, so that readers find one type. What no number of JSON is has a text in a field beside it.
// Not part of the engine's door.
#pragma once
#include <cmath>
#include <span>
#include <string_view>

#include "engine/support/json_object.h"

namespace komuz::engine {

inline constexpr std::string_view kInfiniteText = "inf", kNegativeInfiniteText = "-inf";

// With a fraction or an exponent, also where it is integral: who looks at some rows for the type of a column takes 2 for an
// integer, and would round 0.5 further down.
inline void append_score(std::string& out, f64 score) {
  if (!std::isfinite(score)) {
    out += "null";
    return;
  }
  const size_t begin = out.size();
  append_json_number(out, score);
  if (std::string_view(out).substr(begin).find_first_of(".e") == std::string_view::npos)
    out += ".0";
}
// "inf" or "-inf"; null where the score is a number, or a NaN, which is none.
inline void append_score_text(std::string& out, f64 score) {
  if (std::isinf(score))
    append_json_string(out, score > 0 ? kInfiniteText : kNegativeInfiniteText);
  else
    out += "null";
}

// The two fields. A NaN: there is no score.
inline void write_score(Fields& fields, f64 score) {
  append_score(fields.field("score"), score);
  append_score_text(fields.field("score_text"), score);
}

}  // namespace komuz::engine
