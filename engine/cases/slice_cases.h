// SPDX-License-Identifier: Apache-2.0
// Cases hold the slices that an entry takes as lists. Each list has room for the longest one of any case, whose
// length follows from the texts.
#pragma once
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "engine/values/value_text.h"

namespace komuz::engine {

[[nodiscard]] bool has_slices(std::string_view type_code);

// The type of a parameter as cases hold it. After a stop the type is meaningless.
struct CaseType {
  std::string code;  // the parameter's, with lists for slices
  // The fault of the text number `text`, if it has one.
  std::optional<ValueError> error;
  size_t text = 0;
};
[[nodiscard]] CaseType case_type(std::string_view parameter_type,
                                 std::span<const std::string_view> texts, ValueStyle style,
                                 const std::stop_token& stop = {});

}  // namespace komuz::engine
