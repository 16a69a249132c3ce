// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/random.h"
#include "gen/gen.h"
#include "lang/tokens.h"

namespace komuz::gen {

namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Words, numbers, operators, comments: roughly the tokens of the language. A mutator need not agree with the lexer.
std::vector<TextSpan> rough_tokens(std::string_view source) {
  std::vector<TextSpan> out;
  for (size_t at = 0; at < source.size();) {
    size_t end = at + 1;
    if (is_blank(source[at])) {
      at = end;
      continue;
    }
    if (is_word(source[at])) {
      while (end < source.size() && is_word(source[end])) ++end;
    } else if (source.substr(at, 2) == "//") {
      end = std::min(source.find('\n', at), source.size());
    } else {
      for (const TokenRow& row : kTokenRows)
        if (row.spelling.size() > end - at && source.substr(at).starts_with(row.spelling))
          end = at + row.spelling.size();
    }
    out.push_back({at, end});
    at = end;
  }
  return out;
}

constexpr std::string_view kOperands[] = {
    "0", "1", "1.5", "x", "'a'", "\"s\"", "?h", "0x", "1e", "@", "9999999999999999999"};

std::string random_token(Random& random) {
  if (random.one_in(4)) return std::string(random.pick(kOperands));
  while (true) {
    const std::string_view spelling = random.pick(kTokenRows).spelling;
    if (!spelling.empty()) return std::string(spelling);
  }
}

bool keeps_items_apart(std::string_view token) {
  for (const TokenRow& row : kTokenRows) {
    if (row.spelling != token) continue;
    const bool bracket = row.act == Act::Paren || row.act == Act::Brace || row.act == Act::Close;
    return !bracket && row.act != Act::Item;
  }
  return token.find_first_of("\"'/") == std::string_view::npos;
}

std::string mutate_bytes(std::string source, Random& random) {
  for (u32 k = 1 + random.below(3); k > 0; --k) {
    const size_t at = random.below(source.size() + 1);
    const char byte =
        static_cast<char>(random.one_in(8) ? random.below(256) : 32 + random.below(95));
    switch (random.below(4)) {
      case 0: source.insert(at, 1, byte); break;
      case 1:
        if (at < source.size()) source[at] = byte;
        break;
      case 2: source.erase(at, 1 + random.below(8)); break;
      default: source.insert(at, source.substr(random.below(source.size() + 1), random.below(40)));
    }
  }
  return source;
}

std::string mutate_tokens(std::string source, Random& random) {
  for (u32 k = 1 + random.below(3); k > 0; --k) {
    const std::vector<TextSpan> tokens = rough_tokens(source);
    if (tokens.empty()) return source;
    const TextSpan at = tokens[random.below(tokens.size())];
    const TextSpan other = tokens[random.below(tokens.size())];
    switch (random.below(4)) {
      case 0: source.insert(at.begin, random_token(random) + " "); break;
      case 1: source.replace(at.begin, at.end - at.begin, " " + random_token(random) + " "); break;
      case 2: source.erase(at.begin, at.end - at.begin); break;
      default: source.insert(at.begin, source.substr(other.begin, other.end - other.begin) + " ");
    }
  }
  return source;
}

}  // namespace

std::string mutate_source(std::string_view source, u64 seed, Mutation kind) {
  Random random(seed);
  switch (kind) {
    case Mutation::Byte: return mutate_bytes(std::string(source), random);
    case Mutation::Token: return mutate_tokens(std::string(source), random);
  }
  return std::string(source);
}

std::string mutate_token_within(std::string_view source, TextSpan span, u64 seed) {
  Random random(seed);
  std::vector<TextSpan> tokens = rough_tokens(source);
  std::erase_if(tokens, [&](const TextSpan& t) {
    return t.begin < span.begin || t.end > span.end ||
           !keeps_items_apart(source.substr(t.begin, t.end - t.begin));
  });
  std::string out(source);
  if (tokens.empty()) return out;
  const TextSpan at = tokens[random.below(tokens.size())];
  std::string token = random_token(random);
  while (!keeps_items_apart(token)) token = random_token(random);
  return out.replace(at.begin, at.end - at.begin, " " + token + " ");
}

}  // namespace komuz::gen
