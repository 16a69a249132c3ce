// SPDX-License-Identifier: Apache-2.0
// A list has no more elements than its text has bytes. So all texts are first read with that much room, which shows
// the lengths of the lists.
#include "engine/cases/slice_cases.h"

#include <algorithm>

namespace komuz::engine {
namespace {

// The element types of the slices in the type. Only tuples and records hold slices.
std::vector<std::string_view> slice_elements(std::string_view type_code) {
  std::vector<std::string_view> out;
  for (size_t at = 0; at < type_code.size();) {
    const TypeHead head = read_type_head(type_code, at);
    at = head.end;
    if (head.code == kSliceCode) {
      const size_t end = skip_type(type_code, at);
      out.push_back(type_code.substr(at, end - at));
    }
  }
  return out;
}

// The type with its slices replaced by lists of these capacities.
std::string with_lists(std::string_view type_code, std::span<const u32> capacities) {
  std::string out;
  size_t slice = 0;
  for (size_t at = 0; at < type_code.size();) {
    const TypeHead head = read_type_head(type_code, at);
    if (head.code == kSliceCode) {
      const u32 capacity = capacities[slice++];
      out += {static_cast<char>(kListCode), static_cast<char>(capacity),
              static_cast<char>(capacity >> 8)};
    } else {
      out += type_code.substr(at, head.end - at);
    }
    at = head.end;
  }
  return out;
}

// The cells of with_lists() that hold the lengths of those lists.
std::vector<size_t> length_cells(std::string_view type_code, std::span<const u32> capacities) {
  std::vector<size_t> out;
  size_t cell = 0;
  for (size_t at = 0; at < type_code.size();) {
    const TypeHead head = read_type_head(type_code, at);
    const bool is_slice = head.code == kSliceCode;
    if (head.code <= kRecordCode) {
      cell += head.is_scalar();
      at = head.end;
      continue;
    }
    const size_t begin = is_slice ? head.end : at;
    at = skip_type(type_code, begin);
    const size_t cells = count_cells(type_code.substr(begin, at - begin));
    if (is_slice) {
      const u32 capacity = capacities[out.size()];
      out.push_back(cell);
      cell += 1 + capacity * cells;
    } else {
      cell += cells;
    }
  }
  return out;
}

}  // namespace

bool has_slices(std::string_view type_code) { return !slice_elements(type_code).empty(); }

CaseType case_type(std::string_view parameter_type, std::span<const std::string_view> texts,
                   ValueStyle style, const std::stop_token& stop) {
  CaseType out;
  out.code = parameter_type;
  if (!has_slices(parameter_type)) return out;
  size_t longest_text = 0;
  for (const std::string_view text : texts) longest_text = std::max(longest_text, text.size());
  std::vector<u32> capacities;
  for (const std::string_view element : slice_elements(parameter_type)) {
    const size_t most = (kMaxTypeCells - 1) / std::max<size_t>(count_cells(element), 1);
    capacities.push_back(static_cast<u32>(std::min(longest_text, most)));
  }
  const std::string widened = with_lists(parameter_type, capacities);
  const std::vector<size_t> lengths = length_cells(parameter_type, capacities);
  std::vector<u32> longest(lengths.size());
  ValueFormat format(widened);
  std::vector<u64> cells(count_cells(widened));
  for (out.text = 0; out.text < texts.size() && !stop.stop_requested(); ++out.text) {
    out.error = format.parse(texts[out.text], style, cells);
    if (out.error) {
      // The user has never seen these lists.
      std::string& remedy = out.error->remedy;
      const std::string shown = type_text(widened);
      if (const size_t at = remedy.find(shown); at != std::string::npos)
        remedy.replace(at, shown.size(), type_text(parameter_type));
      return out;
    }
    for (size_t k = 0; k < lengths.size(); ++k)
      longest[k] = std::max(longest[k], static_cast<u32>(cells[lengths[k]]));
  }
  out.code = with_lists(parameter_type, longest);
  return out;
}

}  // namespace komuz::engine
