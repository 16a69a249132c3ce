// SPDX-License-Identifier: Apache-2.0
// One walk over the positions of a document. Widths are precomputed sums, so each group decides at once, and the time
// is proportional to the number of words (apart from sorting the stretches).
#include <algorithm>
#include <string>

#include "services/format/document.h"

namespace komuz::services {

namespace {

enum class Mode : u8 {
  Flat,    // the whole content stays on the line
  Open,    // its own separators stay, inner groups decide for themselves
  Broken,  // its own separators are line ends
  Filled,  // its own separators are line ends where a line is full
};

bool may_break(const Separator& s) {
  return s.kind == SeparatorKind::Soft || s.kind == SeparatorKind::SoftSpace ||
         s.kind == SeparatorKind::Hard;
}
u32 flat_width(const Separator& s) {
  return s.kind == SeparatorKind::Space || s.kind == SeparatorKind::SoftSpace ? 1 : 0;
}

class Printer {
 public:
  explicit Printer(Document document) : d_(std::move(document)) {
    hand_comments_on();
    measure();
    order_stretches();
  }

  std::string print() {
    size_t next = 0;
    for (u32 p = 0; p < positions(); ++p) {
      while (next < stretches_.size() && stretches_[next].from == p) open(stretches_[next++]);
      if (p % 2 == 0)
        separate(p);
      else
        write(d_.words[p / 2]);
      while (!open_.empty() && open_.back().to <= p) close();
    }
    return std::move(out_);
  }

 private:
  struct Stretch {
    u32 from, to;
    u32 group;
    bool is_indent;
  };

  [[nodiscard]] u32 positions() const { return 2 * static_cast<u32>(d_.words.size()) + 1; }

  // A comment that ends a line waits for the next separator that may be a line end. A comment that owns its line
  // makes a line end in its place.
  void hand_comments_on() {
    std::vector<Comment> waiting;
    forced_.assign(d_.separators.size(), 0);
    for (size_t w = 0; w < d_.separators.size(); ++w) {
      std::vector<Comment>& here = d_.comments[w].comments;
      const bool owns_line = std::ranges::any_of(here, &Comment::owns_line);
      const bool is_end = w + 1 == d_.separators.size();
      const Separator& s = d_.separators[w];
      here.insert(here.begin(), waiting.begin(), waiting.end());
      waiting.clear();
      if (here.empty()) continue;
      if (owns_line || is_end || (may_break(s) && !s.hands_comments_on)) {
        forced_[w] = 1;
        continue;
      }
      waiting = std::move(here);
      here.clear();
      d_.comments[w].blank_behind = false;
    }
  }

  void measure() {
    flat_.assign(positions() + 1, 0);
    hard_.assign(positions() + 1, 0);
    tail_.assign(positions() + 1, 0);
    for (u32 p = 0; p < positions(); ++p) {
      flat_[p + 1] = flat_[p];
      hard_[p + 1] = hard_[p];
      if (p % 2 != 0) {
        flat_[p + 1] += d_.words[p / 2].width;
        continue;
      }
      const Separator& s = d_.separators[p / 2];
      flat_[p + 1] += flat_width(s) + s.semicolon + (s.comma == CommaKind::Always);
      hard_[p + 1] += s.kind == SeparatorKind::Hard || forced_[p / 2] != 0;
    }
    for (u32 p = positions(); p-- > 0;) {
      if (p % 2 != 0) {
        tail_[p] = d_.words[p / 2].width + tail_[p + 1];
        continue;
      }
      const Separator& s = d_.separators[p / 2];
      const bool ends = may_break(s) || forced_[p / 2] != 0;
      tail_[p] =
          s.semicolon + (s.comma != CommaKind::None) + (ends ? 0 : flat_width(s) + tail_[p + 1]);
    }
  }

  // Outer stretches before inner ones, and a group before the lines that it indents.
  void order_stretches() {
    for (u32 g = 0; g < d_.groups.size(); ++g)
      stretches_.push_back({d_.groups[g].from, d_.groups[g].to, g, false});
    for (const Indent& indent : d_.indents)
      stretches_.push_back({indent.from, indent.to, indent.group, true});
    std::ranges::stable_sort(stretches_, [](const Stretch& a, const Stretch& b) {
      if (a.from != b.from) return a.from < b.from;
      if (a.to != b.to) return a.to > b.to;
      return !a.is_indent && b.is_indent;
    });
    modes_.assign(d_.groups.size(), Mode::Flat);
  }

  [[nodiscard]] u32 room() const { return column_ < kLineWidth ? kLineWidth - column_ : 0; }
  // True if positions [from, to] and the rest up to the next break fit on the line.
  [[nodiscard]] bool fits(u32 from, u32 to) const {
    return hard_[to + 1] == hard_[from] && flat_[to + 1] - flat_[from] + tail_[to + 1] <= room();
  }
  [[nodiscard]] bool fits_alone(u32 from, u32 to) const {
    return hard_[to + 1] == hard_[from] && flat_[to + 1] - flat_[from] <= room();
  }

