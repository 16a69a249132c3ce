// SPDX-License-Identifier: Apache-2.0
//   title
//   label of y
//   1,000 ┤   plot
//       0 ┤
//         └──┬─────────┬──
//           100       200
//               label of x
//   ● a layer that stands out
//   · the diagonal
//   notes
#include "services/charts/text_chart.h"

#include <algorithm>
#include <cmath>

#include "services/display_text.h"

namespace komuz::services {

namespace {

constexpr u32 kLeastWidth = 40, kMostWidth = 100, kRows = 16;
constexpr u32 kDotsAcross = 2, kDotsDown = 4;  // of a character of braille

// The bit of U+2800 for each dot.
constexpr u8 kDots[kDotsDown][kDotsAcross] = {
    {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};

std::string braille(u8 dots) {
  return {static_cast<char>(0xE2), static_cast<char>(0xA0 | dots >> 6),
          static_cast<char>(0x80 | (dots & 0x3F))};
}

// The cell, among `count`, of a place from 0 to 1.
u32 cell_of(f64 at, u32 count) {
  return std::min(static_cast<u32>(std::clamp(at, 0.0, 1.0) * count), count - 1);
}

class TextWriter {
 public:
  TextWriter(const Chart& chart, u32 width) : chart_(chart) {
    width_ = std::clamp(width, kLeastWidth, kMostWidth);
    for (const Tick& tick : chart.y.scale.ticks())
      margin_ = std::max<u32>(margin_, static_cast<u32>(shown_width(tick.label)));
    margin_ = std::min(margin_, width_ / 3);
    columns_ = width_ - margin_ - 2;
    dots_.resize(size_t{columns_} * kRows);
    stands_out_.resize(dots_.size());
    diagonal_.resize(dots_.size());
  }

  std::string write() {
    out_ = fitted(chart_.title, width_) + "\n";
    if (!chart_.message.empty()) return out_ + chart_.message + "\n";
    for (const Layer& layer : chart_.layers) draw(layer);
    out_ += fitted(chart_.y.label, width_) + "\n";
    rows();
    x_axis();
    for (const Layer& layer : chart_.layers)
      if (!layer.label.empty() && layer.kind != LayerKind::Points)
        out_ +=
            fitted((layer.kind == LayerKind::Diagonal ? "· " : "● ") + layer.label, width_) + "\n";
    for (const std::string& note : chart_.notes) out_ += fitted(note, width_) + "\n";
    return std::move(out_);
  }

 private:
  void draw(const Layer& layer) {
    if (layer.kind == LayerKind::Diagonal)
      for (u32 column = 0; column < columns_; ++column) {
        const f64 at = (column + 0.5) / columns_;
        diagonal_[size_t{cell_of(1 - at, kRows)} * columns_ + column] = true;
      }
    for (const Mark& mark : layer.marks) {
      const u32 x = cell_of(mark.x, columns_ * kDotsAcross),
                y = cell_of(1 - mark.y, kRows * kDotsDown);
      const size_t cell = size_t{y / kDotsDown} * columns_ + x / kDotsAcross;
      dots_[cell] |= kDots[y % kDotsDown][x % kDotsAcross];
      if (layer.kind == LayerKind::Chosen) stands_out_[cell] = true;
    }
  }

  void rows() {
    std::vector<std::string> labels(kRows);
    for (const Tick& tick : chart_.y.scale.ticks())
      if (!tick.label.empty()) labels[cell_of(1 - tick.at, kRows)] = tick.label;
    for (u32 row = 0; row < kRows; ++row) {
      const std::string label = fitted(labels[row], margin_);
      std::string line(margin_ - std::min<size_t>(margin_, shown_width(label)), ' ');
      line += label + (label.empty() ? " │" : " ┤");
      for (u32 column = 0; column < columns_; ++column) {
        const size_t cell = size_t{row} * columns_ + column;
        line += stands_out_[cell]  ? "●"
                : dots_[cell] != 0 ? braille(dots_[cell])
                : diagonal_[cell]  ? "·"
                                   : " ";
      }
      out_ += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
  }

  void x_axis() {
    std::vector<bool> has_tick(columns_);
    std::string labels(columns_ + margin_ + 2, ' ');
    size_t free = 0;  // end of the last label
    for (const Tick& tick : chart_.x.scale.ticks()) {
      const u32 at = cell_of(tick.at, columns_);
      const size_t width = tick.label.size(), middle = margin_ + 2 + at;
      const size_t begin = middle - std::min(middle, width / 2);
      // Labels are digits, commas and points, except for powers of ten, whose exponents are not ASCII.
      if (tick.label.empty() || begin < free || begin + width > labels.size() ||
          shown_width(tick.label) != width)
        continue;
      has_tick[at] = true;
      labels.replace(begin, width, tick.label);
      free = begin + width + 1;
    }
    out_ += std::string(margin_ + 1, ' ') + "└";
    for (const bool is_tick : has_tick) out_ += is_tick ? "┬" : "─";
    out_ += "\n" + labels.substr(0, labels.find_last_not_of(' ') + 1) + "\n";
    const std::string label = fitted(chart_.x.label, columns_);
    out_ += std::string(width_ - shown_width(label), ' ') + label + "\n";
  }

  const Chart& chart_;
  u32 width_, margin_ = 1, columns_;
  std::vector<u8> dots_;
  std::vector<bool> stands_out_, diagonal_;
  std::string out_;
};

}  // namespace

std::string write_text(const Chart& chart, u32 width) { return TextWriter(chart, width).write(); }

}  // namespace komuz::services
