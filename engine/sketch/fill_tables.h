// SPDX-License-Identifier: Apache-2.0
// What writing the text of a variant reads (fill_plan.h), in memory of the host or of a device. The text of the sketch is cut
// into *parts*, so that a variant is a walk from part to part:
//
//   fn f(x: f64) -> f64 {  ?a[x, -x]   *   ?e(x)   }      space e(v: f64) -> f64 depth 1 {  v,  e   +   v  }
//   ──────────────────────  ─────────  ───  ─────  ──                                       ─   ─  ───  ─
//   copied                  hole            hole                                            use hole    use
//
// What may stand somewhere is a stretch of parts, up to one that ends it: the program, what a hole or a space may be, and each
// argument. Which texts are written around it is laid out for each hole and what may stand there, so that of what
// has been written only the last bytes are looked at.
#pragma once
#include <span>

#include "lang/sketch.h"

namespace komuz::engine {

class PointTexts;

struct FillTables {
  static constexpr u32 kNone = ~0u;

  enum class PartKind : u8 {
    Copied,
    Use,   // of the name `what` of the space that it is part of
    Hole,  // `what`
    End,   // of what stands there
  };
  struct Part {
    PartKind kind = PartKind::End;
    u32 what = 0;
    SketchSpan text;  // of Copied and Use
  };
  // Where does it stand between the texts around it?
  enum class Enclosed : u8 {
    Never,
    Always,
    AfterSpace,      // always, and these must not run into a word before them
    AtWords,         // where it would run into a word before it
    AtWordsAndLines  // … or is the first on its line, and would go on with what stands above
  };
  // What may stand in a hole. Where it is enclosed it may be without its own braces.
  struct Way {
    u32 part = 0, enclosed_part = 0;  // the first
    SketchSpan before, behind;        // texts around it
    Enclosed enclosed = Enclosed::Always;
  };
  struct Hole {
    HoleForm form = HoleForm::Free;
    u32 place = 0;  // in the sketch
    // Of Choice, Expansion and Nested. Of Expansion as many more follow, for alternatives with a `let` before them.
    u32 first_way = 0, ways = 0;
    u32 space = kNoSpace;
    u32 first_argument = 0;  // of Expansion: in argument_parts
    // Of Expansion: in the program, what it binds may be bound in the block around it.
    bool fills_block = false;
    u32 first_point = kNone;  // of Grid: in point_begins; kNone: no table has them
    Enclosed number = Enclosed::Never, negative_number = Enclosed::Never;
  };
  // Names for which something else may stand: parameters, then constants.
  struct Space {
    u32 first_name = 0;
    u32 parameters = 0, constants = 0;
    bool has_binders = false, has_slices = false;
  };
  struct Name {
    SketchSpan text, type;  // the same name has the same text
    // Numbers n for which the sketch has name_n somewhere, in rising order.
    u32 first_taken = 0, behind_taken = 0;
    bool is_slice = false;
  };

  // The sketch, so that places in it are places here; then all other texts.
  std::span<const char> text;
  std::span<const Part> parts;
  std::span<const Way> ways;
  std::span<const Hole> holes;
  std::span<const u32> argument_parts;  // the first of each argument
  std::span<const Space> spaces;
  std::span<const Name> names;
  std::span<const u32> taken;
  std::span<const u32> point_begins;  // of the literal of each point, in text; the end behind them
  u32 program = 0;                    // its first part
  // Of the host, for points that are in no table; on a device null.
  PointTexts* points_on_demand = nullptr;

  // visit(span&) for each table.
  template <class Visit>
  void for_each(Visit visit) {
    visit(text), visit(parts), visit(ways), visit(holes), visit(argument_parts), visit(spaces);
    visit(names), visit(taken), visit(point_begins);
  }
};

}  // namespace komuz::engine
