// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/filled_places.h"

#include <algorithm>

#include "base/hash.h"

namespace komuz::engine {

void FilledPlaces::clear() {
  pieces_.clear();
  arguments_.clear();
}

void FilledPlaces::open_argument(u32 offset) {
  arguments_.push_back({offset, static_cast<u32>(pieces_.size())});
}

void FilledPlaces::take_arguments(u32 count) {
  const size_t first = arguments_.size() - count;
  taken_.assign(arguments_.begin() + static_cast<i64>(first), arguments_.end());
  arguments_.resize(first);
  if (count == 0) return;
  const u32 first_piece = taken_[0].first_piece;
  taken_pieces_.assign(pieces_.begin() + first_piece, pieces_.end());
  pieces_.resize(first_piece);
  for (Argument& argument : taken_) argument.first_piece -= first_piece;
}

void FilledPlaces::append_argument(u32 argument, u32 offset) {
  const size_t end =
      argument + 1 < taken_.size() ? taken_[argument + 1].first_piece : taken_pieces_.size();
  for (size_t k = taken_[argument].first_piece; k < end; ++k) {
    const Piece& piece = taken_pieces_[k];
    pieces_.push_back(
        {piece.begin - taken_[argument].begin + offset, piece.source, piece.is_copied});
  }
}

u32 FilledPlaces::place_in_sketch(u32 offset) const {
  const auto behind = std::ranges::upper_bound(pieces_, offset, {}, &Piece::begin);
  if (behind == pieces_.begin()) return 0;
  const Piece& piece = *std::prev(behind);
  return piece.is_copied ? piece.source + (offset - piece.begin) : piece.source;
}

u64 FilledPlaces::shape() const {
  u64 hash = pieces_.size();
  for (const Piece& piece : pieces_) hash = (hash ^ piece.source) * 0x9FB2'1C65'1E98'DF25u;
  return fold_multiply(hash ^ 0xA076'1D64'78BD'642Fu, 0xE703'7ED1'A0B4'28DBu);
}

// Text behind a copied piece that has no piece of its own seems to be part of the copied one. So of all pieces that
// seem to hold the byte, the one that begins nearest to it counts.
u32 FilledPlaces::offset_of(u32 place) const {
  const Piece* nearest = nullptr;
  for (const Piece& piece : pieces_) {
    const u32 end = &piece == &pieces_.back() ? ~0u : (&piece + 1)->begin;
    const bool may_hold =
        piece.is_copied && piece.source <= place && place - piece.source < end - piece.begin;
    if (may_hold && (nearest == nullptr || nearest->source < piece.source)) nearest = &piece;
  }
  return nearest == nullptr ? 0 : nearest->begin + (place - nearest->source);
}

}  // namespace komuz::engine
