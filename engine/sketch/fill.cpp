// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/fill.h"

namespace komuz::engine {

Fill::Fill(std::string_view source, const VariantPlan& plan)
    : variants_(plan),
      laid_out_(new LaidOut{FillPlan(source, plan, FillPlan::Points::OnDemand),
                            PointTexts(source, plan.sketch()),
                            {}}) {
  laid_out_->tables = laid_out_->plan.tables();
  laid_out_->tables.points_on_demand = &laid_out_->points;
}

bool Fill::write(const Decisions& decisions, std::string& out) {
  if (!variants_.decode(decisions, variant_)) return false;
  return filling_.write(laid_out_->tables, variant_, out, places_) == Walked::Done;
}

}  // namespace komuz::engine
