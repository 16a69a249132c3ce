// SPDX-License-Identifier: Apache-2.0
// A sketch as its tools see it: the holes of its text, and the possible contents of each. Places are bytes of the
// source.
#pragma once
#include <string>
#include <vector>

#include "lang/types.h"

namespace komuz {

enum class HoleForm : u8 {
  Free,       // `?n`: its content is unknown
  Choice,     // `?n[a, b]`: one of its alternatives
  Grid,       // `?n(a..b, steps: s)`: a number of a grid; `?n(real)`: any number
  Expansion,  // `?s(x)`: an expression from a space
  Nested,     // the name of a space among its own alternatives
};

struct SketchSpan {
  u32 begin = 0, end = 0;
};
[[nodiscard]] constexpr bool contains(SketchSpan outer, SketchSpan inner) {
  return outer.begin <= inner.begin && inner.end <= outer.end;
}

// A possible content of a hole, or of a space.
struct Alternative {
  SketchSpan span;
  bool is_closed = false;  // it needs no parentheses in any context
  u8 level = 0;            // how tightly its operators bind (nodes.def); 0: it needs parentheses
  bool leaves = false;     // it gives no value
  // The type to write with it where it stands alone, if its context has decided the type of its literals; empty if it
  // has this type anyway.
  std::string type;
  // It is made of literals of integers, and the type is a float's. In a conversion the literals would be integers.
  bool is_integer_as_float = false;
};

// Numbers from `low` to `high`, cells of `type`; docs/sketches.md defines the points.
struct Grid {
  Scalar type = Scalar::F64;
  u64 low = 0, high = 0;
  u64 points = 0;
  bool is_inclusive = false, is_logarithmic = false;
  // `?n(real)`: any number, as a search fits it (engine/sketch/grid/real_points.h). The ends say nothing.
  bool is_real = false;
};

// The points of a hole that is any number, and the one of zero (engine/sketch/grid/real_points.h).
inline constexpr u32 kRealZero = 0x7F7F'FFFF;
inline constexpr u64 kRealPoints = 2 * u64{kRealZero} + 1;

// A name that a hole may use, and its type, or `fn(i64) -> bool`.
struct ScopeName {
  std::string name, type;
};

inline constexpr u32 kNoSpace = ~0u;
inline constexpr u8 kNeverOpen = 0xFF;

struct Hole {
  HoleForm form = HoleForm::Free;
  SketchSpan span;              // the whole hole
  std::string name;             // without the `?`; empty: none
  std::string type;             // of its value
  u8 least_level = kNeverOpen;  // content of this level or tighter needs no parentheses
  bool is_statement = false;    // its value is dropped
  u32 within = kNoSpace;        // the space that contains it
  u32 expands =
      kNoSpace;  // for Expansion and Nested: the space; of another module: none, but its name
  // For a choice: choosing its value may take ticks that the chosen alternative alone would not. An array or list is
  // made before its elements are visited, where a chain would run element by element; large values are copied.
  bool is_copied = false;
  std::vector<Alternative> alternatives;  // for Choice
  Grid grid;                              // for Grid
  std::vector<SketchSpan> arguments;      // for Expansion
  std::vector<u8> are_locals;    // each of these: 1 if it is the name of a parameter or a variable
  std::vector<ScopeName> scope;  // for Free
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
  // Constants that its alternatives name and that share a name with a variable of the program.
  std::vector<SpaceParameter> constants;
  std::vector<Alternative> alternatives;
};

// What stands behind the text of a sketch because spaces of modules need it, and the names that it has there.
struct SketchCopy {
  SketchSpan span;
  std::vector<std::string> names;
};
// The text of a sketch with copies of the spaces of modules that it takes expressions from, and of what these need.
// `copies`: those that are no spaces.
struct WrittenOut {
  std::string text;
  std::vector<SketchCopy> copies;
};

// Holes in the order of the text.
struct Sketch {
  std::vector<Hole> holes;
  std::vector<Space> spaces;
};

}  // namespace komuz
