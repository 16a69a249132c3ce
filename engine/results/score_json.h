// SPDX-License-Identifier: Apache-2.0
// Scores as JSON: a number or null, so that readers find one type. A value that JSON cannot express as a number has a
// text in a second field. Not part of the engine's door.
#pragma once
#include <cmath>
#include <span>
#include <string_view>

#include "engine/support/json_object.h"

namespace komuz::engine {

inline constexpr std::string_view kInfiniteText = "inf", kNegativeInfiniteText = "-inf";

// Writes a fraction or an exponent even for an integral value: a reader that takes a column's type from its first
// rows would take 2 for an integer, and later round 0.5.
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
// "inf" or "-inf"; null if the score is finite or a NaN, which means no score.
inline void append_score_text(std::string& out, f64 score) {
  if (std::isinf(score))
    append_json_string(out, score > 0 ? kInfiniteText : kNegativeInfiniteText);
  else
    out += "null";
}

// Writes both fields. A NaN means that there is no score.
inline void write_score(Fields& fields, f64 score) {
  append_score(fields.field("score"), score);
  append_score_text(fields.field("score_text"), score);
}

}  // namespace komuz::engine
