// SPDX-License-Identifier: Apache-2.0
// What is the same whenever the text of a variant is written, laid out once as tables (fill_tables.h).
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "engine/sketch/fill_tables.h"
#include "engine/sketch/variants.h"

namespace komuz::engine {

class FillPlan {
 public:
  // Where the literals of a grid's points are: the host makes those that it needs (point_texts.h).
  enum class Points : u8 { OnDemand, InTables };

  // `source`: the text that the plan's sketch was made of. Both may go then.
  FillPlan(std::string_view source, const VariantPlan& variants, Points points);

  // Valid as long as the plan is.
  [[nodiscard]] FillTables tables() const;
  // Are the literals of all points in tables? They are not where nobody asked for it, and where there are more than
  // PointTexts::kMostKept: then the host alone writes the variants.
  [[nodiscard]] bool can_fill() const { return can_fill_; }

 private:
  friend class FillPlanBuilder;

  std::string text_;
  std::vector<FillTables::Part> parts_;
  std::vector<FillTables::Way> ways_;
  std::vector<FillTables::Hole> holes_;
  std::vector<u32> argument_parts_;
  std::vector<FillTables::Space> spaces_;
  std::vector<FillTables::Name> names_;
  std::vector<u32> taken_, point_begins_;
  u32 program_ = 0;
  bool can_fill_ = true;
};

}  // namespace komuz::engine
