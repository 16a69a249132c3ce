// SPDX-License-Identifier: Apache-2.0
// The formatter's document: words, their separators, and stretches whose lines break together. It is the input of a
// pretty printer in the manner of Oppen (Prettyprinting, TOPLAS 1980) and Wadler.
//
// Positions: 2w is the separator before word w, 2w + 1 the word; the last separator is at the file's end. A stretch
// is named by its first and its last position. A separator belongs to the innermost group around it.
#pragma once
#include <string_view>
#include <vector>

#include "services/format/comments.h"

namespace komuz::services {

enum class SeparatorKind : u8 {
  None,
  Space,
  Soft,       // nothing, or a line end
  SoftSpace,  // a space, or a line end
  Hard,       // a line end
};
enum class CommaKind : u8 { None, IfBroken, Always };

struct Separator {
  SeparatorKind kind = SeparatorKind::None;
  CommaKind comma = CommaKind::None;   // written before it
  bool semicolon = false;              // written before it
  bool blank_line = false;             // with an empty line
  bool opens = false, closes = false;  // it is behind an opening, before a closing bracket
  bool hands_comments_on = false;  // comments that end a line move to the next possible line end
};

struct Word {
  std::string_view text;
  u32 width = 0;  // columns
};

enum class GroupKind : u8 {
  Fits,   // breaks everywhere, or nowhere if it fits
  Hug,    // the same; but if all before its last part's opening bracket fits, only that part breaks
  First,  // breaks at its beginning, if the text up to the next break does not fit
  Fill,   // breaks where a line is full
};
struct Group {
  u32 from, to;
  GroupKind kind;
  u32 hug_end = 0;  // last position of the part that must fit; 0: nothing can be hugged
};
// Lines that begin in it are indented if its group breaks.
struct Indent {
  u32 from, to;
  u32 group;
};

// Comments to be printed at a separator.
struct PlacedComments {
  std::vector<Comment> comments;
  bool blank_behind = false;
};

struct Document {
  std::vector<Word> words;
  std::vector<Separator> separators;     // one more than words
  std::vector<PlacedComments> comments;  // by separator
  std::vector<Group> groups;
  std::vector<Indent> indents;
};

inline constexpr u32 kLineWidth = 100, kIndentWidth = 4;
// Deeper levels are not indented further: a text may nest a thousand levels deep, and each of its lines would be that
// long.
inline constexpr u32 kMostIndent = 32 * kIndentWidth;

[[nodiscard]] std::string print_document(Document document);

}  // namespace komuz::services
