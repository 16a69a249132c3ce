// SPDX-License-Identifier: Apache-2.0
#include "tests/lang/grammar_document.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "lang/builtins.h"
#include "lang/tokens.h"

namespace komuz {
namespace {

using std::string;
using std::string_view;

struct Rule {
  string_view name, comment, body;
};
constexpr Rule kRules[] = {
#define RULE(name, comment, body) {#name, comment, body},
#include "tests/lang/grammar_rules.def"
};

// One symbol of a rule's body.
enum class SymbolKind { Punctuation, Token, Terminal, Rule };
struct Symbol {
  SymbolKind kind;
  string_view text;
};
std::vector<Symbol> symbols_of(string_view body) {
  std::vector<Symbol> symbols;
  for (size_t at = 0; at < body.size();) {
    const char c = body[at];
    size_t end = at + 1;
    if (c == ' ') {
      at = end;
    } else if (c == '\'') {
      end = body.find('\'', at + 1);
      symbols.push_back({SymbolKind::Token, body.substr(at + 1, end - at - 1)});
      at = end + 1;
    } else if (std::isalpha(static_cast<unsigned char>(c)) == 0) {
      symbols.push_back({SymbolKind::Punctuation, body.substr(at, 1)});
      at = end;
    } else {
      while (end < body.size() &&
             (std::isalpha(static_cast<unsigned char>(body[end])) != 0 || body[end] == '_'))
        ++end;
      const bool upper = std::isupper(static_cast<unsigned char>(c)) != 0;
      symbols.push_back(
          {upper ? SymbolKind::Terminal : SymbolKind::Rule, body.substr(at, end - at)});
      at = end;
    }
  }
  return symbols;
}

Token token_of(string_view spelling) {
  for (u32 k = 0; k < kTokenCount; ++k)
    if (token_row(static_cast<Token>(k)).spelling == spelling) return static_cast<Token>(k);
  throw std::logic_error("no token is spelled " + string(spelling));
}
constexpr string_view kTokenNames[] = {
#define TOKEN(Name, ...) #Name,
#include "lang/tokens.def"
};
bool is_word(string_view spelling) {
  return !spelling.empty() && std::isalpha(static_cast<unsigned char>(spelling[0])) != 0;
}
bool is_infix_word(Token token) { return token >= Token::Limit && token <= Token::Rec; }
bool is_reserved(Token token) {
  return is_word(token_row(token).spelling) &&
         (!is_contextual(token) || token_row(token).act == Act::Item) && token != Token::Space &&
         token != Token::Test && token != Token::Prop;
}

// Where blanks and line ends beside a token mean nothing.
struct Space {
  bool before, behind;
};
Space space_beside(Token token) {
  switch (token_row(token).act) {
    case Act::Separator: return {true, token != Token::Semi};
    case Act::Infix:
    case Act::Range: return {true, true};
    case Act::Brace: return {true, true};
    case Act::Paren: return {false, true};
    case Act::Close: return {true, false};
    case Act::Minus: return {false, true};
    case Act::Operand:
    case Act::Item:
    case Act::If:
    case Act::Foreign: return {false, !is_word(token_row(token).spelling)};
  }
  return {};
}

// The operators of a class of nodes, in the order of their tokens.
std::vector<Token> operators(std::initializer_list<NodeClass> classes) {
  std::vector<Token> found;
  for (u32 k = 0; k < kTokenCount; ++k) {
    const TokenRow& row = token_row(static_cast<Token>(k));
    const Node node = row.infix;
    if (row.act == Act::Foreign || node == Node::Pow) continue;
    for (const NodeClass c : classes)
      if (node != Node::None && node_row(node).node_class == c)
        found.push_back(static_cast<Token>(k));
  }
  return found;
}
struct OperatorRule {
  string_view name;
  std::vector<Token> tokens;
};
std::vector<OperatorRule> operator_rules() {
  return {{"lazy", operators({NodeClass::Lazy})},
          {"comparison", operators({NodeClass::Compare})},
          {"arithmetic", operators({NodeClass::Arithmetic, NodeClass::Shift})},
          {"update", operators({NodeClass::Update})}};
}

// The operations of chains by their last argument: a lambda, something else, or none but what stands before the `.`.
struct WordRule {
  string_view name;
  std::vector<string_view> words;
};
std::vector<WordRule> chain_rules() {
  std::vector<WordRule> rules = {{"chain", {}}, {"step_with", {}}, {"step", {}}};
  for (u32 k = 0; k < kChainCount; ++k) {
    const ChainRow& row = chain_row(static_cast<ChainOp>(k));
    rules[row.lambda != 0 ? 0 : row.arguments == 2 ? 1 : 2].words.push_back(row.name);
  }
  return rules;
}
constexpr string_view kTypeWords[] = {"List", "Bytes", "Option"};
constexpr string_view kTypeRules[] = {"list", "bytes", "option"};

// ---- Lark

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
    if (name == "COUNT") return "INT";
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
    line("callee", callee);
    line("name", name);
    for (size_t k = 0; k < std::size(kTypeWords); ++k)
      line(kTypeRules[k], '"' + string(kTypeWords[k]) + '"');
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
    terminal_line("NAME", 0, "[A-Za-z_][A-Za-z0-9_]*");
    out_ += "%ignore /[ \\t\\r]+/\n%ignore /\\/\\/[^\\n]*/\n";
  }

