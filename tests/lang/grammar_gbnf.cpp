// SPDX-License-Identifier: Apache-2.0
// The grammar over characters, in the notation of llama.cpp.
#include <algorithm>
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

string in_quotes(string_view text) {
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
  // Names of rules are of letters, digits and `-`.
  string state_name(string_view prefix) const {
    string name = name_ + "-" + string(prefix);
    std::ranges::replace(name, '_', '-');
    return name;
  }
  // What may follow a prefix, which is itself no name if it is one of the words.
  string rule(const string& rule_name, const string& prefix, bool start) {
    std::set<char> next;
    for (const string_view word : words_)
      if (word.size() > prefix.size() && word.starts_with(prefix)) next.insert(word[prefix.size()]);
    const bool is_one = std::find(words_.begin(), words_.end(), prefix) != words_.end();
    string text = rule_name + " ::= " + others(next, start) + " tail";
    for (const char c : next) {
      const string longer = prefix + c;
      text += " | " + in_quotes(string(1, c)) + ' ' + state_name(longer);
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
        body += (body.empty() ? "" : " | ") + in_quotes(token_row(token).spelling);
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
    for (const WordRule& rule : type_rules()) reserved.push_back(rule.words[0]);
    std::vector<string_view> uncalled = reserved;
    for (const WordRule& rule : chain_rules()) {
      string body;
      for (const string_view word : rule.words) {
        body += (body.empty() ? "" : " | ") + in_quotes(word);
        if (rule.name == "chain") uncalled.push_back(word);
      }
      line(rule_name(rule.name), body);
    }
    for (const auto& rules : {type_rules(), grid_rules()})
      for (const WordRule& rule : rules) line(string(rule.name), in_quotes(rule.words[0]));
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
        "depth ::= \"1\" [0-6]? | [02-9]\n"
        "int ::= [0-9] [0-9_]* | \"0x\" [0-9A-Fa-f] [0-9A-F_a-f]* | \"0b\" [01] [01_]* | \"0o\" "
        "[0-7] [0-7_]*\n"
        "float ::= [0-9] (\"_\"? [0-9])* (\".\" [0-9]+ exponent? | exponent)\n"
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

std::string gbnf_grammar() { return GbnfWriter().write(); }

}  // namespace komuz
