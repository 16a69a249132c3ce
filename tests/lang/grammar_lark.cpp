// SPDX-License-Identifier: Apache-2.0
// The grammar over tokens, in Lark's notation.
#include <cctype>
#include <set>
#include <string_view>

#include "tests/lang/grammar_document.h"
#include "tests/lang/grammar_symbols.h"

namespace komuz {
namespace {

using namespace grammar;
using std::string;
using std::string_view;

constexpr string_view kTokenNames[] = {
#define TOKEN(Name, ...) #Name,
#include "lang/tokens.def"
};

constexpr string_view kSpace = R"((?:[ \t\r\n]|\/\/[^\n]*\n)*)";

string upper_snake(string_view camel) {
  string name;
  for (const char c : camel) {
    if (std::isupper(static_cast<unsigned char>(c)) != 0 && !name.empty()) name += '_';
    name += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return name;
}
string lark_terminal(Token token) {
  const string_view spelling = token_row(token).spelling;
  if (is_word(spelling) && token != Token::Else) return '"' + string(spelling) + '"';
  return upper_snake(kTokenNames[static_cast<u8>(token)]);
}
string escaped(string_view spelling) {
  string pattern;
  for (const char c : spelling) {
    if (string_view("/.|^*+?()[]{}").find(c) != string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

class LarkWriter {
 public:
  string write() {
    head();
    out_ += "start: program\n\n";
    for (const Rule& rule : kRules) put(rule);
    out_ += '\n';
    for (const OperatorRule& rule : operator_rules()) {
      string body;
      for (const Token token : rule.tokens) {
        if (!body.empty()) body += " | ";
        body += use(token);
        // Behind an operand a `-` goes on with it, also on a new line.
        if (token == Token::Minus) body += " | BREAK";
      }
      line(rule.name, body);
    }
    names();
    terminals();
    return out_;
  }

 private:
  void head() {
    out_ +=
        "// The grammar of Komuz for Lark and tools that read its notation. Made from the "
        "compiler's tables by\n"
        "// tests/lang/grammar_document_test.cpp: do not edit. docs/grammars.md says how to use "
        "it.\n"
        "//   lark.Lark(text, parser=\"earley\", lexer=\"basic\")\n"
        "// Operators of different precedence stand in one row where that is no matter for what "
        "parses.\n\n";
  }
  string use(Token token) {
    used_.insert(token);
    return lark_terminal(token);
  }
  void line(string_view name, string_view body) {
    out_ += string(name) + ": " + string(body) + '\n';
  }
  static string terminal(string_view name) {
    if (name == "COUNT" || name == "DEPTH") return "INT";
    if (name == "MINUS") return "(MINUS | BREAK)";
    if (name == "GUARD") return lark_terminal(Token::If);
    return name == "GAP" || name == "BLANK" ? string() : string(name);
  }
  void put(const Rule& rule) {
    if (!rule.comment.empty()) out_ += "// " + string(rule.comment) + '\n';
    string body;
    bool opened = true;
    for (const Symbol& symbol : symbols_of(rule.body)) {
      string text;
      switch (symbol.kind) {
        case SymbolKind::Punctuation: text = symbol.text; break;
        case SymbolKind::Token: text = use(token_of(symbol.text)); break;
        case SymbolKind::Terminal: text = terminal(symbol.text); break;
        case SymbolKind::Rule: text = rule_name(symbol.text); break;
      }
      if (symbol.text == "MINUS" && symbol.kind == SymbolKind::Terminal) used_.insert(Token::Minus);
      if (text.empty()) continue;
      const bool closes = symbol.kind == SymbolKind::Punctuation && text != "(" && text != "|";
      if (!opened && !closes) body += ' ';
      body += text;
      opened = symbol.kind == SymbolKind::Punctuation && text == "(";
    }
    line(rule_name(rule.name), body);
  }
  static string rule_name(string_view name) { return string(name); }
  void names() {
    string callee = "NAME", name = "callee";
    for (u32 k = 0; k < kTokenCount; ++k) {
      const Token token = static_cast<Token>(k);
      if (is_word(token_row(token).spelling) && !is_reserved(token) && used_.contains(token))
        callee += " | " + lark_terminal(token);
    }
    for (const WordRule& rule : chain_rules()) {
      string words;
      for (const string_view word : rule.words)
        words += (words.empty() ? "\"" : " | \"") + string(word) + '"';
      line(rule.name, words);
      (rule.name == "chain" ? name : callee) += " | " + string(rule.name);
    }
    for (const WordRule& rule : grid_rules()) callee += " | " + string(rule.name);
    line("callee", callee);
    line("name", name);
    for (const auto& rules : {type_rules(), grid_rules()})
      for (const WordRule& rule : rules) line(rule.name, '"' + string(rule.words[0]) + '"');
    out_ += '\n';
  }
  void terminal_line(const string& name, u32 priority, const string& pattern) {
    out_ += name + (priority != 0 ? "." + std::to_string(priority) : "") + ": /" + pattern + "/\n";
  }
  // Longer operators go first. A keyword goes before a name because Lark has it so.
  void terminals() {
    const string space(kSpace);
    for (const Token token : used_) {
      const string_view spelling = token_row(token).spelling;
      if (token == Token::Else) {
        terminal_line("ELSE", 20, space + "else(?=[ \\t\\r\\n{\\/])" + space);
        continue;
      }
      if (is_word(spelling)) continue;
      const Space beside = space_beside(token);
      terminal_line(lark_terminal(token), 10 + static_cast<u32>(spelling.size()),
                    (beside.before ? space : "") + escaped(spelling) +
                        (token == Token::Slash ? "(?!\\/)" : "") + (beside.behind ? space : ""));
    }
    terminal_line("FIELD", 12, space + "\\.[0-9]+");
    const string line_end = R"((?:[ \t\r]|\/\/[^\n]*)*\n)" + space;
    terminal_line("BREAK", 11, line_end + "-" + space);
    terminal_line("LINE", 5, line_end);
    terminal_line(
        "FLOAT", 3,
        R"([0-9][0-9_]*(?:\.[0-9][0-9_]*(?:[eE][+-]?[0-9][0-9_]*)?|[eE][+-]?[0-9][0-9_]*))");
    terminal_line("INT", 2, "0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|[0-9][0-9_]*");
    terminal_line("STRING", 2, R"("(?:[^"\\\n]|\\[ntr0\\'"]|\\x[0-9a-fA-F]{2})*")");
    terminal_line("CHAR", 2, R"('(?:[ -&(-\[\]-~]|\\[ntr0\\'"]|\\x[0-9a-fA-F]{2})')");
    terminal_line("HOLE", 2, "\\?[A-Za-z_][A-Za-z0-9_]*");
    terminal_line("UNNAMED", 1, "\\?");
    terminal_line("NAME", 0, "[A-Za-z_][A-Za-z0-9_]*");
    out_ += "%ignore /[ \\t\\r]+/\n%ignore /\\/\\/[^\\n]*/\n";
  }

  string out_;
  std::set<Token> used_;
};

}  // namespace

std::string lark_grammar() { return LarkWriter().write(); }

}  // namespace komuz
