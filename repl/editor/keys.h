// SPDX-License-Identifier: Apache-2.0
// Converts bytes from a terminal to keys. libtermkey knows the sequences. A bracketed paste is one key, whatever it
// contains.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/ints.h"

struct TermKey;

namespace komuz::editor {

struct Key {
  enum class Kind : u8 {
    Text,   // a character
    Named,  // "Ctrl-A", "Alt-Enter", "Left": modifiers in this order, letters as capitals
    Paste,
  };
  Kind kind = Kind::Text;
  std::string text;
  u64 lost = 0;  // bytes that a paste exceeded the limit by
  bool operator==(const Key&) const = default;
};

class KeyReader {
 public:
  // `terminal`: from $TERM. Unknown terminals have the keys that all share.
  explicit KeyReader(const std::string& terminal);

  void add(std::string_view bytes, std::vector<Key>& keys);
  // True if waiting bytes may be a key, or begin one (Escape), or if a paste goes on. If no more come in a moment,
  // call `flush`.
  [[nodiscard]] bool is_waiting() const {
    return is_pasting_ ? !is_quiet_ : !held_.empty() || is_partial_;
  }
  void flush(std::vector<Key>& keys);
  // True if a paste has begun and not ended. If its end was lost, Ctrl-C ends it.
  [[nodiscard]] bool is_pasting() const { return is_pasting_; }

  // A text of this size takes half a second if it comes as keys.
  static constexpr size_t kMostPasted = size_t{4} << 20;

 private:
  // libtermkey crashes on some sequences that no key sends, and waits for the end of others. This changes them into
  // meaningless ones.
  [[nodiscard]] char tamed(char byte);
  char tamed_parameter(char byte);
  void push(std::string_view bytes, std::vector<Key>& keys);
  void take_keys(std::vector<Key>& keys);
  void add_pasted(std::string_view bytes);
  void take_paste(std::vector<Key>& keys);

  struct Free {
    void operator()(TermKey* reader) const;
  };
  std::unique_ptr<TermKey, Free> reader_;
  std::string held_;  // bytes not handled yet: perhaps the start of a paste's mark
  std::string paste_;
  u64 lost_ = 0;  // of the paste
  bool is_pasting_ = false;
  bool is_quiet_ = false;  // nothing of the paste came for a moment
  bool is_partial_ = false;
  // For `tamed`: behind ESC, or behind ESC [; and how many bytes of a character are still to come.
  enum class State : u8 { Ground, Escape, Sequence } state_ = State::Ground;
  u32 continuations_ = 0;
  // The digits of the sequence's present number, how many numbers precede it, and the first number.
  u32 digits_ = 0, parameters_ = 0, first_ = 0;
};

}  // namespace komuz::editor
