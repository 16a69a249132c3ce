// SPDX-License-Identifier: Apache-2.0
// The grammar over characters for decoders with a mask of their vocabulary for each place of a rule, in the notation
// of XGrammar. Blanks are in the places of grammar_tree.h. Names are followed by what may follow them, so that tokens
// that cannot follow are not tried.
#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string_view>

#include "tests/lang/grammar_blanks.h"
#include "tests/lang/grammar_document.h"
#include "tests/lang/grammar_symbols.h"
#include "tests/lang/grammar_words.h"

namespace komuz {
namespace {

using namespace grammar;
using std::string;
using std::string_view;

class EbnfWriter {
 public:
  string write() {
    out_ +=
        "# The grammar of Komuz for XGrammar. Made from the compiler's tables by\n"
        "# tests/lang/grammar_document_test.cpp: do not edit. docs/grammars.md says how to use "
        "it.\n"
        "# Blanks are written at the start of what stands behind them: `lines-value` is a `value` "
        "with blanks and\n"
        "# line ends in front, `gap-…` with blanks, `one-…` with one.\n\n"
        "root ::= program\n";
    for (const Rule& rule : kRules) put(rule);
    out_ += '\n' + word_rules();
    names();
    out_ += literal_rules();
    out_ +=
        "# A line end and what is empty behind it; such lines, or none.\n"
        "line ::= [ ]* \"\\n\" lines | [ ]* \"//\" [^\\n]* \"\\n\" lines\n"
        "lines ::= line?\n";
    return out_;
  }

 private:
  void line(const string& name, const string& body) { out_ += name + " ::= " + body + '\n'; }
  static Spelled spelled(const Symbol& symbol) {
    if (symbol.kind == SymbolKind::Token) return spelled(token_of(symbol.text));
    const string_view name = symbol.text;
    if (name == "MINUS") return {"\"-\"", Blanks::None, Blanks::Lines};
    if (name == "BREAK") return {"line [ ]* \"-\"", Blanks::LineEnd, Blanks::Lines};
    if (name == "FIELD") return {"\".\" digits", Blanks::Lines, Blanks::None};
    if (name == "LINE") return {"line", Blanks::LineEnd, Blanks::Gap};
    if (name == "BLANK") return {"", Blanks::One, Blanks::None};
    if (name == "GAP") return {"", Blanks::Gap, Blanks::None};
    if (name == "HOLE") return {"\"?\" name", Blanks::None, Blanks::None};
    if (name == "UNNAMED") return {"\"?\"", Blanks::None, Blanks::None};
    if (name == "GUARD")
      return {in_quotes(token_row(Token::If).spelling), Blanks::One, Blanks::One};
    string rule = dashed(name);
    for (char& c : rule) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return {rule, Blanks::None, Blanks::None};
  }
  static Spelled spelled(Token token) {
    const string_view spelling = token_row(token).spelling;
    const string text = in_quotes(spelling);
    if (token == Token::Else) return {text, Blanks::Lines, Blanks::One};
    if (is_infix_word(token)) return {text, Blanks::One, Blanks::One};
    if (is_word(spelling))
      return {text, Blanks::None, token_row(token).ends == Ends::Yes ? Blanks::None : Blanks::One};
    // Blanks alone before a `;`, so that a line end is an end of a statement.
    if (token == Token::Semi) return {text, Blanks::Gap, Blanks::Gap};
    const Space beside = space_beside(token);
    return {text, beside.before ? Blanks::Lines : Blanks::None,
            beside.behind ? Blanks::Lines : Blanks::None};
  }
  // Right behind a `/` a comment would make it one.
  static std::map<string_view, std::vector<Spelled>> operators() {
    std::map<string_view, std::vector<Spelled>> made;
    for (const OperatorRule& rule : operator_rules()) {
      string single, others;
      for (const Token token : rule.tokens) {
        const string_view text = token_row(token).spelling;
        if (text.size() > 1)
          others += (others.empty() ? "" : " | ") + in_quotes(text);
        else if (token != Token::Slash)
          single += text;
      }
      // Last, a `-` is no range.
      std::ranges::partition(single, [](char c) { return c != '-'; });
      if (!single.empty())
        made[rule.name].push_back({'[' + single + ']', Blanks::Lines, Blanks::Lines});
      if (!others.empty())
        made[rule.name].push_back({'(' + others + ')', Blanks::Lines, Blanks::Lines});
      if (has_slash(rule)) made[rule.name].push_back({"\"/\"", Blanks::Lines, Blanks::Slash});
    }
    return made;
  }
  static bool has_slash(const OperatorRule& rule) {
    return std::ranges::find(rule.tokens, Token::Slash) != rule.tokens.end();
  }
  void put(const Rule& rule) {
    if (!rule.comment.empty()) out_ += "# " + string(rule.comment) + '\n';
    for (const BlankCarrier::Written& one : carrier_.write(rule.name)) line(one.name, one.body);
  }
  void names() {
    const string behind = " (=" + behind_names() + ')';
    out_ +=
        "\n# A name is no word of the language; what is called, no operation of chains that takes "
        "a lambda.\n";
    line("name", "callee | chain" + behind);
    for (const BlankCarrier::Written& one : carrier_.words()) line(one.name, one.body + behind);
    out_ += other_words("callee", uncalled_words(), behind);
    line("tail", "[0-9A-Z_a-z]*" + behind + '\n');
  }
  // What a token that is no word starts with, and blanks.
  static string behind_names() {
    std::set<char> starts;
    for (u32 k = 0; k < kTokenCount; ++k) {
      const TokenRow& row = token_row(static_cast<Token>(k));
      if (!row.spelling.empty() && !is_word(row.spelling) && row.act != Act::Foreign)
        starts.insert(row.spelling[0]);
    }
    string set = "[ \\n";
    for (const char c : starts)
      set += string(c == '[' || c == ']' || c == '^' || c == '-' ? "\\" : "") + c;
    return set + ']';
  }

  string out_;
  BlankCarrier carrier_{[](const Symbol& symbol) { return spelled(symbol); }, operators()};
};

}  // namespace

std::string ebnf_grammar() { return EbnfWriter().write(); }

}  // namespace komuz
