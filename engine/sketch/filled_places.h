// SPDX-License-Identifier: Apache-2.0
// The origin of each byte of a variant's text, as told by filling.h.
#pragma once
#include <vector>

#include "base/ints.h"

namespace komuz::engine {

class FilledPlaces {
 public:
  void clear();
  // The text from this offset on stands for that place in the sketch. `is_copied`: byte for byte.
  void note(u32 offset, u32 source, bool is_copied) {
    // A copy in several steps counts as one piece.
    const bool goes_on = is_copied && !pieces_.empty() && pieces_.back().is_copied &&
                         source - pieces_.back().source == offset - pieces_.back().begin;
    if (!goes_on) pieces_.push_back({offset, source, is_copied});
  }
  // The text of an argument begins.
  void open_argument(u32 offset);
  // The texts of so many arguments are written elsewhere, if at all.
  void take_arguments(u32 count);
  // Appends one of the arguments that were taken last.
  void append_argument(u32 argument, u32 offset);

  // The origin of a byte of the text: its place in the sketch, or the hole that it stands for.
  [[nodiscard]] u32 place_in_sketch(u32 offset) const;
  // A hash of what the text is made of, equal for texts that differ in points of grids alone.
  [[nodiscard]] u64 shape() const;
  // The offset in the text of a byte of the program's own text, which is in no hole.
  [[nodiscard]] u32 offset_of(u32 place) const;

 private:
  struct Piece {
    u32 begin, source;
    bool is_copied;
  };
  struct Argument {
    u32 begin;        // of its text
    u32 first_piece;  // in pieces_; for taken arguments, in taken_pieces_
  };
  std::vector<Piece> pieces_, taken_pieces_;
  std::vector<Argument> arguments_, taken_;
};

}  // namespace komuz::engine
