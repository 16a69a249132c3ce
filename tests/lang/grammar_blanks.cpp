// SPDX-License-Identifier: Apache-2.0
#include "tests/lang/grammar_blanks.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "tests/lang/grammar_words.h"

namespace komuz::grammar {

using std::string;
using std::string_view;
using std::vector;

namespace {

string_view name_of(Blanks blanks) {
  switch (blanks) {
    case Blanks::None: return "";
    case Blanks::One: return "one";
    case Blanks::Gap: return "gap";
    case Blanks::Lines: return "lines";
    case Blanks::OneLines: return "one-lines";
    case Blanks::GapOne: return "gap-one";
    case Blanks::Slash: return "slash";
    case Blanks::LineEnd: break;
  }
  throw std::logic_error("blanks that are never carried");
}

// True if there is a `|` or a space outside of brackets and literals.
bool has_outside(string_view text, char wanted) {
  int depth = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"' || c == '[') {
      const char end = c == '"' ? '"' : ']';
      for (++at; text[at] != end; ++at)
        if (text[at] == '\\') ++at;
    } else if (c == '(') {
      ++depth;
    } else if (c == ')') {
      --depth;
    } else if (c == wanted && depth == 0) {
      return true;
    }
  }
  return false;
}
string choice_of(const vector<string>& alternatives) {
  string text;
  bool may_be_empty = false;
  for (const string& one : alternatives) {
    if (one.empty())
      may_be_empty = true;
    else
      text += (text.empty() ? "" : " | ") + one;
  }
  return may_be_empty && !text.empty() ? '(' + text + ")?" : text;
}
string joined(string_view head, string_view tail) {
  if (head.empty()) return string(tail);
  if (tail.empty()) return string(head);
  const auto closed = [](string_view text) {
    return has_outside(text, '|') ? '(' + string(text) + ')' : string(text);
  };
  return closed(head) + ' ' + closed(tail);
}
string times(const string& text, char mark) {
  const char last = text.back();
  const bool one = !has_outside(text, ' ') && last != '?' && last != '*' && last != '+';
  return (one ? text : '(' + text + ')') + mark;
}

}  // namespace

BlankCarrier::BlankCarrier(Spell spell, std::map<string_view, vector<Spelled>> made)
    : spell_(std::move(spell)), made_(std::move(made)) {
  for (const Rule& rule : kRules) trees_[rule.name] = tree_of(rule.body);
  for (bool grown = true; grown;) {
    grown = false;
    for (const auto& [name, tree] : trees_) {
      Kinds found;
      for (const Sequence& sequence : tree)
        if (add_firsts(sequence, 0, found))
          throw std::logic_error("a rule may be empty: " + string(name));
      grown |= found.size() > firsts_[name].size();
      firsts_[name] = std::move(found);
    }
  }
  for (bool grown = true; grown;) {
    grown = false;
    for (const auto& [name, tree] : trees_) grown |= add_followers(tree, followers_[name]);
  }
  asked_[kRules[0].name] = {Blanks::None};
  while (add_ends()) {
  }
}

vector<BlankCarrier::Written> BlankCarrier::words() const {
  vector<Written> rules;
  for (const auto& [word, kinds] : spaced_)
    for (const Blanks before : kinds)
      rules.push_back({string(name_of(before)) + '-' + word, joined(written(before), word)});
  return rules;
}
vector<BlankCarrier::Written> BlankCarrier::write(string_view rule) {
  rule_ = rule;
  helpers_.clear();
  vector<Written> rules;
  for (const Blanks carried : Kinds(asked_[rule]))
    for (const auto& [left, texts] : write(trees_.at(rule), carried, followers_[rule]))
      rules.push_back({full_name(rule, carried, left), choice_of(texts)});
  for (const auto& [name, texts] : helpers_) rules.push_back({name, choice_of(texts)});
  return rules;
}
string BlankCarrier::spaced(const string& word, Blanks before) {
  spaced_[word].insert(before);
  return string(name_of(before)) + '-' + word;
}
string BlankCarrier::full_name(string_view rule, Blanks carried, Blanks left) {
  string name = dashed(rule);
  if (carried != Blanks::None) name = string(name_of(carried)) + '-' + name;
  if (ends_[rule].size() > 1) name += '-' + string(name_of(left));
  return name;
}