  string out_;
  std::set<Token> used_;
};

// ---- GBNF

string quoted(string_view text) {
  string q = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') q += '\\';
    q += c;
  }
  return q + '"';
}

// Rules for names that are none of some words, as an automaton over the words' tree: there is no other way to say "not"
// in a context-free grammar over characters.
class OtherWords {
 public:
  OtherWords(string name, std::vector<string_view> words)
      : name_(std::move(name)), words_(std::move(words)) {}

  string write() {
    states_.clear();
    string text = rule(name_, "", true);
    for (size_t k = 0; k < states_.size(); ++k)
      text += rule(state_name(states_[k]), string(states_[k]), false);
    return text;
  }

 private:
  string state_name(string_view prefix) const { return name_ + "-" + string(prefix); }
  // What may follow a prefix, which is itself no name if it is one of the words.
  string rule(const string& rule_name, const string& prefix, bool start) {
    std::set<char> next;
    for (const string_view word : words_)
      if (word.size() > prefix.size() && word.starts_with(prefix)) next.insert(word[prefix.size()]);
    const bool is_one = std::find(words_.begin(), words_.end(), prefix) != words_.end();
    string text = rule_name + " ::= " + others(next, start) + (start ? " tail" : " tail");
    for (const char c : next) {
      const string longer = prefix + c;
      // States carry names, which have no `_` and no capitals that differ: those of words have neither twice.
      text += " | " + quoted(string(1, c)) + ' ' + state_name(longer);
      states_.push_back(longer);
    }
    if (!start && !is_one) text += " | \"\"";
    return text + '\n';
  }
  static string others(const std::set<char>& without, bool start) {
    string set = "[";
    const auto add = [&](char from, char to) {
      for (char c = from; c <= to;) {
        if (without.contains(c)) {
          ++c;
          continue;
        }
        char end = c;
        while (end < to && !without.contains(static_cast<char>(end + 1))) ++end;
        set += c;
        if (end > c + 1) set += '-';
        if (end > c) set += end;
        c = static_cast<char>(end + 1);
      }
    };
    if (!start) add('0', '9');
    add('A', 'Z');
    add('_', '_');
    add('a', 'z');
    return set + ']';
  }

