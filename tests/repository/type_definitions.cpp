// SPDX-License-Identifier: Apache-2.0
#include "tests/repository/type_definitions.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace komuz::arrows {
namespace {

struct Word {
  std::string_view text;
  int line = 0;
};

bool is_word_byte(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Words and marks, without comments, literals and lines of the preprocessor.
class Words {
 public:
  explicit Words(std::string_view source) : source_(source) {}

  std::vector<Word> all() {
    while (at_ < source_.size()) {
      const char c = source_[at_];
      if (c == '\n') {
        ++line_, ++at_;
        starts_line_ = true;
      } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
        ++at_;
      } else if (c == '#' && starts_line_) {
        skip_directive();
      } else if (source_.substr(at_, 2) == "//") {
        skip_until("\n", 0);
      } else if (source_.substr(at_, 2) == "/*") {
        skip_until("*/", 2);
      } else if (c == '"') {
        starts_line_ = false;
        if (at_ > 0 && source_[at_ - 1] == 'R')
          skip_raw();
        else
          skip_quoted(c);
      } else if (c == '\'') {
        skip_quoted(c);
      } else {
        take();
      }
    }
    return std::move(words_);
  }

 private:
  void advance(size_t to) {
    to = std::min(to, source_.size());
    for (; at_ < to; ++at_) line_ += source_[at_] == '\n';
  }
  void skip_until(std::string_view end, size_t behind) {
    const size_t found = source_.find(end, at_ + 1);
    advance(found == std::string_view::npos ? source_.size() : found + behind);
  }
  void skip_directive() {
    while (at_ < source_.size() && (source_[at_] != '\n' || source_[at_ - 1] == '\\'))
      advance(at_ + 1);
  }
  void skip_quoted(char quote) {
    advance(at_ + 1);
    while (at_ < source_.size() && source_[at_] != quote)
      advance(at_ + (source_[at_] == '\\' ? 2 : 1));
    advance(at_ + 1);
  }
  // R"mark(…)mark"
  void skip_raw() {
    const size_t open = source_.find('(', at_);
    if (open == std::string_view::npos) return advance(source_.size());
    const std::string end =
        ")" + std::string(source_.substr(at_ + 1, open - at_ - 1)) + std::string("\"");
    const size_t found = source_.find(end, open);
    advance(found == std::string_view::npos ? source_.size() : found + end.size());
  }
  void take() {
    starts_line_ = false;
    size_t end = at_ + 1;
    if (is_word_byte(source_[at_])) {
      // 1'000 is one number.
      const bool is_number = std::isdigit(static_cast<unsigned char>(source_[at_])) != 0;
      while (end < source_.size() &&
             (is_word_byte(source_[end]) || (is_number && source_[end] == '\'')))
        ++end;
    } else if (source_.substr(at_, 2) == "::") {
      end = at_ + 2;
    }
    words_.push_back({source_.substr(at_, end - at_), line_});
    at_ = end;
  }

  std::string_view source_;
  size_t at_ = 0;
  int line_ = 1;
  bool starts_line_ = true;
  std::vector<Word> words_;
};

bool is_type_word(std::string_view word) {
  constexpr std::array kWords = {"class", "struct", "union", "enum"};
  return std::ranges::find(kWords, word) != kWords.end();
}

class FindTypes {
 public:
  explicit FindTypes(std::vector<Word> words) : words_(std::move(words)) {}

  std::vector<TypeDefinition> all() {
    for (size_t k = 0; k < words_.size(); ++k) {
      const std::string_view word = words_[k].text;
      if (word == "{") {
        open(k);
        head_ = k + 1;
      } else if (word == "}") {
        if (!scopes_.empty()) scopes_.pop_back();
        head_ = k + 1;
      } else if (word == ";") {
        head_ = k + 1;
      }
    }
    return std::move(found_);
  }

 private:
  struct Scope {
    bool is_shared = false;  // a namespace whose names other files see
    std::string name;        // `komuz::engine::`
  };
  [[nodiscard]] bool is_shared() const { return scopes_.empty() || scopes_.back().is_shared; }
  [[nodiscard]] std::string prefix() const { return scopes_.empty() ? "" : scopes_.back().name; }
  // The word behind a bracket and all up to its partner.
  [[nodiscard]] size_t behind(size_t k, size_t end, std::string_view open,
                              std::string_view close) const {
    for (size_t depth = 0; k < end; ++k) {
      if (words_[k].text == open) ++depth;
      if (words_[k].text == close && --depth == 0) return k + 1;
    }
    return end;
  }

  // Words [head_, brace) stand before the `{`.
  void open(size_t brace) {
    size_t k = head_;
    const auto is = [&](std::string_view text) { return k < brace && words_[k].text == text; };
    if (is("inline") && k + 1 < brace && words_[k + 1].text == "namespace") ++k;
    if (is("namespace")) return open_namespace(k + 1, brace);
    Scope inside;
    if (is_shared()) {
      while (is("template")) k = behind(k + 1, brace, "<", ">");
      if (k < brace && is_type_word(words_[k].text)) define(k, brace);
    }
    scopes_.push_back(std::move(inside));
  }
  void open_namespace(size_t k, size_t brace) {
    Scope inside{.is_shared = is_shared() && k < brace, .name = prefix()};
    for (; k < brace; ++k)
      if (words_[k].text != "inline" && words_[k].text != "::")
        inside.name += std::string(words_[k].text) + "::";
    scopes_.push_back(std::move(inside));
  }
  void define(size_t k, size_t brace) {
    const int line = words_[k].line;
    ++k;
    if (k < brace && is_type_word(words_[k].text)) ++k;  // enum class
    while (k < brace && (words_[k].text == "[" || words_[k].text == "alignas")) {
      const bool is_attribute = words_[k].text == "[";
      k = behind(is_attribute ? k : k + 1, brace, is_attribute ? "[" : "(",
                 is_attribute ? "]" : ")");
    }
    std::string name;
    for (; k < brace; ++k) {
      const std::string_view word = words_[k].text;
      if (word == ":" || word == "final") break;
      if (word != "::" && !is_word_byte(word[0]))
        return;  // a specialisation, or a function's result
      if (!name.empty() && word != "::" && !name.ends_with("::")) return;  // `struct S f()`
      name += word;
    }
    if (!name.empty()) found_.push_back({prefix() + name, line});
  }

  std::vector<Word> words_;
  size_t head_ = 0;
  std::vector<Scope> scopes_;
  std::vector<TypeDefinition> found_;
};

}  // namespace

std::vector<TypeDefinition> type_definitions(std::string_view source) {
  return FindTypes(Words(source).all()).all();
}

}  // namespace komuz::arrows
