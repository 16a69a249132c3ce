// SPDX-License-Identifier: Apache-2.0
// Where places of a text are in what became of it: one edit lies between what both begin and end with.
#pragma once
#include <optional>
#include <string_view>

#include "lsp/text/positions.h"

namespace komuz::lsp {

class MovedPlaces {
 public:
  MovedPlaces(std::string_view before, std::string_view after);
  // Nothing: the edit touches the range.
  [[nodiscard]] std::optional<ByteRange> find(ByteRange range) const;

 private:
  u32 begin_ = 0, end_ = 0;  // of what was replaced
  i64 shift_ = 0;            // of what stands behind it
};

}  // namespace komuz::lsp
