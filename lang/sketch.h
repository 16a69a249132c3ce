// SPDX-License-Identifier: Apache-2.0
// A sketch as its tools see it: which holes its text has, and what may stand in each. Places are bytes of the source.
#pragma once
#include <string>
#include <vector>

#include "lang/types.h"

namespace komuz {

enum class HoleForm : u8 {
  Free,       // `?n`: nobody knows what it stands for
  Choice,     // `?n[a, b]`: one of its alternatives
  Grid,       // `?n(a..b, steps: s)`: a number of a grid
  Expansion,  // `?s(x)`: an expression from a space
  Nested,     // the name of a space among its own alternatives
};

struct SketchSpan {
  u32 begin = 0, end = 0;
};
[[nodiscard]] constexpr bool contains(SketchSpan outer, SketchSpan inner) {
  return outer.begin <= inner.begin && inner.end <= outer.end;
}

// What may stand in the place of a hole, or of a space.
struct Alternative {
  SketchSpan span;
  bool is_closed = false;  // it needs no parentheses, whatever stands around it
  u8 level = 0;         // how tightly its operators hold it together (nodes.def); 0: it needs some
  bool leaves = false;  // it gives no value
  // The type that it is to be written with where it stands alone, as what is around it has said which type its literals
  // have; empty: it has this type anyway.
  std::string type;
  // It is made of literals of integers, and the type is a float's. In a conversion they would be integers.
  bool is_integer_as_float = false;
};

// Numbers from `low` to `high`, cells of `type`; docs/sketches.md says which.
struct Grid {
  Scalar type = Scalar::F64;
  u64 low = 0, high = 0;
  u64 points = 0;
  bool is_inclusive = false, is_logarithmic = false;
};

// A name that a hole may make use of, and its type, or `fn(i64) -> bool`.
struct ScopeName {
  std::string name, type;
};

inline constexpr u32 kNoSpace = ~0u;
inline constexpr u8 kNeverOpen = 0xFF;

struct Hole {
  HoleForm form = HoleForm::Free;
  SketchSpan span;              // all of it
  std::string name;             // without the `?`; empty: it has none
  std::string type;             // what it gives
  u8 least_level = kNeverOpen;  // what stands in its place needs no parentheses from this level on
  bool is_statement = false;    // what it gives is dropped
  u32 within = kNoSpace;        // the space that it is part of
  u32 expands = kNoSpace;       // of Expansion and Nested: from which space
  // Of a choice: to choose its value may take ticks that the chosen alternative alone does not. An array or a list is made
  // before it is gone through, where a chain alone would run element by element; large values are copied.
  bool is_copied = false;
  std::vector<Alternative> alternatives;  // of Choice
  Grid grid;                              // of Grid
  std::vector<SketchSpan> arguments;      // of Expansion
  std::vector<ScopeName> scope;           // of Free
};

struct SpaceParameter {
  std::string name, type;
  bool is_slice = false;
  std::vector<SketchSpan> uses;  // of its name
};
struct Space {
  SketchSpan span;  // the whole item
  std::string name, type;
  u32 depth = 0;             // how deep its own name may nest
  bool has_binders = false;  // its alternatives bind names
  std::vector<SpaceParameter> parameters;
  // Constants that its alternatives name, where a variable of the program has the same name.
  std::vector<SpaceParameter> constants;
  std::vector<Alternative> alternatives;
};

// Holes in the order of the text.
struct Sketch {
  std::vector<Hole> holes;
  std::vector<Space> spaces;
};

}  // namespace komuz
