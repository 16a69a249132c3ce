// SPDX-License-Identifier: Apache-2.0
// A type taken apart, for reading and writing values: its parts in prefix order, the constructors of records and
// sums, and the places of each part's cells. Not part of the engine's door.
//
// Parts that are nested only in tuples and records form a *region*: their blocks stand one behind the other
// (lang/layout.h). The elements of an array and the fields of a sum's alternatives are regions of their own, whose
// blocks lie inside those of the array or sum. A CellCursor finds them.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "lang/type_codes.h"

namespace komuz::engine {

struct ShapeNode {
  u8 code = 0;      // Scalar, kTupleCode, …
  u32 count = 0;    // elements of a tuple, of an array, or of a list at most; alternatives of a sum
  u32 next = 0;     // the node behind its parts, which start behind it
  u32 code_at = 0;  // in the type's codes
  u32 first_constructor = 0;  // of a record, sum or Option
  u32 first_block = 0;        // its own, in ValueShape::blocks
  u32 blocks = 0;             // their number; 0 for a tuple or record
  u32 parts_end = 0;  // for an array, list, sum, Option or slice: where the blocks of its parts end

  [[nodiscard]] bool is_scalar() const { return code < kTupleCode; }
  [[nodiscard]] Scalar scalar() const { return static_cast<Scalar>(code); }
  [[nodiscard]] bool has_elements() const { return code == kArrayCode || code == kListCode; }
};

// The constructor of a record or of an alternative of a sum. `None` has no fields, `Some` has one without a name.
struct Constructor {
  std::string_view name;
  u32 first_field = 0, fields = 0;  // in ValueShape::fields
};
struct ShapeField {
  std::string_view name;
  u32 node = 0;
};

struct ValueShape {
  // The codes are sound, and outlive it.
  explicit ValueShape(std::string_view type_code);

  std::string_view codes;
  std::vector<ShapeNode> nodes;  // in prefix order; the first is the whole type
  std::vector<Constructor> constructors;
  std::vector<ShapeField> fields;
  std::vector<LayoutBlock> blocks;
  u32 root_blocks = 0;             // those of the whole type stand first
  bool has_nested_option = false;  // an Option directly in another
  bool has_slice = false;

  [[nodiscard]] std::span<const ShapeField> fields_of(const Constructor& of) const {
    return std::span(fields).subspan(of.first_field, of.fields);
  }
  [[nodiscard]] bool is_bytes(u32 node) const {
    return nodes[node].code == kListCode && nodes[node + 1].code == static_cast<u8>(Scalar::U8);
  }
  // The name of a node's type in messages.
  [[nodiscard]] std::string text_of(u32 node) const;

 private:
  void read_nodes();
  void read_names(TypeHead head, u32 node);
  void lay_out();
};

// Finds the parts of one value by moving from region to region.
class CellCursor {
 public:
  explicit CellCursor(const ValueShape& shape) : shape_(&shape) {}

  // Moves to the whole value.
  void reset();
  // The first cell of a node of the region, or of its second block, and so on.
  [[nodiscard]] u32 cell(u32 node, u32 block = 0) const {
    return starts_[offset_ + shape_->nodes[node].first_block + block];
  }
  // Restored when a region is left.
  struct Region {
    u32 starts = 0, offset = 0;
  };
  // Enters the first element of an array or list, and moves from one to the next.
  [[nodiscard]] Region enter_elements(u32 node);
  void next_element(u32 node);
  // Enters the fields of an alternative, which has some, of a sum or Option.
  [[nodiscard]] Region enter_alternative(u32 node, u32 alternative);
  void leave(Region region);

 private:
  // The blocks of the entered region start at cells that were pushed behind `outer`.
  void enter(Region outer, u32 first_block) { offset_ = outer.starts - first_block; }
  [[nodiscard]] Region here() const { return {static_cast<u32>(starts_.size()), offset_}; }

  const ValueShape* shape_;
  std::vector<u32> starts_;  // of blocks, by regions
  u32 offset_ = 0;           // starts_[offset_ + b] is for block b of the region; modulo 2^32
};

}  // namespace komuz::engine
