// SPDX-License-Identifier: Apache-2.0
#include "backend/c/c_names.h"

#include <algorithm>
#include <set>

#include "backend/c/c_words.h"
#include "base/hash.h"

namespace komuz::backend {
namespace {

constexpr std::string_view kThings[] = {"a function", "a type", "an alternative"};
constexpr std::string_view kPlurals[] = {"functions", "types", "alternatives"};
constexpr char kPrefixHelps[] = "; put something before all names: `--prefix my_`";

bool is_upper(std::string_view name) {
  return std::ranges::none_of(name, [](char c) { return c >= 'a' && c <= 'z'; });
}

// The macros and types of stdint.h and limits.h, and those that C keeps for them.
bool is_of_numbers(std::string_view name) {
  if (name.ends_with("_t")) return name.starts_with("int") || name.starts_with("uint");
  if (!is_upper(name)) return false;
  if (name.ends_with("_MAX") || name.ends_with("_MIN")) return true;
  return (name.ends_with("_C") || name.ends_with("_WIDTH")) &&
         (name.starts_with("INT") || name.starts_with("UINT"));
}

// Those of compilers and of C's library, and ours.
bool begins_as_macro(std::string_view name) {
  return name.starts_with("__") || name.starts_with("KOMUZ_") ||
         (name.size() > 1 && name[0] == '_' && name[1] >= 'A' && name[1] <= 'Z');
}

bool has_word(std::string_view words, std::string_view name) {
  if (name.empty()) return false;
  const auto is_edge = [&](size_t at) { return words[at] == ' ' || words[at] == '\n'; };
  for (size_t at = words.find(name); at != std::string_view::npos; at = words.find(name, at + 1))
    if (is_edge(at - 1) && is_edge(at + name.size())) return true;
  return false;
}

}  // namespace

bool is_c_word(std::string_view name) { return has_word(kCWords, name) || is_of_numbers(name); }

bool is_c_library_name(std::string_view name) {
  if (has_word(kCLibrary, name)) return true;
  for (const std::string_view ending : {"f16", "f32", "f64", "f128", "f32x", "f64x", "d32", "d64",
                                        "d128", "64", "64_r", "f32_r", "f64_r", "f128_r"})
    if (name.ends_with(ending) && has_word(kCLibrary, name.substr(0, name.size() - ending.size())))
      return true;
  return false;
}

std::string c_name(std::string_view name) {
  return std::string(name) + (is_c_word(name) ? "_" : "");
}
std::string c_type_name(std::string_view name) {
  return std::string(name) + (is_c_word(name) || has_word(kCStructs, name) ? "_" : "");
}

std::vector<std::string> c_member_names(std::span<const std::string> wishes,
                                        std::span<const std::string_view> taken) {
  std::set<std::string> all(taken.begin(), taken.end());
  std::vector<std::string> names(wishes.size());
  // Who may have the own name has it, whatever stands before it.
  for (size_t k = 0; k < wishes.size(); ++k)
    if (!is_c_word(wishes[k]) && !begins_as_macro(wishes[k]) && all.insert(wishes[k]).second)
      names[k] = wishes[k];
  for (size_t k = 0; k < wishes.size(); ++k) {
    if (!names[k].empty()) continue;
    std::string name = begins_as_macro(wishes[k]) ? "p" + wishes[k] : c_name(wishes[k]);
    while (!all.insert(name).second) name += '_';
    names[k] = name;
  }
  return names;
}

std::string c_digest(std::string_view text) {
  Hash128 hash;
  add_text(hash, text);
  std::string digits;
  for (u32 k = 0; k < 8; ++k) digits += "0123456789abcdef"[hash.low >> (4 * k) & 15];
  return digits;
}

std::string CNames::take(const std::string& name, CThing thing) {
  const std::string what(kThings[static_cast<u8>(thing)]);
  const std::string plural(kPlurals[static_cast<u8>(thing)]);
  const std::string quoted = "`" + name + "`";
  if (name.starts_with("komuz_") || name.starts_with("KOMUZ_"))
    return quoted + " is no name for " + what + ": `komuz_` and `KOMUZ_` begin those of Komuz" +
           kPrefixHelps;
  if (name.starts_with("_"))
    return quoted + " is no name for " + what +
           " of C: those that begin with `_` are of compilers" + kPrefixHelps;
  if (thing == CThing::Function && (is_c_word(name) || name == "main"))
    return quoted + " is no name for a function of C" + kPrefixHelps;
  if (thing == CThing::Function && is_c_library_name(name))
    return quoted + " is a function of the C library, which others call by that name" +
           kPrefixHelps;
  const auto [at, is_new] = taken_.try_emplace(name, thing);
  if (is_new) return {};
  if (at->second == thing)
    return "two " + plural + " of C would both be " + quoted + "; rename one";
  return std::string(kThings[static_cast<u8>(at->second)]) + " and " + what +
         " of C would both be " + quoted + "; rename one";
}

bool CNames::has_type(const std::string& name) const {
  const auto found = taken_.find(name);
  return found != taken_.end() && found->second == CThing::Type;
}

}  // namespace komuz::backend
