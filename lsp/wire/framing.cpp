// SPDX-License-Identifier: Apache-2.0
#include "lsp/wire/framing.h"

#include <algorithm>
#include <charconv>

namespace komuz::lsp {
namespace {

constexpr std::string_view kLengthField = "content-length";

char lower(char byte) {
  return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte;
}
bool is_word(std::string_view text, std::string_view in_lower_case) {
  return std::ranges::equal(text, in_lower_case, {}, lower);
}
std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

// What is wrong with the field; empty: nothing.
std::string read_length(std::string_view value, std::optional<u64>& out) {
  u64 length = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), length);
  const bool is_number = error != std::errc::invalid_argument && end == value.data() + value.size();
  if (!is_number) return "`Content-Length` is a number of bytes, not `" + std::string(value) + "`";
  if (error != std::errc{} || length > kMostBodyBytes)
    return "a message has at most " + std::to_string(kMostBodyBytes) + " bytes, not " +
           std::string(value);
  out = length;
  return {};
}

}  // namespace

void FrameReader::add(std::string_view bytes) { bytes_ += bytes; }

void FrameReader::forget_read() {
  // Bytes that come one at a time are not moved one at a time.
  if (at_ < bytes_.size() && at_ < kMostHeaderBytes) return;
  bytes_.erase(0, at_);
  at_ = 0;
}

Frame FrameReader::lose(std::string problem) {
  is_lost_ = true;
  length_.reset();
  return {"", std::move(problem)};
}

bool FrameReader::find_header() {
  const auto found = std::search(bytes_.begin() + static_cast<std::ptrdiff_t>(at_), bytes_.end(),
                                 kLengthField.begin(), kLengthField.end(),
                                 [](char a, char b) { return lower(a) == b; });
  if (found != bytes_.end()) {
    at_ = static_cast<u64>(found - bytes_.begin());
    is_lost_ = false;
    return true;
  }
  // The first part of one may stand at the end.
  const u64 kept = std::min<u64>(kLengthField.size() - 1, bytes_.size() - at_);
  at_ = bytes_.size() - kept;
  return false;
}

std::optional<Frame> FrameReader::read_header() {
  // Empty lines between messages mean nothing.
  while (at_ < bytes_.size() && (bytes_[at_] == '\r' || bytes_[at_] == '\n')) ++at_;
  std::optional<u64> length;
  std::string problem;
  for (u64 line_begin = at_;;) {
    const size_t line_end = bytes_.find('\n', line_begin);
    if ((line_end == std::string::npos ? bytes_.size() : line_end) - at_ > kMostHeaderBytes) {
      at_ = bytes_.size();
      return lose("a header has at most " + std::to_string(kMostHeaderBytes) + " bytes");
    }
    if (line_end == std::string::npos) return std::nullopt;
    const std::string_view line =
        without_blanks(std::string_view(bytes_).substr(line_begin, line_end - line_begin));
    line_begin = line_end + 1;
    if (line.empty()) {
      at_ = line_begin;
      break;
    }
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos) {
      at_ = line_begin;
      return lose("a line of a header is `Name: value`");
    }
    if (is_word(without_blanks(line.substr(0, colon)), kLengthField) && problem.empty())
      problem = read_length(without_blanks(line.substr(colon + 1)), length);
  }
  if (problem.empty() && !length) problem = "a header has the field `Content-Length`";
  if (!problem.empty()) return lose(std::move(problem));
  length_ = length;
  return std::nullopt;
}

bool FrameReader::look_for_http() {
  // `POST /path HTTP/1.1`: capital letters, then a blank. No header of a message begins so.
  const auto end = std::ranges::find_if_not(bytes_, [](char c) { return c >= 'A' && c <= 'Z'; });
  // A word that never ends is a header that is too long.
  const bool is_one_word = end == bytes_.end();
  if (is_one_word && bytes_.size() <= kMostHeaderBytes) return false;
  kind_ = !is_one_word && *end == ' ' && end != bytes_.begin() ? Kind::Http : Kind::Messages;
  return true;
}

std::optional<Frame> FrameReader::next() {
  if (kind_ == Kind::Unknown) {
    if (!look_for_http()) return std::nullopt;
    if (kind_ == Kind::Http)
      return Frame{"", "this is a request of HTTP, and the stream is read no further"};
  }
  if (kind_ == Kind::Http) {
    bytes_.clear();
    return std::nullopt;
  }
  if (!length_) {
    if (is_lost_ && !find_header()) {
      forget_read();
      return std::nullopt;
    }
    if (auto wrong = read_header()) {
      forget_read();
      return wrong;
    }
    if (!length_) return std::nullopt;
  }
  if (bytes_.size() - at_ < *length_) return std::nullopt;
  Frame frame{bytes_.substr(at_, *length_), ""};
  at_ += *length_;
  length_.reset();
  forget_read();
  return frame;
}

std::string framed(std::string_view body) {
  std::string out = "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n";
  return out += body;
}

}  // namespace komuz::lsp
