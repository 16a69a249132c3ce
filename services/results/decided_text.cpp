// SPDX-License-Identifier: Apache-2.0
#include "services/results/decided_text.h"

#include <algorithm>

#include "frontend_gpu/frontend.h"
#include "frontend_gpu/view.h"
#include "services/format.h"
#include "services/item_text.h"
#include "services/snippet.h"

namespace komuz::services {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const size_t begin = std::min(text.find_first_not_of(kBlanks), text.size());
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

// The tokens of statements, which go as they are rewritten for reading.
class ShownTokens {
 public:
  explicit ShownTokens(std::string_view text) {
    frontend::Compiler compiler;
    static_cast<void>(compiler.identify(text));
    const frontend::Columns& c = compiler.columns();
    for (frontend::Index t = 0; t < c.tokens; ++t) {
      const u32 begin = c.token_start[t], end = begin + c.token_length[t];
      tokens_.push_back({text.substr(begin, end - begin), text.substr(end_, begin - end_)});
      end_ = end;
      has_comments_ = has_comments_ || tokens_.back().gap.find("//") != std::string_view::npos;
    }
  }

  // `({ let b: f64 = R; b * 2.0 })` is `(R * 2.0)`: parameters of spaces stand for names. Then `((0.5))` is `(0.5)`, and parentheses
  // around all of it go.
  void shorten() {
    if (has_comments_) return;
    while (place_names() || open_block() || drop_parentheses()) continue;
  }
  [[nodiscard]] std::string text() const {
    std::string out;
    for (const Token& token : tokens_) out.append(token.gap).append(token.text);
    return out;
  }

 private:
  struct Token {
    std::string_view text, gap;  // the gap is before it
  };
  static bool is_name(std::string_view text) {
    return !text.empty() && is_word_byte(text[0]) && (text[0] < '0' || text[0] > '9');
  }
  [[nodiscard]] std::string_view at(size_t k) const {
    return k < tokens_.size() ? tokens_[k].text : std::string_view();
  }
  void erase(size_t begin, size_t end) {
    tokens_.erase(tokens_.begin() + static_cast<std::ptrdiff_t>(begin),
                  tokens_.begin() + static_cast<std::ptrdiff_t>(end));
  }
  // The token behind the bracket that closes the one at `open`; else none is there.
  [[nodiscard]] size_t behind_bracket(size_t open) const {
    size_t depth = 0;
    for (size_t k = open; k < tokens_.size(); ++k) {
      if (at(k) == "(" || at(k) == "[" || at(k) == "{") ++depth;
      if ((at(k) == ")" || at(k) == "]" || at(k) == "}") && --depth == 0) return k + 1;
    }
    return tokens_.size() + 1;
  }
  // Does one of these tokens stand in the brackets at `open`, and in none within?
  [[nodiscard]] bool has_inside(size_t open, std::string_view any, std::string_view other) const {
    const size_t end = behind_bracket(open);
    for (size_t k = open + 1; k + 1 < end; ++k) {
      if (at(k) == any || at(k) == other) return true;
      if (at(k) == "(" || at(k) == "[" || at(k) == "{") k = behind_bracket(k) - 1;
    }
    return false;
  }

