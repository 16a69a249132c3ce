// SPDX-License-Identifier: Apache-2.0
// Makes values of any type from choices. A choice is a number: the simpler what it stands for, the smaller the number
// (engine/testing/shrinkable_scalars.h). The choices of a value are kept: fewer or smaller choices make a simpler
// value of the same type.
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

// What a program is likely to tell apart, for each type: its constants, and the values next to them.
struct Guides {
  std::vector<u64> cells[kScalarCount];  // by Scalar
};

struct Choices {
  std::vector<u64> numbers;
  std::vector<ElementSpan> elements;  // elements of inner lists before those around them
};

// A value of more cells, in arrays or lists, is sometimes tame (sample_guided).
inline constexpr u32 kFewCells = 16;

class ValueSampler {
 public:
  // `domains`: one for each part of the whole type, which is a tuple; None if the part's type says all. Missing ones
  // are None.
  ValueSampler(const ValueShape& shape, std::span<const Domain> domains);

  // The value of sample `number`. The first samples take edge values, alone and then combined; the others are random,
  // and depend only on the seed and the number.
  void sample(u64 seed, u32 number, std::span<u64> cells);
  // Sample `number` of a stream in which all samples are random, and alike. Of twenty scalars, about six are one of the
  // guides, four are equal to another scalar of this sample (0 and -0 are), six are an edge or near 0, and four are any value.
  // Where arrays or lists make more than kFewCells cells, half of the samples are tame: in all of their cells together
  // one number that is too large, or a NaN, would decide of every sum.
  void sample_guided(const Guides& guides, u64 seed, u64 number, std::span<u64> cells);
  // A value that is given, `given`: `cells` become the same, and choices() those that make it.
  void adopt(std::span<const u64> given, std::span<u64> cells);
  // The value that the choices make. Missing choices count as the simplest. `choices()` are then the choices that
  // were used.
  void replay(std::span<const u64> numbers, std::span<u64> cells);

  // The choices of the last value.
  [[nodiscard]] const Choices& choices() const { return choices_; }

 private:
  enum class Source : u8 { SameEdge, CrossedEdges, Random, Guided, Replay, Given };
  // Of the cells of a guided sample: all as guided as a scalar is, all 0, about three guided beside zeros, all small,
  // or one guided beside small ones.
  enum class Mood : u8 { Wild, Zero, Sparse, Small, OneGuided };
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

  [[nodiscard]] u64 scalar(u32 node, u32 cell);
  [[nodiscard]] u64 guided_scalar(u32 node, u32 cell);
  [[nodiscard]] u64 wild_scalar(u32 node);
  // A number below `count`; `cell`: where a given value has it.
  [[nodiscard]] u64 below(u64 count, u32 cell);
  [[nodiscard]] u32 length(u32 most, u32 cell);
  [[nodiscard]] u32 edge(size_t count);
  [[nodiscard]] u64 replayed() { return at_ < replay_.size() ? replay_[at_++] : 0; }

  const ValueShape& shape_;
  std::vector<Domain> domains_;           // by node
  std::vector<std::vector<u64>> edges_;   // by node
  std::vector<std::optional<u64>> last_;  // by node: what was last drawn there in this sample
  u32 lengths_ = 1;            // how many list lengths are tried with each edge: 1 without lists
  bool has_elements_ = false;  // arrays or lists
  CellCursor cursor_;
  Source source_ = Source::Replay;
  u32 turn_ = 0;  // which edge; for combined ones the digits that are left
  Random random_{0};
  std::span<const u64> replay_;  // or the cells that are given
  size_t at_ = 0;
  const Guides* guides_ = nullptr;
  Mood mood_ = Mood::Wild;
  u64 count_ = 0, guided_cell_ = 0;       // cells of a guided sample; of OneGuided
  std::vector<u64> drawn_[kScalarCount];  // in this guided sample, by type
  u32 node_ = 0, lists_ = 0;
  std::vector<Open> open_;
  Choices choices_;
};

}  // namespace komuz::engine
