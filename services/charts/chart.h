// SPDX-License-Identifier: Apache-2.0
// The content of a chart, before it is drawn. It has few marks: the maker of a chart has thinned them out (cells.h).
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "services/charts/scale.h"

namespace komuz::services {

// The size of the plot in pixels, without labels.
inline constexpr f64 kPlotHeight = 224;
inline constexpr f64 kPlotWidth = 400;

// Places from 0 to 1, up and to the right.
struct Mark {
  f64 x = 0, y = 0;
  std::string title;       // shown when a pointer is over it
  bool is_beyond = false;  // it lies at the edge, since the axis ends before it
};

enum class LayerKind : u8 {
  Points,
  Chosen,  // points that stand out
  Steps,  // a line from mark to mark, first to the right, then up or down; from the last to the right edge
  Line,      // straight from mark to mark
  Dashes,    // the same, less strong
  Diagonal,  // needs no marks
};
struct Layer {
  LayerKind kind = LayerKind::Points;
  std::string label = {};  // in the legend; empty: no entry
  std::vector<Mark> marks = {};
};

struct Axis {
  std::string label = {};
  Scale scale = {};
};

struct Chart {
  std::string_view id = {};  // unique in the page, of letters
  std::string title = {};
  std::string description = {};  // for readers who cannot see the chart
  Axis x = {}, y = {};
  std::vector<Layer> layers = {};       // from back to front
  std::vector<std::string> notes = {};  // lines below the plot
  std::string message = {};             // shown in place of the plot, if there is nothing to draw
};

// Makes a self-contained drawing, for a file or for a page. Texts may hold anything.
[[nodiscard]] std::string write_svg(const Chart& chart);

}  // namespace komuz::services
