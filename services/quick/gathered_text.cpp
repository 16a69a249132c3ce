// SPDX-License-Identifier: Apache-2.0
#include "services/quick/gathered_text.h"

#include <algorithm>

namespace komuz::services {

void GatheredText::begin_piece() {
  const auto byte = static_cast<u32>(text_.size());
  const bool goes_on = !pieces_.empty() && at_ - pieces_.back().place == byte - pieces_.back().byte;
  if (!goes_on) pieces_.push_back({byte, at_});
}
void GatheredText::keep(u32 end) {
  if (end <= at_) return;
  begin_piece();
  text_.append(whole_, at_, end - at_);
  at_ = end;
}
void GatheredText::leave_out(u32 end) {
  if (end <= at_) return;
  begin_piece();
  text_.append(how_ == LeftOut::Blank ? end - at_ : 1, '\t');
  at_ = end;
}
void GatheredText::replace(u32 end, std::string_view words) {
  begin_piece();
  text_ += words;
  if (how_ == LeftOut::Blank) text_.append(end - at_ - words.size(), ' ');
  at_ = end;
}

u32 GatheredText::place_of(u32 byte) const {
  const auto size = static_cast<u32>(text_.size());
  if (byte >= size) return static_cast<u32>(whole_.size()) + (byte - size);
  const auto behind = std::ranges::upper_bound(pieces_, byte, {}, &Piece::byte);
  const Piece& piece = *std::prev(behind);
  return piece.place + (byte - piece.byte);
}
u32 GatheredText::byte_of(u32 place) const {
  const auto behind = std::ranges::upper_bound(pieces_, place, {}, &Piece::place);
  if (behind == pieces_.begin()) return place;
  const Piece& piece = *std::prev(behind);
  return piece.byte + (place - piece.place);
}

}  // namespace komuz::services