bool BlankCarrier::add_firsts(const Sequence& sequence, size_t at, Kinds& found) const {
  for (; at < sequence.size(); ++at) {
    add_firsts(sequence[at], found);
    if (sequence[at].times == Times::Once || sequence[at].times == Times::Some) return false;
  }
  return true;
}
void BlankCarrier::add_firsts(const Item& item, Kinds& found) const {
  const string_view name = item.symbol.text;
  if (item.is_group()) {
    for (const Sequence& sequence : item.alternatives) add_firsts(sequence, 0, found);
  } else if (trees_.contains(name) && item.symbol.kind == SymbolKind::Rule) {
    if (const auto of = firsts_.find(name); of != firsts_.end())
      found.insert(of->second.begin(), of->second.end());
  } else if (const auto made = made_.find(name); made != made_.end()) {
    for (const Spelled& one : made->second) found.insert(one.before);
  } else {
    found.insert(spell_(item.symbol).before);
  }
}

bool BlankCarrier::add_followers(const vector<Sequence>& alternatives, const Kinds& behind) {
  bool grown = false;
  for (const Sequence& sequence : alternatives) {
    for (size_t k = 0; k < sequence.size(); ++k) {
      const Item& item = sequence[k];
      Kinds next;
      if (add_firsts(sequence, k + 1, next)) next.insert(behind.begin(), behind.end());
      if (item.times == Times::Any || item.times == Times::Some) add_firsts(item, next);
      if (item.is_group()) {
        grown |= add_followers(item.alternatives, next);
      } else if (item.symbol.kind == SymbolKind::Rule && trees_.contains(item.symbol.text)) {
        Kinds& of = followers_[item.symbol.text];
        const size_t before = of.size();
        of.insert(next.begin(), next.end());
        grown |= of.size() > before;
      }
    }
  }
  return grown;
}

bool BlankCarrier::add_ends() {
  bool grown = false;
  for (const auto& [name, tree] : trees_) {
    rule_ = name;
    helpers_.clear();
    Kinds found;
    for (const Blanks carried : Kinds(asked_[name])) {
      const size_t asked = count_of_asked_;
      for (const auto& variant : write(tree, carried, followers_[name]))
        found.insert(variant.first);
      grown |= count_of_asked_ > asked;
    }
    grown |= found.size() > ends_[name].size();
    ends_[name] = std::move(found);
  }
  return grown;
}

void BlankCarrier::add(Variants& all, Blanks left, const string& text) {
  vector<string>& texts = all[left];
  if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
}
void BlankCarrier::append(Variants& all, const vector<string>& head, const Variants& rest) {
  // A choice that ends in front of `rest` would be a rule of its own.
  for (const auto& [left, texts] : rest)
    for (const string& one : head) add(all, left, joined(one, choice_of(texts)));
}

BlankCarrier::Variants BlankCarrier::ended(Blanks carried, const Kinds& behind) {
  // Behind a program stands nothing.
  if (behind.empty()) return {{Blanks::None, {string(written(carried))}}};
  const bool taken =
      std::ranges::all_of(behind, [&](Blanks before) { return takes(before, carried); });
  return {{taken ? Blanks::None : carried, {""}}};
}

BlankCarrier::Variants BlankCarrier::write(const vector<Sequence>& alternatives, Blanks carried,
                                           const Kinds& behind) {
  Variants all;
  for (const Sequence& sequence : alternatives)
    for (const auto& [left, texts] : write(sequence, 0, carried, behind))
      for (const string& text : texts) add(all, left, text);
  return all;
}

BlankCarrier::Variants BlankCarrier::write(const Sequence& items, size_t at, Blanks carried,
                                           const Kinds& behind) {
  if (at == items.size()) return ended(carried, behind);
  const Item& item = items[at];
  if (item.times == Times::Any || item.times == Times::Some)
    return repeated(items, at, carried, behind);
  const Variants taken = once(items, at, carried, behind);
  Variants all;
  if (item.times == Times::Once) {
    for (const auto& [left, texts] : taken) append(all, texts, write(items, at + 1, left, behind));
    return all;
  }
  const Variants without = write(items, at + 1, carried, behind);
  if (taken.size() == 1 && write(items, at + 1, taken.begin()->first, behind) == without) {
    append(all, {times(choice_of(taken.begin()->second), '?')}, without);
    return all;
  }
  for (const auto& [left, texts] : taken) append(all, texts, write(items, at + 1, left, behind));
  for (const auto& [left, texts] : without)
    for (const string& text : texts) add(all, left, text);
  return all;
}

