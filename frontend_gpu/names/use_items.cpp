// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/names/use_items.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "frontend_gpu/names/modules.h"

namespace komuz::frontend {
namespace {

std::string_view text_of(const Columns& c, Index t) {
  return {reinterpret_cast<const char*>(c.source) + c.token_start[t], c.token_length[t]};
}
// True if the word starts an item, by the rule of layout.h.
bool is_use_item(const Columns& c, Index t) {
  if (token_at(c, t) != Token::Use) return false;
  const Token before = token_at(c, static_cast<i64>(t) - 1);
  return t == 0 || (c.token_kind[t] & kFirstOnLine) != 0 || before == Token::Pub ||
         before == Token::Semi || before == Token::RBrace;
}
std::string path_behind(const Columns& c, Index use) {
  std::string path;
  for (Index t = use + 1; t < c.tokens && token_at(c, t) == Token::Name; t += 2) {
    path += text_of(c, t);
    const bool goes_on =
        t + 2 < c.tokens && token_at(c, t + 1) == Token::Dot && token_at(c, t + 2) == Token::Name;
    if (!goes_on) break;
    path += '.';
  }
  return path;
}

}  // namespace

bool names_modules(const Columns& c) {
  const u8* const kinds = c.token_kind;
  constexpr u8 kUse = static_cast<u8>(Token::Use);
  return std::memchr(kinds, kUse | kFirstOnLine, c.tokens) != nullptr ||
         std::memchr(kinds, kUse, c.tokens) != nullptr;
}

// Stops at the last `use` that a program may have. Diagnostics report those behind it.
std::vector<std::string> list_paths(const Columns& c) {
  std::vector<std::string> paths;
  std::unordered_set<std::string> known;
  count_work(c, c.tokens);
  for (Index t = 0; t < c.tokens && paths.size() < kMaxUses; ++t) {
    if (!is_use_item(c, t)) continue;
    std::string path = path_behind(c, t);
    if (!path.empty() && known.insert(path).second) paths.push_back(std::move(path));
  }
  return paths;
}

std::vector<Index> find_uses(const Columns& c, const std::vector<std::string>& paths) {
  std::vector<Index> uses;
  for (Index t = 0; t < c.tokens && !paths.empty(); ++t)
    if (is_use_item(c, t) && std::ranges::find(paths, path_behind(c, t)) != paths.end())
      uses.push_back(t);
  return uses;
}

Index find_public_use(const Columns& c) {
  for (Index t = 1; t < c.tokens; ++t)
    if (token_at(c, t) == Token::Use && token_at(c, t - 1) == Token::Pub) return t - 1;
  return kNone;
}

}  // namespace komuz::frontend
