// SPDX-License-Identifier: Apache-2.0
// The bodies of rules over characters, with blanks in the places of grammar_tree.h.
#pragma once
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/lang/grammar_tree.h"

namespace komuz::grammar {

class BlankCarrier {
 public:
  // How a token or a terminal is spelled. `made`: the rules outside of grammar_rules.def that have blanks beside
  // them, as alternatives.
  using Spell = std::function<Spelled(const Symbol&)>;
  BlankCarrier(Spell spell, std::map<std::string_view, std::vector<Spelled>> made);

  struct Written {
    std::string name, body;
  };
  // The rule, or the rules that it is split into: one for each kind of blanks that it leaves. Behind them, a rule for
  // a repeated part that may leave blanks each time.
  [[nodiscard]] std::vector<Written> write(std::string_view rule);

  // The rules for words with blanks in front.
  [[nodiscard]] std::vector<Written> words() const;

 private:
  using Kinds = std::set<Blanks>;
  // Possible texts, by the blanks that are left behind them.
  using Variants = std::map<Blanks, std::vector<std::string>>;

  // Adds the blanks before possible first symbols at `at`. Returns whether the text may be empty.
  bool add_firsts(const Sequence& sequence, size_t at, Kinds& found) const;
  void add_firsts(const Item& item, Kinds& found) const;
  bool add_followers(const std::vector<Sequence>& alternatives, const Kinds& behind);
  bool add_ends();

  std::string spaced(const std::string& word, Blanks before);
  std::string full_name(std::string_view rule, Blanks carried, Blanks left);
  Variants write(const std::vector<Sequence>& alternatives, Blanks carried, const Kinds& behind);
  Variants write(const Sequence& items, size_t at, Blanks carried, const Kinds& behind);
  Variants once(const Sequence& items, size_t at, Blanks carried, const Kinds& behind);
  Variants repeated(const Sequence& items, size_t at, Blanks carried, const Kinds& behind);
  // A rule ends: returns the remaining blanks.
  static Variants ended(Blanks carried, const Kinds& behind);
  static void add(Variants& all, Blanks left, const std::string& text);
  static void append(Variants& all, const std::vector<std::string>& head, const Variants& rest);

  Spell spell_;
  std::map<std::string_view, std::vector<Sequence>> trees_;
  std::map<std::string_view, std::vector<Spelled>> made_;
  std::map<std::string_view, Kinds> firsts_, followers_, ends_;
  // The blanks with which each rule is requested.
  std::map<std::string_view, Kinds> asked_;
  size_t count_of_asked_ = 0;
  std::map<std::string, Kinds, std::less<>> spaced_ = {{"name", {}}, {"callee", {}}};
  // The rule being written.
  std::string_view rule_;
  std::map<std::string, std::vector<std::string>> helpers_;
};

}  // namespace komuz::grammar