  [[nodiscard]] Mode decide(const Group& g) const {
    const Mode around = groups_.empty() ? Mode::Broken : modes_[groups_.back()];
    if (around == Mode::Flat || fits(g.from, g.to)) return Mode::Flat;
    switch (g.kind) {
      case GroupKind::Fits: return Mode::Broken;
      case GroupKind::Hug: {
        const bool hugs = g.hug_end != 0 && fits_alone(g.from, g.hug_end) &&
                          (g.to % 2 != 0 || forced_[g.to / 2] == 0);
        return hugs ? Mode::Open : Mode::Broken;
      }
      case GroupKind::First: {
        const u32 first = g.from / 2;
        const bool stays =
            forced_[first] == 0 && flat_width(d_.separators[first]) + tail_[g.from + 1] <= room();
        return stays ? Mode::Open : Mode::Broken;
      }
      case GroupKind::Fill: return Mode::Filled;
    }
    return Mode::Broken;
  }

  void open(const Stretch& s) {
    open_.push_back(s);
    if (s.is_indent) {
      const bool breaks = modes_[s.group] == Mode::Broken || modes_[s.group] == Mode::Filled;
      indents_.push_back(std::min(indents_.back() + (breaks ? kIndentWidth : 0), kMostIndent));
    } else {
      modes_[s.group] = decide(d_.groups[s.group]);
      groups_.push_back(s.group);
    }
  }
  void close() {
    if (open_.back().is_indent)
      indents_.pop_back();
    else
      groups_.pop_back();
    open_.pop_back();
  }

  [[nodiscard]] bool breaks(u32 p) const {
    const Separator& s = d_.separators[p / 2];
    if (forced_[p / 2] != 0 || s.kind == SeparatorKind::Hard) return true;
    if (!may_break(s) || groups_.empty()) return false;
    switch (modes_[groups_.back()]) {
      case Mode::Flat:
      case Mode::Open: return false;
      case Mode::Broken: return true;
      case Mode::Filled: return s.opens || s.closes || flat_width(s) + tail_[p + 1] > room();
    }
    return false;
  }

  void separate(u32 p) {
    const u32 w = p / 2;
    const Separator& s = d_.separators[w];
    const bool broken = breaks(p);
    if (s.semicolon) put(";");
    if (s.comma == CommaKind::Always || (s.comma == CommaKind::IfBroken && broken)) put(",");
    const bool is_end = w == d_.words.size();
    if (broken || is_end) return end_line(w, is_end);
    if (flat_width(s) != 0) put(" ");
  }

  void end_line(u32 w, bool is_end) {
    const Separator& s = d_.separators[w];
    const PlacedComments& placed = d_.comments[w];
    // After an unforeseen line end the text goes on in the next line.
    const u32 indent = indents_.back() + (may_break(s) || is_end || w == 0 ? 0 : kIndentWidth);
    bool wants_blank = s.blank_line;
    bool may_leave_blank = !s.opens && w != 0;
    for (size_t k = 0; k < placed.comments.size(); ++k) {
      const Comment& comment = placed.comments[k];
      if (k == 0 && !comment.owns_line && w != 0) {
        put(" ");
      } else {
        const bool blank = wants_blank || (comment.blank_before && may_leave_blank);
        new_line(blank && w + k != 0, indent + (s.closes ? kIndentWidth : 0));
        wants_blank = false;
      }
      put(comment.text);
      may_leave_blank = true;
    }
    if (is_end) {
      put("\n");
      return;
    }
    const bool blank = wants_blank || (placed.blank_behind && !s.closes);
    new_line(blank, indent);
  }
  void new_line(bool blank, u32 indent) {
    if (out_.empty()) return;  // at the start of the file
    out_ += blank ? "\n\n" : "\n";
    out_.append(indent, ' ');
    column_ = indent;
  }

  void put(std::string_view text) {
    out_ += text;
    column_ += static_cast<u32>(text.size());
  }
  void write(const Word& word) {
    out_ += word.text;
    column_ += word.width;
  }

  Document d_;
  std::vector<u8> forced_;  // by separator: comments make it a line end
  // By position, sums over all positions before it: columns if nothing breaks, and forced line ends.
  std::vector<u32> flat_, hard_;
  std::vector<u32> tail_;  // columns from a position to the next one that may be a line end
  std::vector<Stretch> stretches_, open_;
  std::vector<u32> groups_;  // open ones
  std::vector<Mode> modes_;
  std::vector<u32> indents_{0};
  std::string out_;
  u32 column_ = 0;
};

}  // namespace

std::string print_document(Document document) { return Printer(std::move(document)).print(); }

}  // namespace komuz::services
