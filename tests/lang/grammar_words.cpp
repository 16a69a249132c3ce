// SPDX-License-Identifier: Apache-2.0
#include "tests/lang/grammar_words.h"

#include <algorithm>
#include <set>
#include <utility>

#include "tests/lang/grammar_symbols.h"

namespace komuz::grammar {

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

string dashed(string_view name) {
  string text(name);
  std::ranges::replace(text, '_', '-');
  return text;
}

namespace {
// Rules for names that are none of some words, as an automaton over the words' tree: there is no other way to say "not"
// in a context-free grammar over characters.
class OtherWords {
 public:
  OtherWords(string name, std::vector<string_view> words, string_view behind)
      : name_(std::move(name)), words_(std::move(words)), behind_(behind) {}

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
    return text + behind_ + '\n';
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
  // Written at the end of each rule.
  string behind_;
  std::vector<string> states_;
};
}  // namespace

string other_words(string_view name, std::vector<string_view> words, string_view behind) {
  return OtherWords(string(name), std::move(words), behind).write();
}

std::vector<string_view> reserved_words() {
  std::vector<string_view> words;
  for (u32 k = 0; k < kTokenCount; ++k)
    if (const string_view word = token_row(static_cast<Token>(k)).spelling; is_word(word))
      words.push_back(word);
  for (const WordRule& rule : type_rules()) words.push_back(rule.words[0]);
  return words;
}
std::vector<string_view> uncalled_words() {
  std::vector<string_view> words = reserved_words();
  for (const WordRule& rule : chain_rules())
    if (rule.name == "chain") words.insert(words.end(), rule.words.begin(), rule.words.end());
  return words;
}

string word_rules() {
  string text;
  for (const WordRule& rule : chain_rules()) {
    text += dashed(rule.name) + " ::= ";
    for (const string_view word : rule.words)
      text += (word == rule.words[0] ? "" : " | ") + in_quotes(word);
    text += '\n';
  }
  for (const auto& rules : {type_rules(), grid_rules()})
    for (const WordRule& rule : rules)
      text += string(rule.name) + " ::= " + in_quotes(rule.words[0]) + '\n';
  return text;
}

string literal_rules() {
  return "digits ::= [0-9]+\n"
         "count ::= [1-9] ([0-9] ([0-9] [0-9]?)?)?\n"
         "depth ::= \"1\" [0-6]? | [02-9]\n"
         "int ::= [0-9] [0-9_]* | \"0x\" [0-9A-Fa-f] [0-9A-F_a-f]* | \"0b\" [01] [01_]* | \"0o\" "
         "[0-7] [0-7_]*\n"
         "float ::= [0-9] (\"_\"? [0-9])* (\".\" [0-9]+ exponent? | exponent)\n"
         "exponent ::= \"e\" [+-]? [0-9]+\n"
         "string ::= \"\\\"\" string-rest\n"
         "string-rest ::= [^\"\\\\\\n]* \"\\\"\" | [^\"\\\\\\n]* escape string-rest\n"
         "char ::= \"'\" ([ -&(-[] | \"]\" | \"^\" | [_-~] | escape) \"'\"\n"
         "escape ::= \"\\\\\" ([ntr0\\\\'\"] | \"x\" [0-9A-Fa-f] [0-9A-Fa-f])\n\n";
}

}  // namespace komuz::grammar
