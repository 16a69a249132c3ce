// SPDX-License-Identifier: Apache-2.0
#include "tests/frontend/grown_programs.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>

#include "lang/builtins.h"
#include "lang/tokens.h"
#include "tests/lang/grammar_symbols.h"

namespace komuz::test {

namespace {

using grammar::Symbol;
using grammar::SymbolKind;
using std::string;
using std::string_view;

bool is_word_byte(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Blanks where the tokens would be one without.
string joined(const string& a, const string& b) {
  if (a.empty() || b.empty()) return a + b;
  const bool touches = is_word_byte(a.back()) && is_word_byte(b.front());
  return touches ? a + " " + b : a + b;
}

// A rule's body as a tree.
struct Part {
  enum class Kind { Sequence, Choice, Optional, Star, Plus, Leaf } kind = Kind::Leaf;
  Symbol leaf{};
  std::vector<Part> parts;
};

class ParseBody {
 public:
  explicit ParseBody(string_view body) : symbols_(grammar::symbols_of(body)) {}
  Part choice() {
    Part all{Part::Kind::Choice, {}, {}};
    all.parts.push_back(sequence());
    while (takes("|")) all.parts.push_back(sequence());
    return all.parts.size() == 1 ? all.parts[0] : all;
  }

 private:
  [[nodiscard]] bool is(string_view mark) const {
    return at_ < symbols_.size() && symbols_[at_].kind == SymbolKind::Punctuation &&
           symbols_[at_].text == mark;
  }
  bool takes(string_view mark) {
    if (!is(mark)) return false;
    ++at_;
    return true;
  }
  Part sequence() {
    Part all{Part::Kind::Sequence, {}, {}};
    while (at_ < symbols_.size() && !is("|") && !is(")")) all.parts.push_back(repeated());
    return all;
  }
  Part repeated() {
    Part part;
    if (takes("(")) {
      part = choice();
      static_cast<void>(takes(")"));
    } else {
      part.leaf = symbols_[at_++];
    }
    if (takes("?")) return {Part::Kind::Optional, {}, {part}};
    if (takes("*")) return {Part::Kind::Star, {}, {part}};
    if (takes("+")) return {Part::Kind::Plus, {}, {part}};
    return part;
  }

  std::vector<Symbol> symbols_;
  size_t at_ = 0;
};

// The texts on either side of something.
struct Around {
  string before, behind;
};

class Grammar {
 public:
  Grammar() {
    for (const grammar::Rule& rule : grammar::kRules)
      rules_.emplace(rule.name, ParseBody(rule.body).choice());
    for (const grammar::OperatorRule& rule : grammar::operator_rules())
      for (const Token token : rule.tokens)
        words_[rule.name].push_back(spelled(token_row(token).spelling));
    for (const auto& rules : {grammar::chain_rules(), grammar::grid_rules(), grammar::type_rules()})
      for (const grammar::WordRule& rule : rules)
        for (const string_view word : rule.words) words_[rule.name].emplace_back(word);
    words_["name"] = words_["callee"] = {"x"};
    find_shortest();
  }

  [[nodiscard]] const std::map<string_view, Part>& rules() const { return rules_; }
  [[nodiscard]] string text(const Part& part) const { return shortest(part).value_or(""); }
  [[nodiscard]] string text(string_view rule) const {
    const auto found = texts_.find(rule);
    return found != texts_.end() ? found->second : words_.at(rule).front();
  }
  // What stands around a rule in the shortest text of another one that has it; none: it has it nowhere.
  [[nodiscard]] std::map<string_view, Around> around_from(string_view start) const {
    std::map<string_view, Around> found{{start, {}}};
    std::vector<string_view> open{start};
    while (!open.empty()) {
      const auto next = std::ranges::min_element(open, {}, [&](string_view rule) {
        return found[rule].before.size() + found[rule].behind.size();
      });
      const string_view rule = *next;
      open.erase(next);
      if (!rules_.contains(rule)) continue;
      for_each_leaf(rules_.at(rule), [&](const Part& leaf, const Around& inside) {
        if (leaf.leaf.kind != SymbolKind::Rule || found.contains(leaf.leaf.text)) return;
        found[leaf.leaf.text] = within(found[rule], inside);
        open.push_back(leaf.leaf.text);
      });
    }
    return found;
  }
  static Around within(const Around& outer, const Around& inner) {
    return {joined(outer.before, inner.before), joined(inner.behind, outer.behind)};
  }
  // visit(part, around) for each leaf of a body, and for each repetition in it.
  template <class Visit>
  void for_each_leaf(const Part& part, Visit visit) const {
    walk(part, {}, visit, [](const Part&, const Around&) {});
  }
  template <class Visit>
  void for_each_repetition(const Part& part, Visit visit) const {
    walk(
        part, {}, [](const Part&, const Around&) {}, visit);
  }
  // The words of a rule that is a choice of words; a rule's alternatives else.
  [[nodiscard]] std::vector<string> choices(const Part& part) const {
    if (part.kind == Part::Kind::Leaf) {
      const auto words = words_.find(part.leaf.text);
      if (part.leaf.kind == SymbolKind::Rule && words != words_.end()) return words->second;
      return {text(part)};
    }
    std::vector<string> all;
    if (part.kind == Part::Kind::Choice) {
      for (const Part& one : part.parts)
        for (string& text : choices(one)) all.push_back(std::move(text));
      return all;
    }
    // Each word of the first part that is a choice of them.
    for (size_t k = 0; k < part.parts.size() && part.kind == Part::Kind::Sequence; ++k) {
      const std::vector<string> words = choices(part.parts[k]);
      if (words.size() < 2) continue;
      for (const string& word : words) {
        string text;
        for (size_t j = 0; j < part.parts.size(); ++j)
          text = joined(text, j == k ? word : this->text(part.parts[j]));
        all.push_back(text);
      }
      return all;
    }
    return {text(part)};
  }

 private:
  static string spelled(string_view spelling) {
    if (is_word_byte(spelling[0])) return string(spelling);
    for (const string_view tight : {"(", ")", "[", "]", "{", "}", ".", ",", "!", ";", ":", "?"})
      if (spelling == tight) return string(spelling) + (spelling == "," ? " " : "");
    return " " + string(spelling) + " ";
  }
  static string of_terminal(string_view name) {
    static const std::map<string_view, string> kTexts = {
        {"NAME", "x"},    {"INT", "1"},      {"FLOAT", "1.0"}, {"STRING", "\"s\""},
        {"CHAR", "'a'"},  {"COUNT", "2"},    {"DEPTH", "1"},   {"HOLE", "?x"},
        {"UNNAMED", "?"}, {"FIELD", ".0"},   {"LINE", "\n"},   {"MINUS", "-"},
        {"BREAK", "\n-"}, {"GUARD", " if "}, {"GAP", " "},     {"BLANK", " "}};
    return kTexts.at(name);
  }
  [[nodiscard]] std::optional<string> shortest(const Part& part) const {
    switch (part.kind) {
      case Part::Kind::Leaf:
        if (part.leaf.kind == SymbolKind::Token) return spelled(part.leaf.text);
        if (part.leaf.kind == SymbolKind::Terminal) return of_terminal(part.leaf.text);
        if (texts_.contains(part.leaf.text)) return texts_.at(part.leaf.text);
        if (words_.contains(part.leaf.text)) return words_.at(part.leaf.text).front();
        return std::nullopt;
      case Part::Kind::Optional:
      case Part::Kind::Star: return "";
      case Part::Kind::Plus: return shortest(part.parts[0]);
      case Part::Kind::Sequence: {
        string all;
        for (const Part& one : part.parts) {
          const std::optional<string> text = shortest(one);
          if (!text) return std::nullopt;
          all = joined(all, *text);
        }
        return all;
      }
      case Part::Kind::Choice: {
        std::optional<string> best;
        for (const Part& one : part.parts)
          if (const std::optional<string> text = shortest(one);
              text && (!best || text->size() < best->size()))
            best = text;
        return best;
      }
    }
    return std::nullopt;
  }
  void find_shortest() {
    for (bool changes = true; changes;) {
      changes = false;
      for (const auto& [name, body] : rules_) {
        const std::optional<string> text = shortest(body);
        if (!text || (texts_.contains(name) && texts_[name].size() <= text->size())) continue;
        texts_[name] = *text;
        changes = true;
      }
    }
  }
  template <class Leaf, class Repetition>
  void walk(const Part& part, const Around& around, Leaf leaf, Repetition repetition) const {
    switch (part.kind) {
      case Part::Kind::Leaf: return leaf(part, around);
      case Part::Kind::Choice:
        for (const Part& one : part.parts) walk(one, around, leaf, repetition);
        return;
      case Part::Kind::Star:
      case Part::Kind::Plus: repetition(part.parts[0], around); [[fallthrough]];
      case Part::Kind::Optional: return walk(part.parts[0], around, leaf, repetition);
      case Part::Kind::Sequence:
        for (size_t k = 0; k < part.parts.size(); ++k) {
          Around own;
          for (size_t j = 0; j < part.parts.size(); ++j)
            if (j != k) {
              string& side = j < k ? own.before : own.behind;
              side = joined(side, text(part.parts[j]));
            }
          walk(part.parts[k], within(around, own), leaf, repetition);
        }
    }
  }

  std::map<string_view, Part> rules_;
  std::map<string_view, std::vector<string>> words_;
  std::map<string_view, string> texts_;
};

class GrowPrograms {
 public:
  std::vector<GrownProgram> all() {
    const auto in_program = grammar_.around_from("program");
    for (const auto& [rule, body] : grammar_.rules()) {
      if (!in_program.contains(rule)) continue;
      const Around& outer = in_program.at(rule);
      const string name(rule);
      grammar_.for_each_repetition(body, [&](const Part& repeated, const Around& inside) {
        const Around around = Grammar::within(outer, inside);
        for (const string& unit : grammar_.choices(repeated))
          add({name + ", repeated", around.before, unit, "", "", around.behind});
      });
      nest(name, body, outer);
      const string program = joined(joined(outer.before, grammar_.text(rule)), outer.behind);
      add({name + ", in items", "", program + "\n", "", "", ""});
    }
    const Around& statement = in_program.at("open");
    for (const auto& [rule, around] : grammar_.around_from("open")) {
      const string text = joined(joined(around.before, grammar_.text(rule)), around.behind);
      add({string(rule) + ", in statements", statement.before, text + "\n", "x", "",
           statement.behind});
    }
    builtins();
    tokens();
    return std::move(programs_);
  }

 private:
  // A rule inside of itself, by way of each of its parts.
  void nest(const string& name, const Part& body, const Around& outer) {
    grammar_.for_each_leaf(body, [&](const Part& leaf, const Around& inside) {
      if (leaf.leaf.kind != SymbolKind::Rule) return;
      const auto found = grammar_.around_from(leaf.leaf.text);
      if (!found.contains(name)) return;
      const Around own = Grammar::within(inside, found.at(name));
      add({name + ", nested", outer.before, own.before, grammar_.text(name), own.behind,
           outer.behind});
    });
  }
  void builtins() {
    for (const BuiltinRow& row : kBuiltins)
      for (const char* const value : {"x", "1.5"}) {
        string call = string(row.name) + "(";
        for (u32 k = 0; k < std::max(builtin_arity(row), 1u); ++k)
          call += (k == 0 ? "" : ", ") + string(value);
        add({string(row.name) + ", called", "fn f(x: i64) -> i64 {\n", "let y = " + call + ");\n",
             "x", "", "}\n"});
      }
  }
  void tokens() {
    for (u32 k = 0; k < kTokenCount; ++k) {
      const string spelling(token_row(static_cast<Token>(k)).spelling);
      if (spelling.empty()) continue;
      const string head = "fn f(x: i64) -> i64 {\n", tail = "\n}\n";
      add({spelling + ", behind each other", head, spelling, "", "", tail});
      add({spelling + ", with blanks", head, spelling + " ", "", "", tail});
      add({spelling + ", on lines", head, spelling + "\n", "", "", tail});
      add({spelling + ", between names", head + "x", " " + spelling + " x", "", "", tail});
      add({spelling + ", between items", "", spelling + " x\n", "", "", ""});
    }
  }
  void add(GrownProgram program) {
    if (program.unit.empty() && program.closing.empty()) return;
    const string key = program.head + '\1' + program.unit + '\1' + program.middle + '\1' +
                       program.closing + '\1' + program.tail;
    if (!seen_.insert(key).second) return;
    programs_.push_back(program);
    program.numbers_names = true;
    if (program.unit.find('x') != string::npos) programs_.push_back(std::move(program));
  }

  Grammar grammar_;
  std::vector<GrownProgram> programs_;
  std::set<string> seen_;
};

// The names `x` with a number behind them.
string numbered(const string& text, u32 number) {
  string out;
  for (size_t k = 0; k < text.size(); ++k) {
    out += text[k];
    const bool is_name = text[k] == 'x' && (k == 0 || !is_word_byte(text[k - 1])) &&
                         (k + 1 == text.size() || !is_word_byte(text[k + 1]));
    if (is_name) out += std::to_string(number);
  }
  return out;
}

}  // namespace

string GrownProgram::text(size_t bytes) const {
  // No line is longer than a program's may be. Behind a `,` or an operator a line end means nothing.
  constexpr size_t kLine = 30'000;
  string out = head, closings;
  size_t line = 0;
  for (u32 k = 1; out.size() + closings.size() < bytes; ++k) {
    const string one = numbers_names ? numbered(unit, k) : unit;
    line = one.find('\n') == string::npos ? line + one.size() : 0;
    size_t end = 0;
    if (line > kLine) {
      while (end < one.size() && !is_word_byte(one[end])) ++end;
      line = 0;
    }
    out += end == 0 ? one : one.substr(0, end) + "\n" + one.substr(end);
    if (line == 0 && end == 0 && one.find('\n') == string::npos) out += '\n';
    closings += closing;
    if (!closing.empty() && closings.size() / kLine != (closings.size() - closing.size()) / kLine)
      closings += '\n';
  }
  return out + middle + closings + tail;
}

std::vector<GrownProgram> grown_programs() { return GrowPrograms().all(); }

}  // namespace komuz::test
