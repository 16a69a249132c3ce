// SPDX-License-Identifier: Apache-2.0
#include "services/options/args.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "mend/near_miss.h"

namespace komuz::services {
namespace {

std::string quoted(std::string_view text) { return "`" + std::string(text) + "`"; }

std::string dashed(std::string_view name) { return "`--" + std::string(name) + "`"; }

template <class T>
bool parse_all(std::string_view text, T& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc{} && end == text.data() + text.size();
}

}  // namespace

std::vector<std::string> offered_words(const Offer& offer) {
  if (offer.names != nullptr) return offer.names();
  return {offer.words.begin(), offer.words.end()};
}

Args::Args(std::span<const OptionRow> options, std::span<const std::string_view> words)
    : options_(options) {
  for (size_t at = 0; at < words.size(); ++at) {
    const std::string_view word = words[at];
    if (word == "--") {
      has_rest = true;
      rest.assign(words.begin() + static_cast<std::ptrdiff_t>(at) + 1, words.end());
      return;
    }
    if (word.size() > 1 && word[0] == '-')
      read_option(words, at);
    else
      positional.push_back(word);
  }
}

void Args::read_option(std::span<const std::string_view> words, size_t& at) {
  const std::string_view word = words[at];
  const bool is_long = word.starts_with("--");
  const size_t equals = is_long ? word.find('=') : std::string_view::npos;
  const std::string_view name = word.substr(0, equals);
  const auto row = std::ranges::find_if(options_, [&](const OptionRow& option) {
    return is_long ? option.name == name.substr(2)
                   : option.short_name != 0 && name.size() == 2 && option.short_name == name[1];
  });
  if (row == options_.end()) {
    std::vector<std::string_view> names;
    for (const OptionRow& option : options_) names.push_back(option.name);
    const std::string_view near = is_long ? nearest_word(name.substr(2), names) : "";
    // `-o=out`, `-oout`
    const auto joined = std::ranges::find_if(options_, [&](const OptionRow& option) {
      return !is_long && name.size() > 2 && !option.value.empty() && option.short_name == name[1];
    });
    if (joined != options_.end()) {
      const std::string_view value = name.substr(name[2] == '=' ? 3 : 2);
      return fail("there is no option " + quoted(name) + "; the value is a word by itself: `" +
                  std::string(name.substr(0, 2)) + " " +
                  std::string(value.empty() ? joined->value : value) + "`");
    }
    const bool number = name.size() > 1 && name[1] >= '0' && name[1] <= '9';
    if (error_.empty() && is_long && near.empty()) unknown_ = name.substr(2);
    fail("there is no option " + quoted(name) +
         (near.empty() ? "" : "; did you mean " + dashed(near) + "?") +
         (number ? "; arguments that start with `-` go behind `--`" : ""));
    return;
  }
  if (row->value.empty()) {
    if (equals != std::string_view::npos) fail(quoted(name) + " takes no value");
    given_.push_back({row->name, {}});
    return;
  }
  const bool has_equals = equals != std::string_view::npos;
  if (!has_equals && at + 1 >= words.size()) {
    fail(quoted(name) + " needs a value: `" + std::string(name) + " " + std::string(row->value) +
         "`");
    return;
  }
  const std::string_view value = has_equals ? word.substr(equals + 1) : words[++at];
  if (value.empty() && row->offer.kind == Offer::Kind::Files)
    fail(quoted(name) + " takes the name of a file, and is given an empty one");
  given_.push_back({row->name, value, name});
}

void Args::fail(std::string message) {
  if (error_.empty()) error_ = std::move(message);
}

bool Args::has(std::string_view name) const {
  return std::ranges::find(given_, name, &Given::name) != given_.end();
}

std::optional<std::string_view> Args::value(std::string_view name) const {
  // The last one counts, so that an alias can be overridden.
  for (size_t i = given_.size(); i-- > 0;)
    if (given_[i].name == name) return given_[i].value;
  return std::nullopt;
}

std::vector<std::string_view> Args::values(std::string_view name) const {
  std::vector<std::string_view> found;
  for (const Given& given : given_)
    if (given.name == name) found.push_back(given.value);
  return found;
}

std::string Args::word_of(std::string_view name) const {
  for (size_t i = given_.size(); i-- > 0;)
    if (given_[i].name == name) return quoted(given_[i].word);
  return dashed(name);
}

u64 Args::number(std::string_view name, u64 otherwise, u64 least, u64 most) {
  const auto text = value(name);
  if (!text) return otherwise;
  u64 n = 0;
  if (parse_all(*text, n) && n >= least && n <= most) return n;
  fail(word_of(name) + " takes a whole number from " + std::to_string(least) + " to " +
       std::to_string(most) + ", not " + quoted(*text));
  return otherwise;
}

std::optional<f64> Args::real(std::string_view name) {
  const auto text = value(name);
  f64 x = 0;
  if (!text || (parse_all(*text, x) && std::isfinite(x)))
    return text ? std::optional(x) : std::nullopt;
  fail(word_of(name) + " takes a number, such as 0.01, not " + quoted(*text));
  return std::nullopt;
}

f64 Args::amount(std::string_view name, f64 otherwise) {
  const auto text = value(name);
  if (!text) return otherwise;
  f64 x = 0;
  if (parse_all(*text, x) && std::isfinite(x) && x >= 0) return x;
  fail(word_of(name) + " takes a number that is not negative, such as 0.01, not " + quoted(*text));
  return otherwise;
}

std::optional<std::chrono::milliseconds> Args::duration(std::string_view name) {
  struct Unit {
    std::string_view name;
    f64 milliseconds;
  };
  constexpr Unit kUnits[] = {{"ms", 1}, {"s", 1e3}, {"m", 60e3}, {"h", 3600e3}, {"", 1e3}};
  constexpr f64 kMost = 1e12;  // milliseconds
  const auto text = value(name);
  if (!text) return std::nullopt;
  const Unit& unit = *std::ranges::find_if(
      kUnits, [&](std::string_view ending) { return text->ends_with(ending); }, &Unit::name);
  f64 x = 0;
  if (parse_all(text->substr(0, text->size() - unit.name.size()), x) && x * unit.milliseconds >= 1)
    return std::chrono::milliseconds(static_cast<i64>(std::min(x * unit.milliseconds, kMost)));
  fail(word_of(name) + " takes a time such as 10s, 2m or 500ms, not " + quoted(*text));
  return std::nullopt;
}

u64 Args::bytes(std::string_view name, u64 otherwise) {
  constexpr std::string_view kUnits = "KMGT";
  constexpr f64 kUnit = 1024, kMost = f64{1ULL << 60};
  const auto text = value(name);
  if (!text) return otherwise;
  std::string_view number = *text;
  for (const std::string_view ending : {"iB", "ib", "B", "b"})
    if (number.ends_with(ending)) number.remove_suffix(ending.size());
  f64 factor = 1;
  if (const size_t unit = number.empty()
                              ? std::string_view::npos
                              : kUnits.find(static_cast<char>(std::toupper(number.back())));
      unit != std::string_view::npos) {
    for (size_t k = 0; k <= unit; ++k) factor *= kUnit;
    number.remove_suffix(1);
  }
  f64 x = 0;
  if (parse_all(number, x) && x * factor >= 1 && x * factor <= kMost)
    return static_cast<u64>(x * factor);
  fail(word_of(name) + " takes a number of bytes such as 800M or 4G, not " + quoted(*text));
  return otherwise;
}

size_t Args::choice(std::string_view name, std::string_view otherwise) {
  const auto row = std::ranges::find(options_, name, &OptionRow::name);
  if (row == options_.end()) return 0;
  const std::span<const std::string_view> choices = row->offer.words;
  const auto option = value(name);
  const auto found = std::ranges::find(choices, option.value_or(otherwise));
  if (found != choices.end()) return static_cast<size_t>(found - choices.begin());
  if (option) fail(choice_error("--" + std::string(name), choices, *option));
  return 0;
}

std::string choice_error(std::string_view what, std::span<const std::string_view> choices,
                         std::string_view text) {
  std::string list;
  for (const std::string_view c : choices) list += (list.empty() ? "" : ", ") + std::string(c);
  const std::string_view near = nearest_word(text, choices);
  return quoted(what) + " takes one of " + list + ", not " + quoted(text) +
         (near.empty() ? "" : "; did you mean " + quoted(near) + "?");
}

std::string options_text(std::span<const OptionRow> options) {
  constexpr size_t kHelpColumn = 28;
  std::string text;
  for (const OptionRow& option : options) {
    std::string line = "  ";
    if (option.short_name != 0) line += std::string("-") + option.short_name + ", ";
    line += "--" + std::string(option.name);
    if (!option.value.empty()) line += " " + std::string(option.value);
    line.resize(std::max(line.size() + 2, kHelpColumn), ' ');
    text += line + std::string(option.help) + "\n";
  }
  return text;
}

}  // namespace komuz::services