BlankCarrier::Variants BlankCarrier::once(const Sequence& items, size_t at, Blanks carried,
                                          const Kinds& behind) {
  const Item& item = items[at];
  const string_view name = item.symbol.text;
  Variants all;
  Kinds first;
  add_firsts(item, first);
  const bool is_rule = item.symbol.kind == SymbolKind::Rule && trees_.contains(name);
  if (item.is_group()) {
    Kinds next;
    if (add_firsts(items, at + 1, next)) next.insert(behind.begin(), behind.end());
    if (item.times == Times::Any || item.times == Times::Some)
      next.insert(first.begin(), first.end());
    // Where blanks are left, each goes on by itself: the group would end in front of them.
    for (const auto& [left, texts] : write(item.alternatives, carried, next))
      for (const string& text : left == Blanks::None ? vector{choice_of(texts)} : texts)
        add(all, left, text);
    return all;
  }
  if (is_rule) {
    const bool taken =
        std::ranges::all_of(first, [&](Blanks before) { return takes(before, carried); });
    const Blanks asked = taken ? Blanks::None : carried;
    if (asked_[name].insert(asked).second) ++count_of_asked_;
    for (const Blanks left : ends_[name]) add(all, left, full_name(name, asked, left));
    return all;
  }
  const auto made = made_.find(name);
  for (const Spelled& one :
       made != made_.end() ? made->second : vector<Spelled>{spell_(item.symbol)}) {
    const Blanks before = together(carried, one.before);
    // Blanks alone.
    if (one.text.empty())
      add(all, before, "");
    else if (spaced_.contains(one.text) && before != Blanks::None)
      add(all, one.behind, spaced(one.text, before));
    else
      add(all, one.behind, joined(written(before), one.text));
  }
  return all;
}

BlankCarrier::Variants BlankCarrier::repeated(const Sequence& items, size_t at, Blanks carried,
                                              const Kinds& behind) {
  const Item& item = items[at];
  const Variants first = once(items, at, carried, behind);
  Variants all;
  if (first.empty()) return all;
  const Blanks left = first.begin()->first;
  const Variants again = once(items, at, left, behind);
  const bool loops = first.size() == 1 && again.size() == 1 && again.begin()->first == left;
  // Where a repetition leaves blanks, its end would stand in front of them.
  if (loops && (left == Blanks::None || item.times == Times::Some)) {
    const string more = choice_of(again.begin()->second);
    const Variants rest = write(items, at + 1, left, behind);
    if (first == again) {
      append(all, {times(more, item.times == Times::Some || left != carried ? '+' : '*')}, rest);
    } else {
      for (const string& one : first.begin()->second)
        append(all, {joined(one, times(more, '*'))}, rest);
    }
    if (item.times == Times::Any && left != carried)
      for (const auto& [end, texts] : write(items, at + 1, carried, behind))
        for (const string& text : texts) add(all, end, text);
    return all;
  }
  if (item.times == Times::Some)
    throw std::logic_error("what is repeated at least once leaves blanks");
  // A rule that goes on to the end of the sequence, for each kind of blanks before it.
  string name = dashed(rule_) + "-more";
  if (carried != Blanks::None) name = string(name_of(carried)) + '-' + name;
  Variants rest = write(items, at + 1, carried, behind);
  if (rest.size() > 1)
    throw std::logic_error("what is behind a repetition leaves blanks of two kinds");
  const Blanks end = rest.empty() ? Blanks::None : rest.begin()->first;
  if (!helpers_.contains(name)) {
    helpers_[name] = {};
    vector<string> texts;
    for (const auto& [kind, some] : first) {
      const Variants next = repeated(items, at, kind, behind);
      for (const auto& variant : next)
        for (const string& one : some) texts.push_back(joined(one, choice_of(variant.second)));
    }
    for (const auto& variant : rest)
      texts.insert(texts.end(), variant.second.begin(), variant.second.end());
    helpers_[name] = texts;
  }
  add(all, end, name);
  return all;
}

}  // namespace komuz::grammar
