// SPDX-License-Identifier: Apache-2.0
// A chart on paper of 480 pixels:
//
//   title
//   label of y                     legend
//   ┌──────────────────────────────────┐
//   │ plot                             │
//   └──────────────────────────────────┘
//                               label of x
//   notes
#include <algorithm>
#include <string_view>

#include "services/charts/chart.h"
#include "services/charts/number_text.h"
#include "services/display_text.h"
#include "services/markup.h"
#include "services/web_texts.h"

namespace komuz::services {
namespace {

constexpr f64 kWidth = 480, kMargin = 6;
constexpr f64 kRight = kWidth - 16, kLeft = kRight - kPlotWidth;
constexpr f64 kTop = 50, kBottom = kTop + kPlotHeight;
constexpr f64 kTitleLine = 18, kLegendLine = 40;
constexpr f64 kTickLine = kBottom + 17, kLabelLine = kBottom + 34, kNoteLine = kBottom + 54;
constexpr f64 kNoteHeight = 16, kCharacter = 7.1;  // about; of a label
constexpr u32 kMostTitle = 120;                    // columns, of a mark
constexpr u32 kMostLabel = 34;                     // columns of the label of y, beside the legend
constexpr u32 kMostNote = 74;

f64 x_of(f64 at) { return kLeft + at * kPlotWidth; }
f64 y_of(f64 at) { return kBottom - at * kPlotHeight; }

f64 width_of(std::string_view text) {
  f64 characters = 0;
  for (size_t at = 0; at < text.size();) {
    const Cell cell = cell_at(text, at, 0);
    characters += cell.width;
    at += cell.bytes;
  }
  return characters * kCharacter;
}

class SvgWriter {
 public:
  explicit SvgWriter(const Chart& chart) : chart_(chart) {}

  std::string write() {
    open();
    text(kMargin, kTitleLine, "title", chart_.title);
    text(kMargin, kLegendLine, "", printable(chart_.y.label, kMostLabel));
    if (chart_.message.empty()) {
      axes();
      for (const Layer& layer : chart_.layers) draw(layer);
      legend();
    }
    rectangle("frame", kLeft, kTop, kPlotWidth, kPlotHeight);
    if (!chart_.message.empty()) text(x_of(0.5), y_of(0.5), "middle", chart_.message);
    text(kRight, kLabelLine, "end", chart_.x.label);
    f64 y = kNoteLine;
    for (const std::string& note : chart_.notes) {
      text(kMargin, y, "note", printable(note, kMostNote));
      y += kNoteHeight;
    }
    return std::move(out_) + "</svg>\n";
  }

 private:
  void add(std::string_view text) { out_ += text; }
  void number(std::string_view name, f64 value) {
    out_ += ' ';
    out_ += name;
    out_ += "=\"" + place_text(value) + "\"";
  }

  void open() {
    const f64 height = kNoteLine + kNoteHeight * static_cast<f64>(chart_.notes.size()) - 8;
    const std::string id(chart_.id),
        size = place_text(kWidth) + "\" height=\"" + place_text(height);
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"komuz-chart\" role=\"img\" "
        "aria-labelledby=\"" +
        id + "-title " + id + "-text\" viewBox=\"0 0 " + place_text(kWidth) + " " +
        place_text(height) + "\" width=\"" + size + "\">\n");
    add("<title id=\"" + id + "-title\">" + escaped(chart_.title) + "</title>\n");
    add("<desc id=\"" + id + "-text\">" + escaped(chart_.description) + "</desc>\n<style>\n");
    add(text_of(style_sheets(), "palette"));
    add(text_of(style_sheets(), "chart"));
    add("</style>\n");
    rectangle("paper", 0, 0, kWidth, height);
  }
  void rectangle(std::string_view kind, f64 x, f64 y, f64 width, f64 height) {
    add("<rect class=\"" + std::string(kind) + "\"");
    number("x", x);
    number("y", y);
    number("width", width);
    number("height", height);
    add("/>\n");
  }
  static std::string text_element(f64 x, f64 y, std::string_view kind, std::string_view words) {
    std::string out = "<text";
    if (!kind.empty()) append_attribute(out, "class", kind);
    out += " x=\"" + place_text(x) + "\" y=\"" + place_text(y) + "\">";
    append_escaped(out, words);
    return out + "</text>\n";
  }
  void text(f64 x, f64 y, std::string_view kind, std::string_view words) {
    if (!words.empty()) add(text_element(x, y, kind, words));
  }

  // Labels that would overlap others are left out together with their lines; the label of zero comes first.
  class Labels {
   public:
    bool have_room(f64 at, f64 room) {
      for (const Label& other : taken_)
        if (std::abs(other.at - at) < (other.room + room) / 2) return false;
      taken_.push_back({at, room});
      return true;
    }

