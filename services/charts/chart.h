// SPDX-License-Identifier: Apache-2.0
// What a chart shows, before it is drawn. Few marks: whoever makes a chart has thinned them out (cells.h).
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "services/charts/scale.h"

namespace komuz::services {

// Of the plot, in pixels, without labels.
inline constexpr f64 kPlotHeight = 224;
inline constexpr f64 kPlotWidth = 400;

// Places from 0 to 1, up and to the right.
struct Mark {
  f64 x = 0, y = 0;
  std::string title;       // shown to who points at it
  bool is_beyond = false;  // it stands at the edge, because the axis ends before it
};

enum class LayerKind : u8 {
  Points,
  Chosen,  // points that stand out
  Steps,  // from mark to mark, first to the right, then up or down; from the last one to the right edge
  Diagonal,  // needs no marks
};
struct Layer {
  LayerKind kind = LayerKind::Points;
  std::string label = {};  // in the legend; empty: it is not there
  std::vector<Mark> marks = {};
};

struct Axis {
  std::string label = {};
  Scale scale = {};
};

struct Chart {
  std::string_view id = {};  // unique in the page, of letters
  std::string title = {};
  std::string description = {};  // for who does not see it
  Axis x = {}, y = {};
  std::vector<Layer> layers = {};       // from back to front
  std::vector<std::string> notes = {};  // lines below the plot
  std::string message = {};  // in the place of the plot's layers, where there is nothing to draw
};

// A self-contained drawing, for a file or inside of a page. Texts may hold anything.
[[nodiscard]] std::string write_svg(const Chart& chart);

}  // namespace komuz::services
