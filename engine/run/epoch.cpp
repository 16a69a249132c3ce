// SPDX-License-Identifier: Apache-2.0
#include "engine/run/epoch.h"

namespace komuz::engine {

bool Epoch::make_slots(const std::stop_token& stop) {
  constexpr size_t kStep = 4096;
  const size_t count = size();
  slots_.reserve(count);
  while (slots_.size() < count) {
    if (stop.stop_requested()) return false;
    slots_.resize(std::min(count, slots_.size() + kStep));
  }
  return true;
}

bool Epoch::is_duplicate(const frontend::TextHash& program, u32 i) {
  slots_[i].program = program;
  if (program == frontend::TextHash{}) return false;
  const SharedIdentities::Inserted inserted = identities_->insert(program, row(i));
  slots_[i].identity = inserted.place;
  return inserted.first != row(i);
}

}  // namespace komuz::engine
