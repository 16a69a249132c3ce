// SPDX-License-Identifier: Apache-2.0
// The tables for writing the text of a variant (fill_plan.h), in memory of the host or of a device. The text of the
// sketch is cut into *parts*, and a variant is a walk from part to part:
//
//   fn f(x: f64) -> f64 {  ?a[x, -x]   *   ?e(x)   }      space e(v: f64) -> f64 depth 1 {  v,  e   +   v  }
//   ──────────────────────  ─────────  ───  ─────  ──                                       ─   ─  ───  ─
//   copied                  hole            hole                                            use hole    use
//
// The program, each alternative of a hole or space, and each argument is a stretch of parts, up to a part that ends
// it. The texts around an alternative are laid out for each hole and alternative, so only the last bytes of the text
// written so far need to be looked at.
#pragma once
#include <span>

#include "lang/sketch.h"

namespace komuz::engine {

class PointTexts;

struct FillTables {
  static constexpr u32 kNone = ~0u;

  enum class PartKind : u8 {
    Copied,
    Use,   // use of the name `what` of the surrounding space
    Hole,  // `what`
    End,   // end of a stretch
  };
  struct Part {
    PartKind kind = PartKind::End;
    u32 what = 0;
    SketchSpan text;  // for Copied and Use
  };
  // When the surrounding texts are written.
  enum class Enclosed : u8 {
    Never,
    Always,
    AfterSpace,      // always, and they must not run into a word before them
    AtWords,         // if it would run into a word before it
    AtWordsAndLines  // or if it is the first on its line, and would continue the line above
  };
  // A content of a hole. If it is enclosed it may be without its own braces.
  struct Way {
    u32 part = 0, enclosed_part = 0;  // the first
    SketchSpan before, behind;        // texts around it
    Enclosed enclosed = Enclosed::Always;
  };
  struct Hole {
    HoleForm form = HoleForm::Free;
    u32 place = 0;  // in the sketch
    // For Choice, Expansion and Nested. For Expansion as many more follow, for alternatives with a `let` before them.
    u32 first_way = 0, ways = 0;
    u32 space = kNoSpace;
    u32 first_argument = 0;  // for Expansion: in argument_parts
    // For Expansion: in the program, its names may be bound in the surrounding block.
    bool fills_block = false;
    u32 first_point = kNone;  // for Grid: in point_begins; kNone: its points are in no table
    Enclosed number = Enclosed::Never, negative_number = Enclosed::Never;
  };
  // Names that are replaced: parameters, then constants.
  struct Space {
    u32 first_name = 0;
    u32 parameters = 0, constants = 0;
    bool has_binders = false, has_slices = false;
  };
  struct Name {
    SketchSpan text, type;  // equal names have equal texts
    // Numbers n for which name_n occurs in the sketch, in rising order.
    u32 first_taken = 0, behind_taken = 0;
    bool is_slice = false;
  };

  // The sketch, so that places in it are also places here; then all other texts.
  std::span<const char> text;
  std::span<const Part> parts;
  std::span<const Way> ways;
  std::span<const Hole> holes;
  std::span<const u32> argument_parts;  // the first part of each argument
  std::span<const u8> are_locals;  // each of them: 1 if it is the name of a parameter or a variable
  std::span<const Space> spaces;
  std::span<const Name> names;
  std::span<const u32> taken;
  std::span<const u32>
      point_begins;  // beginnings in `text` of each point's literal; the end behind them
  u32 program = 0;   // its first part
  // On the host, for points that are in no table; null on a device.
  PointTexts* points_on_demand = nullptr;

  // Calls visit(span&) for each table.
  template <class Visit>
  void for_each(Visit visit) {
    visit(text), visit(parts), visit(ways), visit(holes), visit(argument_parts);
    visit(are_locals), visit(spaces), visit(names), visit(taken), visit(point_begins);
  }
};

}  // namespace komuz::engine
