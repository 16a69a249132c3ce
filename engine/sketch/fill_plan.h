// SPDX-License-Identifier: Apache-2.0
// What is the same for the texts of all variants, laid out once as tables (fill_tables.h).
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "engine/sketch/fill_tables.h"
#include "engine/sketch/variants.h"

namespace komuz::engine {

class FillPlan {
 public:
  // Where the literals of a grid's points are: in tables, or made on demand by the host (point_texts.h).
  enum class Points : u8 { OnDemand, InTables };

  // `source`: the text of the plan's sketch. The plan needs neither of them afterwards.
  FillPlan(std::string_view source, const VariantPlan& variants, Points points);

  // Valid as long as the plan.
  [[nodiscard]] FillTables tables() const;
  // True if the literals of all points are in tables. They are not if nobody asked for them, or if there are more
  // than PointTexts::kMostKept: then only the host writes variants.
  [[nodiscard]] bool can_fill() const { return can_fill_; }

 private:
  friend class FillPlanBuilder;

  std::string text_;
  std::vector<FillTables::Part> parts_;
  std::vector<FillTables::Way> ways_;
  std::vector<FillTables::Hole> holes_;
  std::vector<u32> argument_parts_;
  std::vector<u8> are_locals_;
  std::vector<FillTables::Space> spaces_;
  std::vector<FillTables::Name> names_;
  std::vector<u32> taken_, point_begins_;
  u32 program_ = 0;
  bool can_fill_ = true;
};

}  // namespace komuz::engine
