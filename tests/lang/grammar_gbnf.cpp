// SPDX-License-Identifier: Apache-2.0
// The grammar over characters, in the notation of llama.cpp.
#include <cctype>
#include <string_view>

#include "tests/lang/grammar_document.h"
#include "tests/lang/grammar_symbols.h"
#include "tests/lang/grammar_words.h"

namespace komuz {
namespace {

using namespace grammar;
using std::string;
using std::string_view;

class GbnfWriter {
 public:
  string write() {
    out_ +=
        "# The grammar of Komuz for llama.cpp (--grammar-file). Made from the compiler's tables "
        "by\n"
        "# tests/lang/grammar_document_test.cpp: do not edit. docs/grammars.md says how to use "
        "it.\n\n"
        "root ::= program\n";
    for (const Rule& rule : kRules) put(rule);
    out_ += '\n';
    for (const OperatorRule& rule : operator_rules()) operators_of(rule);
    words();
    literals();
    return out_;
  }

 private:
  void line(const string& name, const string& body) { out_ += name + " ::= " + body + '\n'; }
  static string token_text(Token token) {
    const string spelling(token_row(token).spelling);
    if (token == Token::Else) return "ws " + in_quotes(spelling + ' ');
    if (is_infix_word(token)) return in_quotes(' ' + spelling + ' ');
    if (is_word(spelling)) {
      const bool operand = token_row(token).ends == Ends::Yes;
      return operand ? in_quotes(spelling) : in_quotes(spelling + ' ');
    }
    // Blanks alone before a `;`, so that a line end is an end of a statement.
    const Space beside = space_beside(token);
    const bool semi = token == Token::Semi;
    return string(semi            ? "gap "
                  : beside.before ? "ws "
                                  : "") +
           in_quotes(spelling) +
           (semi            ? " gap"
            : beside.behind ? " ws"
                            : "");
  }
  static string terminal(string_view name) {
    if (name == "MINUS") return "\"-\" ws";
    if (name == "BREAK") return "line \"-\" ws";
    if (name == "FIELD") return "ws \".\" digits";
    if (name == "BLANK") return "\" \"";
    if (name == "HOLE") return "\"?\" name";
    if (name == "UNNAMED") return "\"?\"";
    if (name == "GUARD") return in_quotes(' ' + string(token_row(Token::If).spelling) + ' ');
    string rule;
    for (const char c : name)
      rule += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return rule;
  }
  void put(const Rule& rule) {
    if (!rule.comment.empty()) out_ += "# " + string(rule.comment) + '\n';
    string body;
    bool opened = true;
    for (const Symbol& symbol : symbols_of(rule.body)) {
      string text;
      switch (symbol.kind) {
        case SymbolKind::Punctuation: text = symbol.text; break;
        case SymbolKind::Token: text = token_text(token_of(symbol.text)); break;
        case SymbolKind::Terminal: text = terminal(symbol.text); break;
        case SymbolKind::Rule: text = dashed(symbol.text); break;
      }
      const bool punctuation = symbol.kind == SymbolKind::Punctuation;
      const bool closes = punctuation && text != "(" && text != "|";
      // What is repeated or left out is one thing.
      if (!opened && !closes) body += ' ';
      const bool several = !punctuation && text.find(' ') != string::npos;
      body += several ? '(' + text + ')' : text;
      opened = punctuation && text == "(";
    }
    line(dashed(rule.name), body);
  }
  void operators_of(const OperatorRule& rule) {
    string body;
    bool has_slash = false;
    for (const Token token : rule.tokens) {
      if (token == Token::Slash)
        has_slash = true;
      else
        body += (body.empty() ? "" : " | ") + in_quotes(token_row(token).spelling);
    }
    body = '(' + body + ") ws";
    // Right behind it a comment would make it one.
    if (has_slash) body = '(' + body + " | \"/\" ([ \\n] ws)?)";
    line(string(rule.name), "ws " + body);
  }
  void words() {
    out_ += word_rules();
    out_ +=
        "\n# A name is no word of the language; what is called, no operation of chains that takes "
        "a lambda.\n";
    out_ += other_words("name", reserved_words(), "") + other_words("callee", uncalled_words(), "");
    out_ += "tail ::= [0-9A-Z_a-z]*\n\n";
  }
  void literals() {
    out_ += literal_rules();
    out_ +=
        "# Blanks; a line end with what is empty behind it; either.\n"
        "gap ::= \" \"*\n"
        "line ::= (gap (\"//\" [^\\n]*)? \"\\n\")+ gap\n"
        "ws ::= gap | line\n";
  }

  string out_;
};

}  // namespace

std::string gbnf_grammar() { return GbnfWriter().write(); }

}  // namespace komuz
