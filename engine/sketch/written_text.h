// SPDX-License-Identifier: Apache-2.0
// A text that grows at its end, in a list of bytes of any kind, with the questions that writing a variant asks about
// it.
#pragma once
#include <cstring>
#include <string>
#include <string_view>

#include "base/rows.h"

namespace komuz::engine {

HD bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// False: the list has no room for so many more.
template <class Byte, class From>
[[nodiscard]] HD bool append_bytes(Rows<Byte>& list, const From* more, u32 count) {
  static_assert(sizeof(Byte) == 1 && sizeof(From) == 1);
  if (!has_room(list, count)) return false;
  if (count != 0) std::memcpy(list.data() + list.size(), more, count);
  list = Rows<Byte>(list.data(), static_cast<u32>(list.capacity()),
                    static_cast<u32>(list.size()) + count);
  return true;
}
template <class Byte, class From>
[[nodiscard]] bool append_bytes(std::vector<Byte>& list, const From* more, u32 count) {
  static_assert(sizeof(Byte) == 1 && sizeof(From) == 1);
  list.insert(list.end(), more, more + count);
  return true;
}
[[nodiscard]] inline bool append_bytes(std::string& list, const char* more, u32 count) {
  list.append(more, count);
  return true;
}

// For callers that want no places.
struct NoPlaces {
  HD void clear() {}
  HD void note(u32, u32, bool) {}
  HD void open_argument(u32) {}
  HD void take_arguments(u32) {}
  HD void append_argument(u32, u32) {}
};

template <class Out, class Places>
class WrittenText {
 public:
  HD WrittenText(Out& out, Places& places) : out_(out), places_(places) {
    out_.clear();
    places_.clear();
  }

  // False once something had no room.
  bool fits = true;
  // From here on the output is a text of its own.
  u32 begin = 0;

  HD void append(const char* text, u32 size) { fits = fits && append_bytes(out_, text, size); }
  HD void append(char c) { append(&c, 1); }
  template <size_t kSize>
  HD void append(const char (&literal)[kSize]) {
    append(literal, kSize - 1);
  }
  HD void append_number(u32 number) {
    char digits[10];
    u32 at = sizeof digits;
    do {
      digits[--at] = static_cast<char>('0' + number % 10);
    } while ((number /= 10) != 0);
    append(digits + at, static_cast<u32>(sizeof digits) - at);
  }

  // The following text stands for that place in the sketch. `is_copied`: byte for byte.
  HD void note_place(u32 source, bool is_copied) { places_.note(size(), source, is_copied); }

  // True if a following word would run into the text.
  [[nodiscard]] HD bool touches_word() const {
    return size() > begin && is_word(static_cast<char>(out_[size() - 1]));
  }
  // True if the following text is the first on its line.
  [[nodiscard]] HD bool starts_line() const {
    u32 at = size();
    while (at > begin && is_blank(static_cast<char>(out_[at - 1]))) --at;
    return at > begin && out_[at - 1] == '\n';
  }

  [[nodiscard]] HD u32 size() const { return static_cast<u32>(out_.size()); }
  [[nodiscard]] HD auto* data() { return out_.data(); }
  HD void cut_off(u32 size) { out_.resize(size); }
  [[nodiscard]] HD Places& places() { return places_; }

 private:
  HD static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

  Out& out_;
  Places& places_;
};

}  // namespace komuz::engine
