// SPDX-License-Identifier: Apache-2.0
// The plain program of a variant: the sketch's text with its decisions in the place of its holes, and without its spaces.
// Holes that are free stay. It is not formatted: services/format.h.
#pragma once
#include <string>
#include <string_view>

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
  [[nodiscard]] u32 place_in_sketch(u32 offset) const;
  // Where in the text written last a byte of the program's own text is, which is in no hole.
  [[nodiscard]] u32 offset_of(u32 place) const;

 private:
  struct Piece {
    u32 begin, source;
    bool is_copied;  // byte for byte
  };
  struct Argument {
    const SpaceParameter* parameter;
    std::string text;
    std::vector<Piece> pieces;  // of the text
  };
  void copy(SketchSpan span);
  // What is written next stands for what is there in the sketch.
  void note_place(u32 source, bool is_copied);
  // The text of an argument, which was written apart.
  void append(const Argument& argument);
  void region(SketchSpan span, u32 instance);
  void hole(u32 number, u32 instance);
  // Of what may stand in the hole `around`. `least_level`: from which on it needs no parentheses.
  void alternative(const Hole& around, const Alternative& alternative, u32 instance,
                   u8 least_level);
  // What stands where no value is wanted, with a `;` behind it, so that a value which it may have is dropped.
  void statement(const Alternative& alternative, u32 instance);
  void with_arguments(const Hole& hole, u32 from, u32 instance);
  void number(const Hole& hole, u64 point);
  // … as a literal; until the next call.
  [[nodiscard]] const std::string& point_text(const Hole& hole, u64 point);
  // Is it all that is left of a block of the program? What it binds may be bound there.
  [[nodiscard]] bool ends_block(const Hole& hole, u32 instance) const;
  // The item with the comments that speak of it.
  [[nodiscard]] SketchSpan with_comments(SketchSpan item) const;
  [[nodiscard]] const Hole* hole_at(SketchSpan span) const;
  // A name that the source does not have, for what a parameter stands for.
  [[nodiscard]] std::string fresh_name(const std::string& name);
  // Another constant with the value of one whose name is a variable's where the space is used.
  [[nodiscard]] const std::string& alias(const SpaceParameter& constant);
  // What stands next must not run into what is there, nor into what is behind.
  [[nodiscard]] bool touches_word() const;
  // Is what stands next the first on its line?
  [[nodiscard]] bool starts_line() const;
  [[nodiscard]] bool meets_word(u32 behind) const;

  std::string_view source_;
  const VariantPlan& plan_;
  const Sketch& sketch_;
  std::vector<SketchSpan> left_out_;  // spaces, with their comments
  DecodedVariant variant_;
  std::vector<std::vector<Argument>> replaced_;  // by instance: what stands for its parameters
  std::string* out_ = nullptr;                   // the text, or a part that goes to it later
  std::vector<Piece>* out_pieces_ = nullptr;     // of that
  std::vector<Piece> pieces_;                    // of the text
  struct Alias {
    const SpaceParameter* constant;
    std::string name;
  };
  std::vector<Alias> aliases_;  // that the variant needs
  u32 fresh_names_ = 0;         // of this variant
  // By hole and point: literals that were written before. They take longer to make than all else that is written.
  std::vector<std::vector<std::string>> points_;
  u64 room_for_points_ = 1u << 16;
  std::string other_point_;  // where there is no room
};

}  // namespace komuz::engine
