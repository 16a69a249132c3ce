// SPDX-License-Identifier: Apache-2.0
// A device makes the same code, identity and size from a variant's number or decisions as the host.
#include "engine/device/variant_maker.h"

#include <gtest/gtest.h>

#include "engine/sketch/binder.h"
#include "tests/engine/device/made_variant.h"
#include "tests/engine/sketch/bindable_sketches.h"

namespace komuz::engine {
namespace {

SketchProgram program_of(const std::string& source) {
  std::optional<SketchProgram> sketch = read_sketch(source, {});
  EXPECT_TRUE(sketch) << source;
  return std::move(*sketch);
}

// The host's way.
class OnTheHost {
 public:
  explicit OnTheHost(const SketchProgram& sketch) : sketch_(sketch), binder_(sketch) {}

  void make(u64 number) {
    ASSERT_TRUE(sketch_.plan.unrank(number, decisions_));
    ASSERT_TRUE(binder_.bind(decisions_, code_));
  }
  // Variant `at` of what was made, behind which there is another one.
  void expect_same(u64 number, const VariantMaker& maker, u64 at) {
    make(number);
    EXPECT_EQ(test::difference_of(code_, code_, entry(), maker.made().subspan(at), maker.code()),
              "")
        << "#" << number;
  }
  [[nodiscard]] const Decisions& decisions() const { return decisions_; }
  [[nodiscard]] u32 entry() const {
    u32 entry = 0;
    while (!code_.functions[entry].is_public) ++entry;
    return entry;
  }

 private:
  const SketchProgram& sketch_;
  Binder binder_;
  Decisions decisions_;
  Code code_;
};

// Every second one by its decisions.
TEST(VariantMaker, MakesWhatTheHostMakes) {
  for (const char* const source : test::kBindable) {
    SCOPED_TRACE(source);
    const SketchProgram sketch = program_of(source);
    OnTheHost host(sketch);
    host.make(0);
    const auto maker = host_variant_maker();
    ASSERT_EQ(maker->load_sketch(sketch, host.entry()).text(), "");
    VariantMaker::List list;
    const u64 count = sketch.plan.count().exact;
    for (u64 n = 0; n < count; ++n) {
      host.make(n);
      if (n % 2 == 0)
        list.add(n);
      else
        list.add(host.decisions());
    }
    list.add(count - 1);
    // Where many have been left for want of room, the next ones have more.
    for (u32 k = 0; k < 3; ++k) ASSERT_EQ(maker->make(list).text(), "");
    ASSERT_EQ(maker->made().size(), count + 1);
    for (u64 n = 0; n < count; ++n) host.expect_same(n, *maker, n);
  }
}

// Expressions from a space are as long as they like. What has no room is left, and what is made beside it is right.
TEST(VariantMaker, LargeOnesGetMoreRoom) {
  const SketchProgram sketch = program_of(
      "pub fn f(x: f64) -> f64 { ?e(x) }\nspace e(x: f64) -> f64 depth 6 { e + e, x }\n");
  OnTheHost host(sketch);
  host.make(0);
  const auto maker = host_variant_maker();
  ASSERT_EQ(maker->load_sketch(sketch, host.entry()).text(), "");
  const u64 step = sketch.plan.count().exact / 64;
  VariantMaker::List list;
  for (u64 k = 0; k < 64; ++k) list.add(k * step);
  list.add(sketch.plan.count().exact - 1);  // a small one, so that it is made
  u32 left_before = 64, most_left = 0;
  for (u32 round = 0; round < 6; ++round) {
    ASSERT_EQ(maker->make(list).text(), "");
    u32 left = 0;
    for (u64 k = 0; k < 64; ++k) {
      const MadeVariant& made = maker->made()[k];
      if (made.made != Made::Done) {
        EXPECT_NE(made.made, Made::Left);
        ++left;
        continue;
      }
      host.expect_same(k * step, *maker, k);
    }
    EXPECT_LE(left, left_before);
    left_before = left;
    most_left = std::max(most_left, left);
  }
  EXPECT_GT(most_left, 0u);
  EXPECT_LT(left_before, 8u);
}

// Points of grids are read from tables, and where these would be too large there are none.
TEST(VariantMaker, LargeGridsAreOfTheHost) {
  const auto can_make = [](const std::string& grids) {
    return VariantMaker::can_make(program_of("pub fn f(x: f64) -> f64 { x * " + grids + " }"));
  };
  EXPECT_TRUE(can_make("?(0.0..1.0, steps: 10000)"));
  EXPECT_FALSE(can_make("?(0.0..1.0, steps: 10000) + ?(0.0..1.0, steps: 10000)"));
}

TEST(VariantMaker, WhatIsNoVariantIsLeft) {
  const SketchProgram sketch =
      program_of("pub fn f(x: f64) -> f64 { ?a[x, 1.0] + ?b(0.0..1.0, steps: 3) }");
  const auto maker = host_variant_maker();
  ASSERT_EQ(maker->load_sketch(sketch, 0).text(), "");
  VariantMaker::List list;
  for (const Decisions& decisions : {Decisions{0, 1}, {2, 0}, {0}, {}, {1, 2, 0}, {0, 3}, {1, 2}})
    list.add(decisions);
  ASSERT_EQ(maker->make(list).text(), "");
  for (u32 k = 0; k < list.size(); ++k)
    EXPECT_EQ(maker->made()[k].made, k == 0 || k == 6 ? Made::Done : Made::Left) << k;
  list.clear();
  ASSERT_EQ(maker->make(list).text(), "");
  EXPECT_TRUE(maker->made().empty());
}

}  // namespace
}  // namespace komuz::engine
