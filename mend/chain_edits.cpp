// SPDX-License-Identifier: Apache-2.0
#include "mend/chain_edits.h"

#include <string>

#include "mend/habits/from_text.h"
#include "mend/source_text.h"
#include "mend/type_edits.h"

namespace komuz {
namespace {

// The word that ends before a byte.
std::string_view word_before(std::string_view source, size_t end) {
  size_t begin = end;
  while (begin > 0 && is_word(source[begin - 1])) --begin;
  return source.substr(begin, end - begin);
}

}  // namespace

std::optional<Edit> zip_edit(u32 open, std::string_view source) {
  constexpr std::string_view kZip = ".zip(";
  const size_t close = closing_bracket(source, open);
  const std::string_view operation = word_before(source, open);
  const u32 name = open - static_cast<u32>(operation.size());
  if (close == std::string_view::npos || name == 0 || source[name - 1] != '.' ||
      source_at(source, static_cast<u32>(close) + 1, 1) != ")")
    return std::nullopt;
  const u32 start = operand_start(source, name - 1), stop = static_cast<u32>(close) + 2;
  if (!source.substr(0, start).ends_with(kZip)) return std::nullopt;
  const u32 dot = start - static_cast<u32>(kZip.size()), first = operand_start(source, dot);
  const std::string left(between(source, first, dot)), right(between(source, start, name - 1));
  const std::string_view inside = trimmed(source.substr(open + 1, close - open - 1));
  if (operation == "map" && is_postfix(right)) {
    const size_t arrow = inside.find("=>");
    const std::string_view head = trimmed(inside.substr(0, arrow));
    if (arrow == std::string_view::npos || !is_name(head)) return std::nullopt;
    const std::string_view body = trimmed(inside.substr(arrow + 2));
    for (const std::string_view other : {"a", "p", "other"})
      if (other != head && count_word(body, other) == 0)
        return Edit{start, stop,
                    right + ").map((" + std::string(other) + ", " + std::string(head) + ") => (" +
                        std::string(other) + ", " + std::string(body) + "))"};
    return std::nullopt;
  }
  // A `for` would need the number of elements.
  if (operation != "reverse" || !inside.empty() || !is_place(left) || !is_place(right) ||
      source_at(source, stop, 1) != ".")
    return std::nullopt;
  const std::string_view index = count_word(left, "i") + count_word(right, "i") == 0 ? "i" : "k";
  const std::string count =
      left == right ? left + ".len()" : "min(" + left + ".len(), " + right + ".len())";
  return Edit{first, stop,
              "(0.." + count + ").map(" + std::string(index) + " => (" + left + "[" +
                  std::string(index) + "], " + right + "[" + right + ".len() - 1 - " +
                  std::string(index) + "]))"};
}

std::optional<Edit> inlined_edit(u32 open, std::string_view source) {
  const size_t close = closing_bracket(source, open);
  if (close == std::string_view::npos) return std::nullopt;
  const u32 stop = static_cast<u32>(close) + 1, chain = operand_start(source, stop);
  // `let ys = `
  size_t at = source.substr(0, chain).find_last_not_of(" \t");
  if (at == std::string_view::npos || source[at] != '=') return std::nullopt;
  at = source.substr(0, at).find_last_not_of(" \t") + 1;
  const std::string_view name = word_before(source, at);
  const size_t binder = source.substr(0, at - name.size()).find_last_not_of(" \t") + 1;
  if (!is_name(name) || word_before(source, binder) != "let") return std::nullopt;
  // The code between it and its only use must change nothing.
  const size_t end = source.find_first_of("{}", stop);
  const std::string_view rest = source.substr(stop, end - stop);
  const std::string used = std::string(name) + ".";
  const size_t use = rest.find(used);
  const bool is_word_begin = use != std::string_view::npos && use > 0 && !is_word(rest[use - 1]);
  if (!is_word_begin || count_word(source.substr(stop), name) != 1) return std::nullopt;
  const size_t statement = rest.find_first_not_of("; \t\r\n");
  if (statement > use) return std::nullopt;
  const std::string_view before = trimmed(rest.substr(statement, use - statement));
  const bool binds = before.starts_with("let ") && before.find('=') + 1 == before.size();
  if (!binds && before.find_first_of("=;") != std::string_view::npos) return std::nullopt;
  const u32 let = static_cast<u32>(binder) - 3;
  return Edit{let, stop + static_cast<u32>(use + name.size()),
              std::string(rest.substr(statement, use - statement)) +
                  std::string(between(source, chain, stop))};
}

namespace {

// `for x in …`, before the traversed value.
struct ForHead {
  size_t begin = 0;       // place of `for`
  std::string_view name;  // a single name as pattern; empty: it is no such head
};
ForHead for_head_before(std::string_view source, size_t in_end) {
  size_t at = source.substr(0, in_end).find_last_not_of(" \t") + 1;
  if (word_before(source, at) != "in") return {};
  at = source.substr(0, at - 2).find_last_not_of(" \t") + 1;
  const std::string_view name = word_before(source, at);
  at = source.substr(0, at - name.size()).find_last_not_of(" \t") + 1;
  if (!is_name(name) || word_before(source, at) != "for") return {};
  return {at - 3, name};
}

// True for mere declarations that neither change names in the chain nor use those that it changes.
bool are_declarations(std::string_view statements, std::string_view chain) {
  while (!(statements = trimmed(statements)).empty()) {
    const bool declares = statements.starts_with("let ") || statements.starts_with("var ");
    const size_t end = statements.find(';');
    const std::string_view name = word_at(statements, 4);
    if (!declares || end == std::string_view::npos || name.empty() ||
        count_word(chain, name) != 0 ||
        statements.substr(0, end).find_first_of("{}\"'") != std::string_view::npos)
      return false;
    statements.remove_prefix(end + 1);
  }
  return true;
}

// The head of a loop over the chain's source, and the `let` for the value that the chain makes.
std::string plain_loop(std::string_view base, std::string_view operation, std::string_view inside,
                       std::string_view name, std::string_view body) {
  const std::string list(base), element(name);
  if (operation == "reverse" && inside.empty()) {
    for (const std::string index : {"i", "k"})
      if (index != name && count_word(body, index) + count_word(base, index) == 0)
        return "for " + index + " in 0.." + list + ".len() { let " + element + " = " + list + "[" +
               list + ".len() - 1 - " + index + "];";
    return {};
  }
  const size_t arrow = inside.find("=>");
  if (arrow == std::string_view::npos) return {};
  const std::string_view own = trimmed(inside.substr(0, arrow));
  const std::string value(trimmed(inside.substr(arrow + 2)));
  if (!is_name(own) || value.empty() || value.starts_with('{')) return {};
  if (own != name && count_word(body, own) != 0) return {};
  // A chain is evaluated before the loop, so other names in it must not change there.
  for (size_t at = 0; at < value.size(); ++at) {
    const bool begins = is_word(value[at]) && (at == 0 || !is_word(value[at - 1]));
    const std::string_view word =
        begins ? word_at(value, static_cast<u32>(at)) : std::string_view();
    if (is_name(word) && word != own && value.substr(at + word.size(), 1) != "(" &&
        count_word(body, word) != 0 && word != name)
      return {};
  }
  // The head of a loop takes a range without its parentheses.
  const bool is_range = base.starts_with('(');
  const std::string head = "for " + std::string(own) + " in " +
                           (is_range ? list.substr(1, list.size() - 2) : list) + " { ";
  if (operation == "map") return head + "let " + element + " = " + value + ";";
  if (operation != "filter") return {};
  const std::string skips = head + "if !(" + value + ") { continue; }";
  return own == name ? skips : skips + " let " + element + " = " + std::string(own) + ";";
}

}  // namespace

std::optional<Edit> gone_through_edit(u32 open, std::string_view source) {
  const size_t close = closing_bracket(source, open);
  const std::string_view operation = word_before(source, open);
  if (close == std::string_view::npos || open <= operation.size()) return std::nullopt;
  const u32 stop = static_cast<u32>(close) + 1, chain = operand_start(source, stop);
  const u32 dot = open - static_cast<u32>(operation.size()) - 1;
  if (source[dot] != '.' || chain >= dot) return std::nullopt;
  const std::string_view base = between(source, chain, dot);
  const bool is_range =
      base.starts_with('(') && base.ends_with(')') && base.find("..") != std::string_view::npos;
  if (!is_place(std::string(base)) && (!is_range || operation == "reverse")) return std::nullopt;

  ForHead head = for_head_before(source, chain);
  size_t begin = head.begin, brace = source.find_first_not_of(" \t", stop);
  std::string between_them;
  if (head.name.empty()) {  // `let ys = `
    size_t at = source.substr(0, chain).find_last_not_of(" \t");
    if (at == std::string_view::npos || source[at] != '=') return std::nullopt;
    at = source.substr(0, at).find_last_not_of(" \t") + 1;
    const std::string_view name = word_before(source, at);
    const size_t binder = source.substr(0, at - name.size()).find_last_not_of(" \t") + 1;
    // Other functions may have a variable of that name, too.
    const size_t next = std::min(source.find("\nfn ", stop), source.find("\npub ", stop));
    const std::string_view own_text =
        source.substr(stop, std::min<size_t>(next, source.size()) - stop);
    if (!is_name(name) || word_before(source, binder) != "let" ||
        source_at(source, stop, 1) != ";" || count_word(own_text, name) != 1)
      return std::nullopt;
    size_t use = source.find(name, stop);
    while (use != std::string_view::npos &&
           (is_word(source[use - 1]) || word_at(source, static_cast<u32>(use)) != name))
      use = source.find(name, use + 1);
    if (use == std::string_view::npos) return std::nullopt;
    head = for_head_before(source, use);
    if (head.name.empty() || head.begin <= stop) return std::nullopt;
    const std::string_view rest = source.substr(stop + 1, head.begin - stop - 1);
    if (!are_declarations(rest, between(source, chain, stop))) return std::nullopt;
    begin = binder - 3;
    const size_t first = std::min(rest.find_first_not_of(" \t\r\n"), rest.size());
    between_them = rest.substr(first);
    brace = source.find_first_not_of(" \t", use + name.size());
  }
  if (brace == std::string_view::npos || source[brace] != '{') return std::nullopt;
  const size_t end = closing_bracket_of_lines(source, brace);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view inside = trimmed(source.substr(open + 1, close - open - 1));
  const std::string loop =
      plain_loop(base, operation, inside, head.name, source.substr(brace, end - brace));
  if (loop.empty()) return std::nullopt;
  return Edit{static_cast<u32>(begin), static_cast<u32>(brace) + 1, between_them + loop};
}

std::optional<Edit> range_edit(u32 dots, std::string_view source) {
  u32 open = dots, depth = 0;
  for (; open > 0; --open) {
    const char c = source[open - 1];
    if (c == '\n') return std::nullopt;
    if (is_quote(c)) {
      const size_t quote = opening_quote(source, open - 1);
      if (quote == std::string_view::npos) return std::nullopt;
      open = static_cast<u32>(quote) + 1;
      continue;
    }
    if (closes_bracket(c)) ++depth;
    if ((c == '(' || c == '[' || c == '{') && depth-- == 0) break;
  }
  if (open-- == 0 || source[open] != '(') return std::nullopt;
  size_t close = closing_bracket(source, open);
  if (close == std::string_view::npos) return std::nullopt;
  const std::string range(source.substr(open + 1, close - open - 1));
  if (range.find(',') != std::string::npos) return std::nullopt;
  constexpr std::string_view kLength = ".len()";
  if (word_before(source, open).empty() && source.substr(close + 1).starts_with(kLength))
    return Edit{static_cast<u32>(close) + 1, static_cast<u32>(close + 1 + kLength.size()),
                ".count()"};
  if (open > 0 && source[open - 1] == '(') {  // `zip((0..n))`
    --open;
    if (closing_bracket(source, open) != close + 1) return std::nullopt;
    ++close;
  }
  const std::string_view word = word_before(source, open);
  const u32 dot = open - static_cast<u32>(word.size()) - 1;
  if (open <= word.size() || source[dot] != '.') return std::nullopt;
  if (word == "extend")
    return Edit{open + 1, static_cast<u32>(close), "(" + range + ").map(i => i)"};
  const u32 first = operand_start(source, dot);
  const std::string list(between(source, first, dot));
  if (word != "zip" || !is_postfix(list)) return std::nullopt;
  return Edit{first, static_cast<u32>(close) + 1,
              "(" + range + ").zip(" + list + ").map((i, x) => (x, i))"};
}

}  // namespace komuz
