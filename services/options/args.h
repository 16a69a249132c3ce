// SPDX-License-Identifier: Apache-2.0
// Command lines: a table of options and the user's words in, values or one error out.
#pragma once
#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ints.h"

namespace komuz::services {

// The possible values of an option or argument, for completions. Free text has none.
struct Offer {
  enum class Kind : u8 { Nothing, Files, Words } kind = Kind::Nothing;
  std::string_view endings = {};                  // of files, separated by blanks; empty: any
  std::span<const std::string_view> words = {};   // a complete list
  std::vector<std::string> (*names)() = nullptr;  // or the names in a larger table
};
// Folders count as files.
constexpr Offer files(std::string_view endings = {}) { return {Offer::Kind::Files, endings}; }
constexpr Offer one_of(std::span<const std::string_view> words) {
  return {Offer::Kind::Words, {}, words};
}
constexpr Offer one_of(std::vector<std::string> (*names)()) {
  return {Offer::Kind::Words, {}, {}, names};
}
[[nodiscard]] std::vector<std::string> offered_words(const Offer& offer);

// `value`: the help's name for the option's value, which must not be empty if it is a file; empty: a flag.
// `short_name` 0: none.
struct OptionRow {
  std::string_view name;  // without the dashes
  std::string_view value;
  std::string_view help;
  Offer offer = {};
  char short_name = 0;
};

// The user's words, checked against a command's table. The first fault is kept as `error()`; after it, the getters
// return their defaults.
class Args {
 public:
  // Understands `--name value`, `--name=value` and `-o value`; `rest` follows `--`. `-` alone is no option.
  Args(std::span<const OptionRow> options, std::span<const std::string_view> words);

  [[nodiscard]] bool has(std::string_view name) const;
  [[nodiscard]] std::optional<std::string_view> value(std::string_view name) const;
  [[nodiscard]] std::vector<std::string_view> values(std::string_view name) const;
  [[nodiscard]] u64 number(std::string_view name, u64 otherwise, u64 least, u64 most);
  // A finite number; none if the option is absent.
  [[nodiscard]] std::optional<f64> real(std::string_view name);
  // The same for a number that is not negative.
  [[nodiscard]] f64 amount(std::string_view name, f64 otherwise);
  // A time above zero, such as `10s`, `500ms`, `2m` or `1h`; a bare number counts seconds.
  [[nodiscard]] std::optional<std::chrono::milliseconds> duration(std::string_view name);
  // A number of bytes, such as `800M` or `4G`; units are powers of 1024.
  [[nodiscard]] u64 bytes(std::string_view name, u64 otherwise);
  // The position of the value among the words in the option's row. If the option is absent, the position of
  // `otherwise`, or 0 if that is none of them.
  [[nodiscard]] size_t choice(std::string_view name, std::string_view otherwise = {});

  std::vector<std::string_view> positional;
  std::vector<std::string_view> rest;
  bool has_rest = false;

  [[nodiscard]] const std::string& error() const { return error_; }
  // The long option, without dashes, that the error is about, if no option here has that name or a similar one; else
  // empty.
  [[nodiscard]] std::string_view unknown() const { return unknown_; }

 private:
  struct Given {
    std::string_view name, value;
    std::string_view word = {};  // with which it was given: `--count`, `-k`
  };
  // The word, in backticks.
  [[nodiscard]] std::string word_of(std::string_view name) const;
  void fail(std::string message);
  void read_option(std::span<const std::string_view> words, size_t& at);

  std::span<const OptionRow> options_;
  std::vector<Given> given_;
  std::string error_;
  std::string_view unknown_;
};

// "`--score` takes one of exact, absolute, squared, not `exakt`; did you mean `exact`?"
[[nodiscard]] std::string choice_error(std::string_view what,
                                       std::span<const std::string_view> choices,
                                       std::string_view text);

// Lines like "  --top N          rows of the table (default 10)".
[[nodiscard]] std::string options_text(std::span<const OptionRow> options);

}  // namespace komuz::services