   private:
    struct Label {
      f64 at, room;  // pixels
    };
    std::vector<Label> taken_;
  };
  template <class Draw>
  static void for_each_tick(const Axis& axis, const Draw& draw) {
    for (const bool is_zero : {true, false})
      for (const Tick& tick : axis.scale.ticks())
        if ((tick.label == "0") == is_zero) draw(tick);
  }
  void axes() {
    constexpr f64 kLine = 13, kGap = 10, kSmall = 3;
    std::string grid, small, texts;
    Labels beside, below;
    for_each_tick(chart_.y, [&](const Tick& tick) {
      const f64 y = y_of(tick.at);
      const bool is_small = tick.label.empty() || !beside.have_room(y, kLine);
      (is_small ? small : grid) += "M" + place_text(kLeft) + " " + place_text(y) + "h" +
                                   place_text(is_small ? kSmall : kPlotWidth);
      if (!is_small) texts += text_element(kLeft - 6, y + 4, "end", tick.label);
    });
    for_each_tick(chart_.x, [&](const Tick& tick) {
      const f64 x = x_of(tick.at), width = width_of(tick.label);
      // The last one would leave the paper.
      const bool is_last = x + width / 2 > kWidth - 2;
      const bool is_small =
          tick.label.empty() || !below.have_room(is_last ? kRight - width / 2 : x, width + kGap);
      (is_small ? small : grid) += "M" + place_text(x) + " " + place_text(kBottom) + "v" +
                                   place_text(is_small ? -kSmall : -kPlotHeight);
      if (!is_small)
        texts +=
            text_element(is_last ? kRight : x, kTickLine, is_last ? "end" : "middle", tick.label);
    });
    path("grid", grid);
    if (!small.empty()) path("small", small);
    add(texts);
  }

  void draw(const Layer& layer) {
    switch (layer.kind) {
      case LayerKind::Points: points("points", layer, 2); break;
      case LayerKind::Chosen: points("chosen", layer, 3.2); break;
      case LayerKind::Steps: steps(layer); break;
      case LayerKind::Line: line("steps", layer); break;
      case LayerKind::Dashes: line("diagonal", layer); break;
      case LayerKind::Diagonal:
        path("diagonal", "M" + place_text(kLeft) + " " + place_text(kBottom) + "L" +
                             place_text(kRight) + " " + place_text(kTop));
        break;
    }
  }
  void path(std::string_view kind, std::string_view way) {
    add("<path class=\"" + std::string(kind) + "\" d=\"");
    add(way);
    add("\"/>\n");
  }
  void points(std::string_view kind, const Layer& layer, f64 radius) {
    add("<g class=\"" + std::string(kind) + "\">\n");
    for (const Mark& mark : layer.marks) {
      circle(x_of(mark.x), y_of(mark.y), radius, mark.is_beyond);
      add("><title>");
      append_escaped(out_, mark.title, kMostTitle);
      add("</title></circle>\n");
    }
    add("</g>\n");
  }
  void circle(f64 x, f64 y, f64 radius, bool is_beyond) {
    add(is_beyond ? "<circle class=\"beyond\"" : "<circle");
    number("cx", x);
    number("cy", y);
    number("r", radius);
  }
  void steps(const Layer& layer) {
    if (layer.marks.empty()) return;
    std::string way =
        "M" + place_text(x_of(layer.marks[0].x)) + " " + place_text(y_of(layer.marks[0].y));
    for (const Mark& mark : std::span(layer.marks).subspan(1))
      way += "H" + place_text(x_of(mark.x)) + "V" + place_text(y_of(mark.y));
    path("steps", way + "H" + place_text(kRight));
  }

  void line(std::string_view kind, const Layer& layer) {
    std::string way;
    for (const Mark& mark : layer.marks)
      way += (way.empty() ? "M" : "L") + place_text(x_of(mark.x)) + " " + place_text(y_of(mark.y));
    if (!way.empty()) path(kind, way);
  }

  // Written from the right edge to the left, the front layer last.
  void legend() {
    constexpr f64 kSign = 16, kSpace = 6, kApart = 14, kUp = 4;
    f64 x = kRight;
    for (auto layer = chart_.layers.rbegin(); layer != chart_.layers.rend(); ++layer) {
      if (layer->label.empty()) continue;
      text(x, kLegendLine, "end", layer->label);
      x -= width_of(layer->label) + kSpace + kSign;
      sign(layer->kind, x, kLegendLine - kUp, kSign);
      x -= kApart;
    }
  }
  void sign(LayerKind kind, f64 x, f64 y, f64 width) {
    const std::string line_way =
        "M" + place_text(x) + " " + place_text(y) + "h" + place_text(width);
    const auto point = [&](std::string_view group, f64 radius) {
      add("<g class=\"" + std::string(group) + "\">");
      circle(x + width / 2, y, radius, false);
      add("/></g>\n");
    };
    switch (kind) {
      case LayerKind::Points: point("points", 3); break;
      case LayerKind::Chosen: point("chosen", 3.2); break;
      case LayerKind::Steps:
      case LayerKind::Line: path("steps", line_way); break;
      case LayerKind::Dashes:
      case LayerKind::Diagonal: path("diagonal", line_way); break;
    }
  }

  const Chart& chart_;
  std::string out_;
};

}  // namespace

std::string write_svg(const Chart& chart) { return SvgWriter(chart).write(); }

}  // namespace komuz::services