  // The first `let` of names that takes nothing but names, such as `let (p, q): (f64, f64) = (R, x);`. True: it is gone.
  bool place_names() {
    for (size_t let = 0; let < tokens_.size(); ++let) {
      if (at(let) != "let") continue;
      std::vector<std::string_view> names, values;
      size_t k = let + 1;
      if (!read_names(k, names) || at(k) != ":") continue;
      ++k;
      k = at(k) == "(" ? behind_bracket(k) : k + 1;
      if (at(k) != "=") continue;
      ++k;
      if (!read_names(k, values) || at(k) != ";" || names.size() != values.size()) continue;
      if (std::ranges::any_of(names,
                              [&](std::string_view name) {
                                return is_bound_elsewhere(name, let, k) ||
                                       std::ranges::find(values, name) != values.end();
                              }) ||
          std::ranges::any_of(values, [&](std::string_view value) { return is_bound(value); }))
        continue;
      for (size_t use = k + 1; use < tokens_.size(); ++use)
        if (const auto found = std::ranges::find(names, at(use)); found != names.end())
          tokens_[use].text = values[static_cast<size_t>(found - names.begin())];
      tokens_[k + 1 < tokens_.size() ? k + 1 : k].gap = tokens_[let].gap;
      erase(let, k + 1);
      return true;
    }
    return false;
  }
  // `x`, or `(x, y)`.
  bool read_names(size_t& k, std::vector<std::string_view>& out) const {
    const bool is_list = at(k) == "(";
    if (is_list) ++k;
    for (;;) {
      if (!is_name(at(k))) return false;
      out.push_back(at(k++));
      if (!is_list) return true;
      if (at(k) == ")") return ++k, true;
      if (at(k++) != ",") return false;
    }
  }
  [[nodiscard]] bool is_bound(std::string_view name) const {
    for (size_t k = 0; k < tokens_.size(); ++k)
      if (at(k) == name && ((k > 0 && (at(k - 1) == "let" || at(k - 1) == "var")) ||
                            at(k + 1) == ":" || at(k + 1) == "=>"))
        return true;
    return false;
  }
  // Names that stand before the `let`, are bound again, or follow a `.`: a field has that name.
  [[nodiscard]] bool is_bound_elsewhere(std::string_view name, size_t let, size_t behind) const {
    for (size_t k = 0; k < tokens_.size(); ++k) {
      if ((k >= let && k <= behind) || at(k) != name) continue;
      const std::string_view next = at(k + 1), before = k == 0 ? std::string_view() : at(k - 1);
      if (k < let || before == "." || before == "let" || before == "var" || next == ":" ||
          next == "=" || next == "=>" || next == "(")
        return true;
    }
    return false;
  }
  // `({ x })`, without statements. True: the braces are gone.
  bool open_block() {
    for (size_t k = 0; k + 1 < tokens_.size(); ++k) {
      if (at(k) != "(" || at(k + 1) != "{") continue;
      const size_t end = behind_bracket(k + 1);
      if (end >= tokens_.size() || at(end) != ")" || end == k + 3 || has_inside(k + 1, ";", "let"))
        continue;
      tokens_[k + 2].gap = {};
      tokens_[end].gap = {};
      erase(end - 1, end);
      erase(k + 1, k + 2);
      return true;
    }
    return false;
  }
  // Inner ones of two, and those around all. True: some are gone.
  bool drop_parentheses() {
    for (size_t k = 0; k < tokens_.size(); ++k) {
      if (at(k) != "(") continue;
      const size_t end = behind_bracket(k);
      // A block without them would be a statement.
      const bool is_all = k == 0 && end == tokens_.size() && at(1) != "{";
      const bool is_inner = k > 0 && at(k - 1) == "(" && behind_bracket(k - 1) == end + 1;
      if (!(is_all || is_inner) || end == k + 2 || has_inside(k, ",", ";")) continue;
      tokens_[k + 1].gap = tokens_[k].gap;
      erase(end - 1, end);
      erase(k, k + 1);
      return true;
    }
    return false;
  }

  std::vector<Token> tokens_;
  u32 end_ = 0;
  bool has_comments_ = false;
};

// The names that stand in the text, in their order.
std::vector<std::string> names_in(frontend::Compiler& compiler, std::string_view text) {
  static_cast<void>(compiler.identify(text));
  const frontend::Columns& c = compiler.columns();
  std::vector<std::string> names;
  for (frontend::Index t = 0; t < c.tokens; ++t)
    if (frontend::token_at(c, t) == Token::Name)
      names.emplace_back(text.substr(c.token_start[t], c.token_length[t]));
  return names;
}

}  // namespace

