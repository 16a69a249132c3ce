// SPDX-License-Identifier: Apache-2.0
// To put a drawing into another one it only has to be moved. Its first tag, which write_svg() wrote, tells its
// height.
#include <charconv>

#include "services/charts/charts.h"
#include "services/charts/number_text.h"

namespace komuz::services {
namespace {

f64 length_in(std::string_view drawing, std::string_view attribute) {
  const std::string_view tag = drawing.substr(0, drawing.find('>'));
  const size_t at = tag.find(attribute) + attribute.size();
  f64 length = 0;
  std::from_chars(tag.data() + at, tag.data() + tag.size(), length);
  return length;
}

}  // namespace

std::string stack_drawings(std::span<const std::string> drawings) {
  constexpr std::string_view kOpen = "<svg ";
  f64 height = 0, width = 0;
  std::string inside;
  for (const std::string& drawing : drawings) {
    inside += "<svg y=\"" + place_text(height) + "\" " + drawing.substr(kOpen.size());
    height += length_in(drawing, " height=\"");
    width = length_in(drawing, " width=\"");
  }
  const std::string size = place_text(width), high = place_text(height);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + size + " " + high +
         "\" width=\"" + size + "\" height=\"" + high + "\">\n" + inside + "</svg>\n";
}

}  // namespace komuz::services