  string name_;
  std::vector<string_view> words_;
  std::vector<string> states_;
};

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
  static string rule_name(string_view name) {
    string dashed(name);
    std::replace(dashed.begin(), dashed.end(), '_', '-');
    return dashed;
  }
  void line(const string& name, const string& body) { out_ += name + " ::= " + body + '\n'; }
  static string token_text(Token token) {
    const string spelling(token_row(token).spelling);
    if (token == Token::Else) return "ws " + quoted(spelling + ' ');
    if (is_infix_word(token)) return quoted(' ' + spelling + ' ');
    if (is_word(spelling)) {
      const bool operand = token_row(token).ends == Ends::Yes;
      return operand ? quoted(spelling) : quoted(spelling + ' ');
    }
    // Blanks alone before a `;`, so that a line end is an end of a statement.
    const Space beside = space_beside(token);
    const bool semi = token == Token::Semi;
    return string(semi            ? "gap "
                  : beside.before ? "ws "
                                  : "") +
           quoted(spelling) +
           (semi            ? " gap"
            : beside.behind ? " ws"
                            : "");
  }
  static string terminal(string_view name) {
    if (name == "MINUS") return "\"-\" ws";
    if (name == "BREAK") return "line \"-\" ws";
    if (name == "FIELD") return "ws \".\" digits";
    if (name == "BLANK") return "\" \"";
    if (name == "GUARD") return quoted(' ' + string(token_row(Token::If).spelling) + ' ');
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
        case SymbolKind::Rule: text = rule_name(symbol.text); break;
      }
      const bool punctuation = symbol.kind == SymbolKind::Punctuation;
      const bool closes = punctuation && text != "(" && text != "|";
      // What is repeated or left out is one thing.
      if (!opened && !closes) body += ' ';
      const bool several = !punctuation && text.find(' ') != string::npos;
      body += several ? '(' + text + ')' : text;
      opened = punctuation && text == "(";
    }
    line(rule_name(rule.name), body);
  }
  void operators_of(const OperatorRule& rule) {
    string body;
    bool has_slash = false;
    for (const Token token : rule.tokens) {
      if (token == Token::Slash)
        has_slash = true;
      else
        body += (body.empty() ? "" : " | ") + quoted(token_row(token).spelling);
    }
    body = '(' + body + ") ws";
    // Right behind it a comment would make it one.
    if (has_slash) body = '(' + body + " | \"/\" ([ \\n] ws)?)";
    line(string(rule.name), "ws " + body);
  }
  void words() {
    std::vector<string_view> reserved;
    for (u32 k = 0; k < kTokenCount; ++k)
      if (const string_view word = token_row(static_cast<Token>(k)).spelling; is_word(word))
        reserved.push_back(word);
    for (const string_view word : kTypeWords) reserved.push_back(word);
    std::vector<string_view> uncalled = reserved;
    for (const WordRule& rule : chain_rules()) {
      string body;
      for (const string_view word : rule.words) {
        body += (body.empty() ? "" : " | ") + quoted(word);
        if (rule.name == "chain") uncalled.push_back(word);
      }
      line(rule_name(rule.name), body);
    }
    for (size_t k = 0; k < std::size(kTypeWords); ++k)
      line(string(kTypeRules[k]), quoted(kTypeWords[k]));
    out_ +=
        "\n# A name is no word of the language; what is called, no operation of chains that takes "
        "a lambda.\n";
    out_ += OtherWords("name", reserved).write() + OtherWords("callee", uncalled).write();
    out_ += "tail ::= [0-9A-Z_a-z]*\n\n";
  }
  void literals() {
    out_ +=
        "digits ::= [0-9]+\n"
        "count ::= [1-9] ([0-9] ([0-9] [0-9]?)?)?\n"
        "int ::= [0-9] [0-9_]* | \"0x\" [0-9A-Fa-f] [0-9A-F_a-f]* | \"0b\" [01] [01_]* | \"0o\" "
        "[0-7] [0-7_]*\n"
        "float ::= [0-9]+ (\".\" [0-9]+ exponent? | exponent)\n"
        "exponent ::= \"e\" [+-]? [0-9]+\n"
        "string ::= \"\\\"\" ([^\"\\\\\\n] | escape)* \"\\\"\"\n"
        "char ::= \"'\" ([ -&(-[] | \"]\" | \"^\" | [_-~] | escape) \"'\"\n"
        "escape ::= \"\\\\\" ([ntr0\\\\'\"] | \"x\" [0-9A-Fa-f] [0-9A-Fa-f])\n\n"
        "# Blanks; a line end with what is empty behind it; either.\n"
        "gap ::= \" \"*\n"
        "line ::= (gap (\"//\" [^\\n]*)? \"\\n\")+ gap\n"
        "ws ::= gap | line\n";
  }

  string out_;
};

}  // namespace

string lark_grammar() { return LarkWriter().write(); }
string gbnf_grammar() { return GbnfWriter().write(); }

}  // namespace komuz