std::string statements_on_one_line(std::string_view statements) {
  // A name or a number: the content of most holes.
  if (std::ranges::all_of(statements, [](char c) { return is_word_byte(c) || c == '.'; }))
    return std::string(statements);
  // A name that the statements do not call: a recursive function would be written with a bound.
  const std::string head = "fn " + std::string(kSnippetFunction) + "() -> () {";
  constexpr std::string_view kFoot = "}";
  frontend::Compiler compiler;
  const Formatted formatted = format(compiler, head + "\n" + std::string(statements) + "\n}\n");
  std::string_view body = statements;
  if (formatted.ok) {
    const std::string_view whole = trimmed(formatted.text);
    // If it is broken into lines, it has more commas.
    if (whole.find('\n') == std::string_view::npos)
      body = trimmed(whole.substr(head.size(), whole.size() - head.size() - kFoot.size()));
    // A name that other languages have for something of ours, such as `pi`, may be that of a parameter, which the formatter does not see.
    if (names_in(compiler, body) != names_in(compiler, statements)) body = statements;
  }
  static_cast<void>(compiler.identify(body));
  const frontend::Columns& c = compiler.columns();
  return on_one_line(c, {0, c.tokens});
}

std::string shown_on_one_line(std::string_view statements) {
  if (statements.find_first_of("({;") == std::string_view::npos)
    return statements_on_one_line(statements);
  ShownTokens tokens(statements);
  tokens.shorten();
  return statements_on_one_line(tokens.text());
}

std::vector<FilledHole> list_filled(const engine::VariantPlan& plan, const engine::Fill& fill) {
  std::vector<FilledHole> out;
  const std::vector<Hole>& holes = plan.sketch().holes;
  u32 behind = 0;  // nested holes are shown with the outer one
  for (u32 number = 0; number < holes.size(); ++number) {
    const Hole& hole = holes[number];
    // Decisions of a space are shown where it is expanded.
    if (hole.within != kNoSpace || hole.form == HoleForm::Free || hole.span.begin < behind)
      continue;
    behind = hole.span.end;
    // The text beside a hole belongs to the program.
    const u32 begin = fill.offset_of(hole.span.begin - 1) + 1, end = fill.offset_of(hole.span.end);
    out.push_back({number, begin, std::max(begin, end)});
  }
  return out;
}

std::vector<Decided> list_decided(const engine::VariantPlan& plan, const engine::Fill& fill,
                                  std::string_view program, const IsShownElsewhere& is_shown,
                                  size_t most) {
  std::vector<Decided> out;
  const std::vector<u32>& all = plan.program().decisions;
  size_t bytes = 0;
  std::vector<u32> shown;
  for (const FilledHole& filled : list_filled(plan, fill)) {
    if (bytes > most) break;
    const auto decision = std::ranges::find_if(all, [&](u32 d) {
      const std::vector<u32>& places = plan.decision(d).holes;
      return std::ranges::find(places, filled.hole) != places.end();
    });
    if (decision == all.end() || std::ranges::find(shown, *decision) != shown.end() ||
        (is_shown && std::ranges::any_of(plan.decision(*decision).holes, is_shown)))
      continue;
    shown.push_back(*decision);
    const Hole& hole = plan.sketch().holes[filled.hole];
    out.push_back(
        {hole.expands == kNoSpace ? hole.name : plan.sketch().spaces[hole.expands].name,
         shown_on_one_line(trimmed(program.substr(filled.begin, filled.end - filled.begin))),
         filled.hole});
    bytes += out.back().name.size() + out.back().text.size();
  }
  return out;
}

std::string decided_text(std::span<const Decided> decided) {
  std::string text;
  for (const Decided& one : decided)
    text.append(text.empty() ? "" : ", ")
        .append(one.name.empty() ? "?" : one.name)
        .append(" = ")
        .append(one.text);
  return text;
}

}  // namespace komuz::services
