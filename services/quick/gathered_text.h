// SPDX-License-Identifier: Apache-2.0
// A text without the items that a question does not concern, so that an answer costs what those cost that are left. Each byte knows
// its place in the whole text:
//
//   the whole text           gathered
//   fn far() { … }           (a tab)
//   // Near.                 // Near.
//   fn near() { … }          fn near() { … }
//
// Where something is left out there is a tab: no bracket that is missing is written there (services/mend_text.h), as none is where
// the item stands.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/ints.h"

namespace komuz::services {

// What stands in the place of what is left out: tabs, so that all places stay what they are, or one.
enum class LeftOut : u8 { Blank, Gone };

class GatheredText {
 public:
  explicit GatheredText(std::string_view whole, LeftOut how) : whole_(whole), how_(how) {}

  // From the front of the whole text to its end: bytes up to there stay.
  void keep(u32 end);
  // … are left out.
  void leave_out(u32 end);
  // … are left out, and no fewer of them than these words have, which stand there.
  void replace(u32 end, std::string_view words);

  [[nodiscard]] const std::string& text() const { return text_; }
  // Are all places those of the whole text?
  [[nodiscard]] bool has_all_places() const { return pieces_.size() < 2; }
  // The place of a byte in the whole text; what stands behind one text stands behind the other.
  [[nodiscard]] u32 place_of(u32 byte) const;
  // Where the byte of a place has come to, if it was kept.
  [[nodiscard]] u32 byte_of(u32 place) const;

 private:
  // Begins with a byte of the text, and is a stretch of the whole text from a place on, or a tab.
  struct Piece {
    u32 byte = 0, place = 0;
  };
  void begin_piece();

  std::string_view whole_;
  LeftOut how_;
  u32 at_ = 0;  // so many bytes of the whole text are dealt with
  std::string text_;
  std::vector<Piece> pieces_;
};

}  // namespace komuz::services
