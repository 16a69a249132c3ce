// SPDX-License-Identifier: Apache-2.0
// The head of a function that a harness wants, as its candidate wrote it, perhaps in another language's form.
#pragma once
#include <optional>
#include <string_view>

#include "mend/mend.h"

namespace komuz {

// `def priority(job, now) -> float`: places in the source.
struct FunctionHead {
  u32 keyword = 0, name = 0;
  u32 end = 0;  // behind the result's type, or behind the parentheses if there is none
};
// The head of the first function with a name.
[[nodiscard]] std::optional<FunctionHead> find_head(std::string_view source, std::string_view name);

// Gives the head whose name ends at a place the types of a signature, `pub fn f(job: Job) -> f64`. The names of its
// parameters stay. Nothing if their number differs, or they seem to be in another order.
[[nodiscard]] std::optional<Edit> head_edit(u32 name_end, std::string_view signature,
                                            std::string_view source);

}  // namespace komuz
