// SPDX-License-Identifier: Apache-2.0
#include "tests/lang/grammar_tree.h"

#include <stdexcept>

namespace komuz::grammar {

using std::string;
using std::string_view;

Blanks together(Blanks carried, Blanks before) {
  if (carried == Blanks::None) return before;
  if (before == Blanks::None) return carried;
  switch (before) {
    case Blanks::LineEnd:
      if (carried != Blanks::Gap && carried != Blanks::Lines) break;
      return before;
    case Blanks::Gap:
      if (carried == Blanks::Gap || carried == Blanks::Lines) return carried;
      break;
    case Blanks::Lines:
      if (carried == Blanks::Gap || carried == Blanks::Lines) return Blanks::Lines;
      if (carried == Blanks::One) return Blanks::OneLines;
      break;
    case Blanks::One:
      if (carried == Blanks::Gap) return Blanks::GapOne;
      break;
    case Blanks::None:
    case Blanks::OneLines:
    case Blanks::GapOne:
    case Blanks::Slash: break;
  }
  throw std::logic_error("blanks of two kinds meet that have not met before");
}

bool takes(Blanks before, Blanks carried) {
  switch (carried) {
    case Blanks::None: return true;
    case Blanks::Gap:
      return before == Blanks::Gap || before == Blanks::Lines || before == Blanks::LineEnd;
    case Blanks::Lines: return before == Blanks::Lines || before == Blanks::LineEnd;
    case Blanks::One:
    case Blanks::OneLines:
    case Blanks::GapOne:
    case Blanks::Slash:
    case Blanks::LineEnd: return false;
  }
  return false;
}

string_view written(Blanks blanks) {
  switch (blanks) {
    case Blanks::None:
    case Blanks::LineEnd: return "";
    case Blanks::One: return "\" \"";
    case Blanks::Gap: return "[ ]*";
    case Blanks::Lines: return "lines [ ]*";
    case Blanks::OneLines: return "\" \" lines [ ]*";
    case Blanks::GapOne: return "[ ]* \" \"";
    case Blanks::Slash: return "(\" \" line | \"\\n\" lines)? [ ]*";
  }
  return "";
}

namespace {
class TreeReader {
 public:
  explicit TreeReader(string_view body) : symbols_(symbols_of(body)) {}
  std::vector<Sequence> read() {
    std::vector<Sequence> found(1);
    for (; at_ < symbols_.size(); ++at_) {
      const Symbol& symbol = symbols_[at_];
      if (symbol.kind != SymbolKind::Punctuation) {
        found.back().push_back({symbol, Times::Once, {}});
      } else if (symbol.text == "(") {
        ++at_;
        Item group{symbol, Times::Once, read()};
        found.back().push_back(std::move(group));
      } else if (symbol.text == ")") {
        break;
      } else if (symbol.text == "|") {
        found.emplace_back();
      } else {
        found.back().back().times = symbol.text == "?"   ? Times::Optional
                                    : symbol.text == "*" ? Times::Any
                                                         : Times::Some;
      }
    }
    return found;
  }

 private:
  std::vector<Symbol> symbols_;
  size_t at_ = 0;
};
}  // namespace
std::vector<Sequence> tree_of(string_view body) { return TreeReader(body).read(); }

}  // namespace komuz::grammar
