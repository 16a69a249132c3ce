// SPDX-License-Identifier: Apache-2.0
#include "backend/loaded_constants.h"

#include <algorithm>

namespace komuz::backend {
namespace {

// Calls body(first, count, type) for the constants of each instruction that has some.
template <class Body>
void for_each_use(const CodeView& code, Body body) {
  for (const Instruction& i : code.instructions) {
    if (i.op == Op::LoadConst) body(i.b, u32{1}, i.type);
    if (i.op == Op::LoadConsts) body(i.b, u32{i.a}, i.type);
  }
}

}  // namespace

std::vector<Scalar> loadable_types(const CodeView& code) {
  std::vector<Scalar> types(code.constants.size(), Scalar::None);
  std::vector<bool> has_several(code.constants.size(), false);
  for_each_use(code, [&](u32 first, u32 count, Scalar type) {
    for (u32 k = first; k < first + count; ++k) {
      if (types[k] != Scalar::None && types[k] != type) has_several[k] = true;
      types[k] = type;
    }
  });
  for (bool changes = true; changes;) {
    changes = false;
    for_each_use(code, [&](u32 first, u32 count, Scalar) {
      const auto begin = has_several.begin() + first, end = begin + count;
      const auto several = std::count(begin, end, true);
      if (several == 0 || several == count) return;
      std::fill(begin, end, true);
      changes = true;
    });
  }
  for (size_t k = 0; k < types.size(); ++k) {
    if (types[k] == Scalar::None) types[k] = Scalar::I64;
    if (has_several[k]) types[k] = Scalar::None;
  }
  return types;
}

void complete(const CodeView& code, std::vector<bool>& is_loaded) {
  for (bool changes = true; changes;) {
    changes = false;
    for_each_use(code, [&](u32 first, u32 count, Scalar) {
      const auto begin = is_loaded.begin() + first, end = begin + count;
      const auto loaded = std::count(begin, end, true);
      if (loaded == 0 || loaded == count) return;
      std::fill(begin, end, true);
      changes = true;
    });
  }
}

}  // namespace komuz::backend
