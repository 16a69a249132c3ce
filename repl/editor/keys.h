// SPDX-License-Identifier: Apache-2.0
// Bytes from a terminal as keys. Sequences are libtermkey's to know; a bracketed paste is one key, whatever it holds.
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
  u64 lost = 0;  // bytes behind a paste that was too long
  bool operator==(const Key&) const = default;
};

class KeyReader {
 public:
  // `terminal`: as in $TERM. Unknown ones have the keys that all of them share.
  explicit KeyReader(const std::string& terminal);

  void add(std::string_view bytes, std::vector<Key>& keys);
  // Do bytes wait that may be a key, or begin one: Escape? Or does a paste go on? After a moment without more, `flush`.
  [[nodiscard]] bool is_waiting() const {
    return is_pasting_ ? !is_quiet_ : !held_.empty() || is_partial_;
  }
  void flush(std::vector<Key>& keys);
  // Has a paste begun, and not ended? Its end may have been lost: then Ctrl-C ends it.
  [[nodiscard]] bool is_pasting() const { return is_pasting_; }

  // Keys in a text of so many bytes take half a second each.
  static constexpr size_t kMostPasted = size_t{4} << 20;

 private:
  // libtermkey crashes over some sequences that no key sends, and waits for the end of others: they become ones that mean nothing.
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
  std::string held_;  // bytes not looked at yet: of a mark of a paste that may follow
  std::string paste_;
  u64 lost_ = 0;  // of it
  bool is_pasting_ = false;
  bool is_quiet_ = false;  // nothing of the paste came for a moment
  bool is_partial_ = false;
  // Of `tamed`: behind ESC, behind ESC [; how many bytes of a character are to come.
  enum class State : u8 { Ground, Escape, Sequence } state_ = State::Ground;
  u32 continuations_ = 0;
  // Of the sequence: digits of the number that is read, numbers before it, and the first one.
  u32 digits_ = 0, parameters_ = 0, first_ = 0;
};

}  // namespace komuz::editor
