// SPDX-License-Identifier: Apache-2.0
#include "engine/cases/case_columns.h"

#include <cstring>

namespace komuz::engine {

CaseColumns::CaseColumns(std::span<const u8> slot_types) : memory_(slot_types.size()) {
  for (const u8 type : slot_types) columns_.push_back({static_cast<Scalar>(type), nullptr});
}

void CaseColumns::add(std::span<const u64> cells) {
  for (size_t p = 0; p < columns_.size(); ++p) {
    const size_t size = scalar_bytes(columns_[p].type), at = size * count_;
    if (memory_[p].size() * sizeof(Line) < at + size) memory_[p].push_back({});
    std::memcpy(reinterpret_cast<u8*>(memory_[p].data()) + at, &cells[p], size);
  }
  ++count_;
}

CasesView CaseColumns::view() {
  for (size_t p = 0; p < columns_.size(); ++p) columns_[p].data = memory_[p].data();
  return {columns_, count_};
}

}  // namespace komuz::engine
