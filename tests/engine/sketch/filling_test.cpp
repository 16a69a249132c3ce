// SPDX-License-Identifier: Apache-2.0
// A thread of a device, whose lists are stretches of its memory, writes the same texts as the host.
#include "engine/sketch/filling.h"

#include <gtest/gtest.h>

#include "engine/sketch/fill_room.h"
#include "tests/engine/sketch/bindable_sketches.h"
#include "tests/engine/sketch/sketches.h"
#include "tests/engine/sketch/whole_sketches.h"
#include "tests/lang/row_marks.h"

namespace komuz::engine {
namespace {

using test::TestSketch;
using Room = Filling<Bounded>::Room;

// With marks between the lists.
class BoundedFilling {
 public:
  BoundedFilling(const TestSketch& sketch, const Room& room, u32 text_room)
      : sketch_(sketch),
        plan_(sketch.source, sketch.plan, FillPlan::Points::InTables),
        bytes_(Filling<Bounded>::bytes(room) + RowsMemory::bytes<u8>(text_room) + kLists * kGap),
        memory_(bytes_.data(), kGap),
        filling_(memory_, room),
        out_(memory_.take<u8>(text_room)) {}

  // "none" where there is no room.
  [[nodiscard]] std::string write(const Decisions& decisions) {
    DecodedVariant decoded;
    EXPECT_TRUE(sketch_.plan.decode(decisions, decoded));
    const auto rows = [](auto& list) {
      const auto size = static_cast<u32>(list.size());
      return Rows(list.data(), size, size);
    };
    const DecodedRows<Bounded> variant{rows(decoded.instances), rows(decoded.decided)};
    NoPlaces places;
    if (filling_.write(plan_.tables(), variant, out_, places) != Walked::Done) return "none";
    return {reinterpret_cast<const char*>(out_.data()), out_.size()};
  }
  [[nodiscard]] const FillPlan& plan() const { return plan_; }
  // True if no list was overrun: there are as many gaps of marks as lists.
  [[nodiscard]] bool is_inside() const { return komuz::test::count_gaps(bytes_, kGap) == kLists; }

 private:
  static constexpr u32 kGap = 64, kLists = 6;

  const TestSketch& sketch_;
  FillPlan plan_;
  std::vector<u8> bytes_;
  RowsMemory memory_;
  Filling<Bounded> filling_;
  Rows<u8> out_;
};

// visit(sketch, decisions), of some variants, evenly, or drawn where they are too many to count.
template <class Visit>
void for_some_variants(const TestSketch& sketch, u64 most, Visit visit) {
  ASSERT_GT(sketch.count(), 0u);
  Decisions decisions;
  u64 random = 1;
  const auto next = [&] { return random = random * 6364136223846793005u + 1442695040888963407u; };
  for (u64 k = 0; k < std::min(most, sketch.count()); ++k) {
    const bool is_number = sketch.plan.count().is_exact;
    const u64 step = std::max<u64>(sketch.count() / most, 1);
    const bool is_one = is_number ? sketch.plan.unrank(k * step, decisions)
                                  : sketch.plan.draw(DrawKind::Ways, next, decisions);
    if (is_one) visit(decisions);
  }
}

std::vector<std::string> sketches() {
  std::vector<std::string> out(std::begin(test::kBindable), std::end(test::kBindable));
  out.insert(out.end(), std::begin(test::kWhole), std::end(test::kWhole));
  for (std::string& function : test::golden_functions()) out.push_back(std::move(function));
  return out;
}

TEST(Filling, ADeviceWritesWhatTheHostWrites) {
  for (const std::string& source : sketches()) {
    SCOPED_TRACE(source);
    const TestSketch sketch(source);
    const FillPlan plan(sketch.source, sketch.plan, FillPlan::Points::InTables);
    ASSERT_TRUE(plan.can_fill());
    BoundedFilling bounded(sketch, filling_room(plan, sketch.plan, 1),
                           text_room(plan, sketch.plan, 1));
    Fill host(sketch.source, sketch.plan);
    std::string text;
    u32 count = 0, without_room = 0;
    for_some_variants(sketch, 300, [&](const Decisions& decisions) {
      ASSERT_TRUE(host.write(decisions, text));
      const std::string written = bounded.write(decisions);
      ++count;
      if (written == "none") return void(++without_room);
      EXPECT_EQ(written, text);
    });
    EXPECT_LE(without_room * 10, count);
    EXPECT_TRUE(bounded.is_inside());
  }
}

TEST(Filling, WhatHasNoRoomIsNotWritten) {
  const TestSketch sketch(
      "const k: f64 = 2.0;\n"
      "pub fn f(x: f64, k: f64) -> f64 { ?s(?s(x * 2.0, k), ?(0.0..1.0, steps: 4)) }\n"
      "space s(a: f64, b: f64) -> f64 depth 2 { a, b * k, s - s, ?[a, ?[b, -a]] }\n");
  const FillPlan plan(sketch.source, sketch.plan, FillPlan::Points::InTables);
  const Room ample = filling_room(plan, sketch.plan, 8);
  const u32 ample_text = text_room(plan, sketch.plan, 8);
  // Each list, down to nothing.
  for (u32 list = 0; list < 6; ++list) {
    SCOPED_TRACE(list);
    u32 refused = 0;
    for (u32 parts = 0; parts < 24; ++parts) {
      Room room = ample;
      u32 text = ample_text;
      u32* const lists[] = {&room.frames, &room.expansions, &room.arguments,
                            &room.apart,  &room.aliases,    &text};
      *lists[list] = std::min(*lists[list], list < 3 || list == 4 ? parts : parts * 8);
      BoundedFilling bounded(sketch, room, text);
      for_some_variants(sketch, 20, [&](const Decisions& decisions) {
        const std::string written = bounded.write(decisions);
        if (written == "none") return void(++refused);
        EXPECT_EQ(written, sketch.filled(decisions));
      });
      EXPECT_TRUE(bounded.is_inside());
    }
    EXPECT_GT(refused, 0u);
  }
}

TEST(Filling, LargeGridsAreOfTheHost) {
  const auto can_fill = [](const std::string& grids) {
    const TestSketch sketch("pub fn f(x: f64) -> f64 { x * " + grids + " }");
    return FillPlan(sketch.source, sketch.plan, FillPlan::Points::InTables).can_fill();
  };
  EXPECT_TRUE(can_fill("?(0.0..1.0, steps: 40000)"));
  EXPECT_FALSE(can_fill("?(0.0..1.0, steps: 40000) + ?(0.0..1.0, steps: 40000)"));
}

}  // namespace
}  // namespace komuz::engine
