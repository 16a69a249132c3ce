// SPDX-License-Identifier: Apache-2.0
// Writes the plain program of a variant: the sketch's text with its decisions in place of its holes, and without its
// spaces. Free holes stay. The text is not formatted (see services/format.h). filling.h has the algorithm, which
// devices use, too.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "engine/sketch/fill_plan.h"
#include "engine/sketch/filled_places.h"
#include "engine/sketch/filling.h"
#include "engine/sketch/variants.h"

namespace komuz::engine {

// A workspace. It stops allocating once it has been used for some variants.
class Fill {
 public:
  // Both outlive this object. `source`: the text of the plan's sketch.
  Fill(std::string_view source, const VariantPlan& plan);

  // False: these are no decisions of the sketch.
  [[nodiscard]] bool write(const Decisions& decisions, std::string& out);
  // The origin of a byte of the text written last: its place in the sketch, or the hole that it stands for.
  [[nodiscard]] u32 place_in_sketch(u32 offset) const { return places_.place_in_sketch(offset); }
  // A hash of the decisions of the text written last, but for points of grids.
  [[nodiscard]] u64 shape() const { return places_.shape(); }
  // The offset in the text written last of a byte of the program's own text, which is in no hole.
  [[nodiscard]] u32 offset_of(u32 place) const { return places_.offset_of(place); }

 private:
  // Kept in one place, since its tables point into it.
  struct LaidOut {
    FillPlan plan;
    PointTexts points;
    FillTables tables;
  };
  const VariantPlan& variants_;
  std::unique_ptr<LaidOut> laid_out_;
  DecodedVariant variant_;
  Filling<Growing> filling_;
  FilledPlaces places_;
};

}  // namespace komuz::engine
