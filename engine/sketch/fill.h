// SPDX-License-Identifier: Apache-2.0
// The plain program of a variant: the sketch's text with its decisions in the place of its holes, and without its spaces.
// Holes that are free stay. It is not formatted: services/format.h. What it does, is in filling.h, which a device has, too.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "engine/sketch/fill_plan.h"
#include "engine/sketch/filled_places.h"
#include "engine/sketch/filling.h"
#include "engine/sketch/variants.h"

namespace komuz::engine {

// A workspace: reused from variant to variant, it stops allocating.
class Fill {
 public:
  // Both outlive it. `source`: the text that the plan's sketch was made of.
  Fill(std::string_view source, const VariantPlan& plan);

  // False: these are no decisions of the sketch.
  [[nodiscard]] bool write(const Decisions& decisions, std::string& out);
  // Where the byte of the text written last comes from: in the sketch, or the hole that it stands for.
  [[nodiscard]] u32 place_in_sketch(u32 offset) const { return places_.place_in_sketch(offset); }
  // Where in the text written last a byte of the program's own text is, which is in no hole.
  [[nodiscard]] u32 offset_of(u32 place) const { return places_.offset_of(place); }

 private:
  // What its tables point into stays where it is.
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
