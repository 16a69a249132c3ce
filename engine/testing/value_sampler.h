// SPDX-License-Identifier: Apache-2.0
// Makes values of any type from choices. A choice is a number: the simpler what it stands for, the smaller the number
// (engine/testing/shrinkable_scalars.h). The choices of a value are kept: fewer or smaller choices make a simpler
// value of the same type. Not part of the engine's door.
//
//   scalar       its number, preceded by the sign of a float
//   sum, Option  the alternative's number, then its fields
//   list         before each element a 1, and behind the last one a 0 if there is room for more
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "base/random.h"
#include "engine/testing/shrinkable_scalars.h"
#include "engine/values/value_shape.h"

namespace komuz::engine {

// Choices [begin, end) are an element of a list, including the 1 before it.
struct ElementSpan {
  u32 begin = 0, end = 0;
  u32 list = 0;  // which list it is in
};

struct Choices {
  std::vector<u64> numbers;
  std::vector<ElementSpan> elements;  // elements of inner lists before those around them
};

class ValueSampler {
 public:
  // `domains`: one for each part of the whole type, which is a tuple; None if the part's type says all.
  ValueSampler(const ValueShape& shape, std::span<const Domain> domains);

  // The value of sample `number`. The first samples take edge values, alone and then combined; the others are random,
  // and depend only on the seed and the number.
  void sample(u64 seed, u32 number, std::span<u64> cells);
  // The value that the choices make. Missing choices count as the simplest. `choices()` are then the choices that
  // were used.
  void replay(std::span<const u64> numbers, std::span<u64> cells);

  // The choices of the last value.
  [[nodiscard]] const Choices& choices() const { return choices_; }

 private:
  enum class Source : u8 { SameEdge, CrossedEdges, Random, Replay };
  struct Open {
    u32 node = 0;
    std::span<const ShapeField> fields = {};
    u32 count = 0, given = 0;  // parts; in a list: at most
    u32 part = 0;
    bool is_list = false, is_region = false, in_element = false;
    u32 wanted = 0, list = 0;  // in a list: elements, unless choices are replayed
    u32 element = 0;           // where the present element's choices begin
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
  std::vector<Domain> domains_;           // by node
  std::vector<std::vector<u64>> edges_;   // by node
  std::vector<std::optional<u64>> last_;  // by node: what was last drawn there in this sample
  u32 lengths_ = 1;  // how many list lengths are tried with each edge: 1 without lists
  CellCursor cursor_;
  Source source_ = Source::Replay;
  u32 turn_ = 0;  // which edge; for combined ones the digits that are left
  Random random_{0};
  std::span<const u64> replay_;
  size_t at_ = 0;
  u32 node_ = 0, lists_ = 0;
  std::vector<Open> open_;
  Choices choices_;
};

}  // namespace komuz::engine
