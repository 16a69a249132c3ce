// SPDX-License-Identifier: Apache-2.0
#include "lang/types.h"

#include <vector>

namespace komuz {

size_t skip_type(std::string_view codes, size_t at) {
  const size_t no_type = codes.size() + 1;
  // Prefix order needs no stack: a tuple's elements stand next in line with whatever is still owed.
  for (u64 owed = 1; owed > 0; --owed) {
    if (at >= codes.size()) return no_type;
    const u8 code = static_cast<u8>(codes[at++]);
    if (code == kTupleCode) {
      if (at >= codes.size()) return no_type;
      owed += static_cast<u8>(codes[at++]);
    } else if (code == 0 || code >= kScalarCount) {
      return no_type;
    }
  }
  return at;
}

std::string type_text(std::string_view codes) {
  if (skip_type(codes, 0) != codes.size()) return "?";
  struct OpenTuple {
    u32 elements, left;
  };
  std::vector<OpenTuple> open;
  std::string text;
  for (size_t at = 0; at < codes.size();) {
    const u8 code = static_cast<u8>(codes[at++]);
    if (code == kTupleCode) {
      const u32 elements = static_cast<u8>(codes[at++]);
      text += '(';
      open.push_back({elements, elements});
    } else {
      text += scalar_name(static_cast<Scalar>(code));
      if (!open.empty()) --open.back().left;
    }
    while (!open.empty() && open.back().left == 0) {
      text += open.back().elements == 1 ? ",)" : ")";
      open.pop_back();
      if (!open.empty()) --open.back().left;
    }
    if (!open.empty() && open.back().left < open.back().elements) text += ", ";
  }
  return text;
}

}  // namespace komuz
