// SPDX-License-Identifier: Apache-2.0
// A walk through the line by RFC 8259, with a stack of open objects and arrays.
#include "engine/support/json_fault.h"

#include <algorithm>

#include "engine/support/json_text.h"
#include "engine/support/shown.h"

namespace komuz::engine {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// The number of digits at the beginning.
size_t digits(std::string_view text) {
  return std::min(text.size(),
                  static_cast<size_t>(std::ranges::find_if_not(text, is_digit) - text.begin()));
}

bool is_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const size_t whole = digits(text);
  if (whole == 0 || (whole > 1 && text[0] == '0')) return false;
  text.remove_prefix(whole);
  if (text.starts_with('.')) {
    const size_t fraction = digits(text.substr(1));
    if (fraction == 0) return false;
    text.remove_prefix(1 + fraction);
  }
  if (text.empty()) return true;
  if (text[0] != 'e' && text[0] != 'E') return false;
  text.remove_prefix(1);
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return !text.empty() && digits(text) == text.size();
}

// JSON has no such numbers, but Python's `json` writes them.
bool is_number_of_python(std::string_view word) {
  return word == "NaN" || word == "Infinity" || word == "-Infinity";
}

class FaultFinder {
 public:
  explicit FaultFinder(std::string_view text) : text_(text) {}

  std::optional<JsonFault> find() {
    skip_blanks();
    if (peek() != '{') return fault("this line is no JSON object");
    do {
      skip_blanks();
      if (is_at_end()) return cut();
      if (auto found = step()) return found;
    } while (!open_.empty());
    skip_blanks();
    if (!is_at_end()) return fault("there is text behind the object");
    return std::nullopt;
  }

 private:
  enum class Next { Value, FirstValue, Name, FirstName, Comma };

  [[nodiscard]] bool is_at_end() const { return at_ == text_.size(); }
  [[nodiscard]] char peek() const { return is_at_end() ? '\0' : text_[at_]; }
  void skip_blanks() {
    while (!is_at_end() && is_blank(text_[at_])) ++at_;
  }
  [[nodiscard]] JsonFault fault(std::string message) const {
    return {at_ + 1, std::move(message), false};
  }
  [[nodiscard]] JsonFault no_json(const std::string& reason) const {
    return fault("this line is not valid JSON: " + reason);
  }
  [[nodiscard]] JsonFault cut() const {
    return {text_.size() + 1, "this line is not valid JSON: it ends before the object does", true};
  }

  std::optional<JsonFault> step() {
    const char c = peek();
    switch (next_) {
      case Next::FirstValue:
        if (c == ']') return close();
        [[fallthrough]];
      case Next::Value: return value();
      case Next::FirstName:
        if (c == '}') return close();
        [[fallthrough]];
      case Next::Name: return name();
      case Next::Comma:
        if (c == (is_in_object() ? '}' : ']')) return close();
        if (c != ',')
          return no_json(is_in_object() ? "expected `,` or `}` behind a value"
                                        : "expected `,` or `]` behind a value");
        ++at_;
        next_ = is_in_object() ? Next::Name : Next::Value;
        return std::nullopt;
    }
    return std::nullopt;
  }
  [[nodiscard]] bool is_in_object() const { return open_.back() == '{'; }
  std::optional<JsonFault> close() {
    ++at_;
    open_.pop_back();
    next_ = Next::Comma;
    return std::nullopt;
  }
  std::optional<JsonFault> value() {
    const char c = peek();
    if (c == '{' || c == '[') {
      ++at_;
      open_ += c;
      next_ = c == '{' ? Next::FirstName : Next::FirstValue;
      return std::nullopt;
    }
    next_ = Next::Comma;
    return c == '"' ? string() : word();
  }
  std::optional<JsonFault> name() {
    if (peek() != '"') return no_json("expected the name of a field, in double quotes");
    if (auto found = string()) return found;
    skip_blanks();
    if (is_at_end()) return cut();
    if (peek() != ':') return no_json("expected `:` behind the name of a field");
    ++at_;
    next_ = Next::Value;
    return std::nullopt;
  }
  // A number, `true`, `false` or `null`.
  std::optional<JsonFault> word() {
    const std::string_view rest = text_.substr(at_);
    const std::string_view word = rest.substr(0, rest.find_first_of(" \t\r\n,:[]{}\""));
    if (word.empty()) return no_json("expected a value");
    if (word != "true" && word != "false" && word != "null" && !is_number(word) &&
        !is_number_of_python(word)) {
      if (word.size() == rest.size()) return cut();
      const bool is_readable =
          std::ranges::all_of(word, [](char c) { return c > ' ' && c < 0x7F; });
      return no_json(is_readable ? shown(word) + " is no value; strings stand in double quotes"
                                 : "expected a value");
    }
    at_ += word.size();
    return std::nullopt;
  }
  std::optional<JsonFault> string() {
    for (++at_; !is_at_end();) {
      const char c = peek();
      if (c == '"') {
        ++at_;
        return std::nullopt;
      }
      if (static_cast<u8>(c) < 0x20)
        return no_json("a control character in a string is written `\\n`, `\\t` or `\\u0001`");
      if (c == '\\') {
        if (auto found = escape()) return found;
        continue;
      }
      const size_t length = utf8_length(text_, at_);
      if (length == 0) return no_json("this byte is not UTF-8");
      at_ += length;
    }
    return cut();
  }
  std::optional<JsonFault> escape() {
    const std::string_view rest = text_.substr(at_ + 1);
    if (rest.empty()) return cut();
    const bool is_unicode = rest[0] == 'u';
    const std::string_view digits = is_unicode ? rest.substr(1, 4) : "";
    const bool is_known = std::string_view("\"\\/bfnrtu").find(rest[0]) != std::string_view::npos;
    if (!is_known || !std::ranges::all_of(digits, is_hex_digit))
      return no_json("a `\\` in a string is written `\\\\`");
    if (is_unicode && digits.size() < 4) return cut();
    at_ += 2 + digits.size();
    return std::nullopt;
  }

  std::string_view text_;
  size_t at_ = 0;
  std::string open_;  // a `{` or `[` for each
  Next next_ = Next::Value;
};

}  // namespace

std::optional<JsonFault> find_json_fault(std::string_view line) { return FaultFinder(line).find(); }

}  // namespace komuz::engine
