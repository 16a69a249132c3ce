// SPDX-License-Identifier: Apache-2.0
#include "services/editor/selection_ranges.h"

#include <algorithm>

#include "frontend_gpu/findings/collect.h"
#include "frontend_gpu/view.h"
#include "services/front_end_names.h"
#include "services/item_text.h"
#include "services/items.h"

namespace komuz::services {
namespace {

// Nobody grows a selection so often. Clients read them as texts in one another, and many read no more than some
// hundred levels of JSON.
constexpr size_t kMostSelections = 100;

class Selections {
 public:
  Selections(const Analysis& analysis, u32 place)
      : analysis_(analysis),
        text_(analysis.text()),
        first_(analysis.in_program(0)),
        place_(std::min(place, static_cast<u32>(text_.size()))) {}

  std::vector<SelectionRange> list() {
    add_word();
    add_expressions();
    add_brackets();
    add_line();
    for (const TextItem& item : list_items(analysis_.columns(), analysis_.program())) {
      add_program(item.head_begin, item.end);
      add_program(item.begin, item.end);
    }
    add(0, static_cast<u32>(text_.size()));
    std::ranges::stable_sort(found_, {}, [](const SelectionRange& s) { return s.end - s.begin; });
    // Each holds the one before: what overlaps it comes of a broken text.
    std::vector<SelectionRange> nested;
    for (const SelectionRange& one : found_)
      if (nested.empty() || (one != nested.back() && one.begin <= nested.back().begin &&
                             one.end >= nested.back().end))
        nested.push_back(one);
    // The smallest stay, and the largest: the item, with its comments, and the text.
    constexpr std::ptrdiff_t kOutermost = 3;
    if (nested.size() > kMostSelections)
      nested.erase(nested.begin() + kMostSelections - kOutermost, nested.end() - kOutermost);
    return nested;
  }

 private:
  void add(u32 begin, u32 end) {
    if (begin <= place_ && place_ <= end && end <= text_.size()) found_.push_back({begin, end});
  }
  void add_program(u32 begin, u32 end) {
    if (begin >= first_) add(begin - first_, end - first_);
  }
  void add_word() {
    u32 begin = place_, end = place_;
    while (begin > 0 && is_word_byte(text_[begin - 1])) --begin;
    while (end < text_.size() && is_word_byte(text_[end])) ++end;
    if (begin != end) add(begin, end);
  }
  void add_expressions() {
    const Columns& c = analysis_.columns();
    const Index token = analysis_.token_around(first_ + place_);
    if (token == kNone) return;
    add_program(c.token_start[token], c.token_start[token] + c.token_length[token]);
    for (Index node = analysis_.node_of(token); node != kNone;
         node = frontend::parent_of(c, node)) {
      if (frontend::node_kind(c, node) == Node::ItemEnd) break;
      const frontend::Span span = frontend::subtree_span(c, node);
      if (span.end <= analysis_.program().size()) add_program(span.begin, span.end);
    }
  }
  // As the tokens are written: between brackets, and with them.
  void add_brackets() {
    const Columns& c = analysis_.written();
    std::vector<Index> open;
    for (Index t = 0; t < analysis_.written_tokens(); ++t) {
      const Token token = frontend::word_at(c, t);
      const Act act = token_row(token).act;
      if (act == Act::Item) open.clear();
      if (act == Act::Paren || act == Act::Brace) open.push_back(t);
      if (act != Act::Close || open.empty()) continue;
      const Index opener = open.back();
      open.pop_back();
      const u32 begin = c.token_start[opener], end = c.token_start[t];
      add_program(begin, end + c.token_length[t]);
      add_inside(begin + 1, end);
    }
  }
  // Without the blanks at both ends.
  void add_inside(u32 begin, u32 end) {
    const std::string_view program = analysis_.program();
    constexpr std::string_view kBlanks = " \t\r\n";
    while (begin < end && kBlanks.find(program[begin]) != std::string_view::npos) ++begin;
    while (end > begin && kBlanks.find(program[end - 1]) != std::string_view::npos) --end;
    if (begin < end) add_program(begin, end);
  }
  // What stands on the line, and of a comment all of its lines.
  void add_line() {
    SelectionRange line = line_at(place_);
    add(line.begin, line.end);
    if (!is_comment(line)) return;
    SelectionRange all = line;
    while (all.begin > 0) {
      const SelectionRange above = line_at(begin_of_line(all.begin) - 1);
      if (begin_of_line(all.begin) == 0 || !is_comment(above)) break;
      all.begin = above.begin;
    }
    for (;;) {
      const size_t next = text_.find('\n', all.end);
      if (next == std::string_view::npos) break;
      const SelectionRange below = line_at(static_cast<u32>(next) + 1);
      if (!is_comment(below)) break;
      all.end = below.end;
    }
    add(all.begin, all.end);
  }
  [[nodiscard]] u32 begin_of_line(u32 byte) const {
    const size_t before = byte == 0 ? std::string_view::npos : text_.rfind('\n', byte - 1);
    return before == std::string_view::npos ? 0 : static_cast<u32>(before) + 1;
  }
  [[nodiscard]] SelectionRange line_at(u32 byte) const {
    SelectionRange line{begin_of_line(byte),
                        static_cast<u32>(std::min(text_.find('\n', byte), text_.size()))};
    const auto is_blank = [&](u32 at) {
      return text_[at] == ' ' || text_[at] == '\t' || text_[at] == '\r';
    };
    while (line.begin < line.end && is_blank(line.begin)) ++line.begin;
    while (line.end > line.begin && is_blank(line.end - 1)) --line.end;
    return line;
  }
  [[nodiscard]] bool is_comment(const SelectionRange& line) const {
    return text_.substr(line.begin, line.end - line.begin).starts_with("//");
  }

  const Analysis& analysis_;
  std::string_view text_;
  u32 first_, place_;
  std::vector<SelectionRange> found_;
};

}  // namespace

std::vector<SelectionRange> selections_around(const Analysis& analysis, u32 place) {
  return Selections(analysis, place).list();
}

}  // namespace komuz::services
