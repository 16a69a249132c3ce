// SPDX-License-Identifier: Apache-2.0
// Makes values of any type out of choices, each a number that is the smaller the simpler what it stands for
// (engine/testing/shrinkable_scalars.h). The choices of a value are kept: fewer or smaller ones make a simpler value of the same type. Not part of
// the engine's door.
//
//   scalar       its number; of a float the sign before it
//   sum, Option  the alternative's number, then its fields
//   list         before each element a 1, and a 0 behind the last, where there is room for more
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "base/random.h"
#include "engine/testing/shrinkable_scalars.h"
#include "engine/values/value_shape.h"

namespace komuz::engine {

// Choices [begin, end) are an element of a list, with the 1 before it.
struct ElementSpan {
  u32 begin = 0, end = 0;
  u32 list = 0;  // which list it is in
};

struct Choices {
  std::vector<u64> numbers;
  std::vector<ElementSpan> elements;  // those of inner lists before those around them
};

class ValueSampler {
 public:
  // `domains`: of each part of the whole type, which is a tuple, None where its type says all.
  ValueSampler(const ValueShape& shape, std::span<const Domain> domains);

  // The value of sample `number`: the first take edge values, alone and then with one another, the others are random and
  // depend on the seed and the number alone.
  void sample(u64 seed, u32 number, std::span<u64> cells);
  // The value that the choices make. Where they end, the simplest comes; `choices()` are then what was used.
  void replay(std::span<const u64> numbers, std::span<u64> cells);

  // Of the last value.
  [[nodiscard]] const Choices& choices() const { return choices_; }

 private:
  enum class Source : u8 { SameEdge, CrossedEdges, Random, Replay };
  struct Open {
    u32 node = 0;
    std::span<const ShapeField> fields = {};
    u32 count = 0, given = 0;  // parts; of a list: at most
    u32 part = 0;
    bool is_list = false, is_region = false, in_element = false;
    u32 wanted = 0, list = 0;  // of a list: elements, unless choices are replayed
    u32 element = 0;           // where the choices of the current one begin
    CellCursor::Region outer = {};
  };

  void make(std::span<u64> cells);
  [[nodiscard]] bool value(std::span<u64> cells);
  [[nodiscard]] bool next_part();
  [[nodiscard]] bool next_element(Open& of);
  void close(std::span<u64> cells);

  [[nodiscard]] u64 scalar(const Domain& domain, std::span<const u64> edges,
                           std::optional<u64>& last);
  // A number below `count`.
  [[nodiscard]] u64 below(u64 count);
  [[nodiscard]] u32 length(u32 most);
  [[nodiscard]] u32 edge(size_t count);
  [[nodiscard]] u64 replayed() { return at_ < replay_.size() ? replay_[at_++] : 0; }

  const ValueShape& shape_;
  std::vector<Domain> domains_;          // by node
  std::vector<std::vector<u64>> edges_;  // by node
  std::vector<std::optional<u64>>
      last_;         // by node: what was drawn there before, in the same sample
  u32 lengths_ = 1;  // how many lists are tried with each edge: 1 without lists
  CellCursor cursor_;
  Source source_ = Source::Replay;
  u32 turn_ = 0;  // which edge; of crossed ones the digits that are left
  Random random_{0};
  std::span<const u64> replay_;
  size_t at_ = 0;
  u32 node_ = 0, lists_ = 0;
  std::vector<Open> open_;
  Choices choices_;
};

}  // namespace komuz::engine
