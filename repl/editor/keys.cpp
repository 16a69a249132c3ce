// SPDX-License-Identifier: Apache-2.0
#include "repl/editor/keys.h"

#include <termkey.h>

#include <algorithm>
#include <utility>

namespace komuz::editor {

namespace {

constexpr std::string_view kPasteBegin = "\x1b[200~", kPasteEnd = "\x1b[201~";
constexpr char kInterrupt = '\x03';

// How many bytes at the end of the text may begin the mark.
size_t start_of_mark(std::string_view text, std::string_view mark) {
  for (size_t n = std::min(text.size(), mark.size() - 1); n > 0; --n)
    if (text.ends_with(mark.substr(0, n))) return n;
  return 0;
}

void add_key(TermKey* reader, const TermKeyKey& key, std::vector<Key>& keys) {
  if (key.type == TERMKEY_TYPE_UNICODE && key.modifiers == 0) {
    keys.push_back({Key::Kind::Text, key.utf8});
    return;
  }
  std::string name;
  if ((key.modifiers & TERMKEY_KEYMOD_CTRL) != 0) name += "Ctrl-";
  if ((key.modifiers & TERMKEY_KEYMOD_ALT) != 0) name += "Alt-";
  if ((key.modifiers & TERMKEY_KEYMOD_SHIFT) != 0) name += "Shift-";
  const long code = key.code.codepoint;
  switch (key.type) {
    case TERMKEY_TYPE_UNICODE:
      if (code >= 'a' && code <= 'z')
        name += static_cast<char>(code - 'a' + 'A');
      else
        name += key.utf8;
      break;
    case TERMKEY_TYPE_FUNCTION: name += "F" + std::to_string(key.code.number); break;
    case TERMKEY_TYPE_KEYSYM: name += termkey_get_keyname(reader, key.code.sym); break;
    default: return;  // a terminal's report, no key
  }
  keys.push_back({Key::Kind::Named, std::move(name)});
}

}  // namespace

void KeyReader::Free::operator()(TermKey* reader) const { termkey_destroy(reader); }

KeyReader::KeyReader(const std::string& terminal) {
  constexpr int kFlags = TERMKEY_FLAG_UTF8 | TERMKEY_FLAG_NOTERMIOS | TERMKEY_FLAG_CONVERTKP;
  reader_.reset(termkey_new_abstract(terminal.c_str(), kFlags));
  if (!reader_) reader_.reset(termkey_new_abstract("vt100", kFlags));
  if (reader_) termkey_set_canonflags(reader_.get(), TERMKEY_CANON_DELBS);
}

void KeyReader::add(std::string_view bytes, std::vector<Key>& keys) {
  // A pressed Ctrl-C comes alone, and some time after the paste. Between other bytes it belongs to the paste: the
  // bytes behind it would otherwise be keys, including Enter.
  const bool is_interrupt = bytes.find_first_not_of(kInterrupt) == std::string_view::npos;
  if (is_pasting_ && is_quiet_ && is_interrupt && !bytes.empty()) {
    add_pasted(std::exchange(held_, {}));
    take_paste(keys);
    is_pasting_ = false;
  }
  is_quiet_ = false;
  held_ += bytes;
  for (;;) {
    const std::string_view mark = is_pasting_ ? kPasteEnd : kPasteBegin;
    const size_t at = held_.find(mark);
    const size_t end = at != std::string::npos ? at : held_.size() - start_of_mark(held_, mark);
    const std::string before = held_.substr(0, end);
    held_.erase(0, at != std::string::npos ? end + mark.size() : end);
    if (is_pasting_)
      add_pasted(before);
    else
      push(before, keys);
    if (at == std::string::npos) return;
    if (is_pasting_) take_paste(keys);
    is_pasting_ = !is_pasting_;
  }
}

void KeyReader::flush(std::vector<Key>& keys) {
  is_quiet_ = true;
  if (is_pasting_) return;  // its end is still to come
  push(std::exchange(held_, {}), keys);
  if (!reader_) return;
  TermKeyKey key;
  while (termkey_getkey_force(reader_.get(), &key) == TERMKEY_RES_KEY)
    add_key(reader_.get(), key, keys);
  is_partial_ = false;
  state_ = State::Ground;
  continuations_ = 0;
}

// Sequences are ESC [ parameters final. libtermkey 0.22 reads beyond its table if bytes such as `$` precede the final
// one, takes the bytes after ESC [ M for the mouse's, reads on to a mark after ESC P, ESC ] and ESC _, and trusts
// every number. In UTF-8 the bytes 0x80 to 0x9F begin nothing.
char KeyReader::tamed(char byte) {
  const auto code = static_cast<u8>(byte);
  if (state_ == State::Sequence) {
    if (code >= 0x30 && code < 0x40) return tamed_parameter(byte);
    if (code < 0x40 || code >= 0x7F) return ':';
    state_ = State::Ground;
    // The first number selects the meaning of `~` and `u`; if it is 27, the third number does.
    constexpr u32 kOtherKey = 27;
    const bool has_number = parameters_ != 0 || digits_ != 0;
    const bool lacks_number =
        (!has_number && (byte == '~' || byte == 'u')) ||
        (first_ == kOtherKey && byte == '~' && (parameters_ < 2 || digits_ == 0));
    return byte == 'M' || lacks_number ? 'y' : byte;
  }
  const bool is_escaped = std::exchange(state_, State::Ground) == State::Escape;
  const bool continues = continuations_ > 0 && code >= 0x80 && code < 0xC0;
  constexpr u32 kContinuations[] = {1, 1, 2, 3};  // of bytes from 0xC0, 0xD0, 0xE0 and 0xF0 on
  if (continues)
    --continuations_;
  else
    continuations_ = code >= 0xC0 && code < 0xF8 ? kContinuations[(code >> 4) - 0xC] : 0;
  if (byte == '\x1b') state_ = State::Escape;
  if (is_escaped && byte == '[') {
    state_ = State::Sequence;
    digits_ = parameters_ = first_ = 0;
  }
  if (is_escaped && (byte == 'P' || byte == ']' || byte == '_')) return 'p';
  return (code >= 0x80 && code < 0xC0 && !continues) || code >= 0xF8 ? '?' : byte;
}

// libtermkey reads memory in place of a missing number, and a number that does not fit becomes negative. It uses both
// as an index.
char KeyReader::tamed_parameter(char byte) {
  constexpr u32 kMostDigits = 7, kMostParameters = 8;  // 7 for a character's code
  if (byte >= '0' && byte <= '9') {
    if (++digits_ > kMostDigits) return ':';
    if (parameters_ == 0) first_ = first_ * 10 + static_cast<u32>(byte - '0');
    return byte;
  }
  if (byte != ';') return ':';  // `<`, `=`, `>` and `?` would be part of the index
  if (parameters_ == 0 && digits_ == 0) {
    ++digits_;
    return '0';
  }
  digits_ = 0;
  return ++parameters_ > kMostParameters ? ':' : byte;
}

void KeyReader::push(std::string_view bytes, std::vector<Key>& keys) {
  std::string tame(bytes);
  for (char& byte : tame) byte = tamed(byte);
  bytes = tame;
  while (reader_ && !bytes.empty()) {
    const size_t taken = termkey_push_bytes(reader_.get(), bytes.data(), bytes.size());
    if (taken == 0 || taken > bytes.size()) return;
    bytes.remove_prefix(taken);
    take_keys(keys);
  }
}

void KeyReader::take_keys(std::vector<Key>& keys) {
  TermKeyKey key;
  TermKeyResult result = TERMKEY_RES_NONE;
  while ((result = termkey_getkey(reader_.get(), &key)) == TERMKEY_RES_KEY)
    add_key(reader_.get(), key, keys);
  is_partial_ = result == TERMKEY_RES_AGAIN;
}

void KeyReader::add_pasted(std::string_view bytes) {
  const size_t taken = std::min(bytes.size(), kMostPasted - paste_.size());
  paste_ += bytes.substr(0, taken);
  lost_ += bytes.size() - taken;
}

void KeyReader::take_paste(std::vector<Key>& keys) {
  // Characters are not cut.
  while (lost_ > 0 && !paste_.empty() && (paste_.back() & 0x80) != 0) {
    const bool is_first = (paste_.back() & 0x40) != 0;
    paste_.pop_back();
    ++lost_;
    if (is_first) break;
  }
  keys.push_back({Key::Kind::Paste, std::exchange(paste_, {}), std::exchange(lost_, 0)});
}

}  // namespace komuz::editor
