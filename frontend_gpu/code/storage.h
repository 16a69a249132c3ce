// SPDX-License-Identifier: Apache-2.0
// Where the blocks of a path's value lie, given the path's indices. Block b has its first cell at first[b], plus
// stride[level][b] times the index of each level. Behind a slice, cells are counted from where the slice's
// references point.
#pragma once
#include "frontend_gpu/questions/fields.h"
#include "frontend_gpu/questions/paths.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// The first slot of what a node keeps. These slots follow those of its item's variables (bounds.h).
HD u32 kept_slot(const Columns& c, Index keeper) { return c.ref[keeper]; }

struct Place {
  TypeId type = kTypeError;  // kTypeError: there is no place
  u32 blocks = 0, levels = 0;
  bool is_referred = false;  // it lies behind a slice
  u32 length_slot = 0;       // of the slice, while `type` is one
  Scalar scalar[kMaxBlocks];
  u16 first[kMaxBlocks];
  u16 count[kMaxBlocks];      // cells
  u16 reach[kMaxBlocks];      // cells from first[b] to the last block that indices can lead to
  u16 reference[kMaxBlocks];  // the slot of the reference
  u16 stride[kMaxLevels][kMaxBlocks];

  // Starts with a variable, or with what a node keeps.
  HD_COLD void start(const Columns& c, TypeId of, u32 slot) {
    type = of;
    blocks = levels = 0;
    is_referred = false;
    if (is_slice(c, type)) {
      is_referred = true;
      length_slot = slot++;
      for_each_block(c, settled(held_type(c, type)),
                     [&](Scalar s, u32 cells) { put(s, 0, cells, slot++); });
      return;
    }
    for_each_block(c, type, [&](Scalar s, u32 cells) {
      put(s, slot, cells, 0);
      slot += cells;
    });
  }
  // Starts with an element, by an index, of `times` elements that lie together.
  HD_COLD void start_elements(const Columns& c, TypeId of, u32 times, u32 slot) {
    type = of;
    blocks = levels = 0;
    is_referred = false;
    for_each_block(c, type, [&](Scalar s, u32 cells) {
      put(s, slot, cells, 0);
      stride[0][blocks - 1] = static_cast<u16>(cells);
      reach[blocks - 1] = static_cast<u16>(cells * (times - 1));
      slot += cells * times;
    });
    levels = 1;
  }
  // Goes on to a field of a tuple or record.
  HD_COLD void enter_field(const Columns& c, u32 number) {
    u32 before = 0;
    for (u32 k = 0; k < number; ++k) before += count_blocks(c, field_type(c, type, k));
    type = field_type(c, type, number);
    keep(before, count_blocks(c, type));
  }
  // Goes on to a field of one of a sum's alternatives (alternative_field_type).
  HD_COLD void enter_alternative(const Columns& c, Index constructor, u32 number) {
    Place sum;  // its blocks behind the alternative's number, by scalar
    sum.levels = levels;
    for (u32 b = 1; b < blocks; ++b) sum.take(static_cast<u8>(scalar[b]), *this, b);
    blocks = 0;
    for_each_alternative_block(c, type, constructor, number, [&](Scalar s, u32 before, u32 cells) {
      take(blocks, sum, static_cast<u8>(s));
      first[blocks] = static_cast<u16>(first[blocks] + before);
      count[blocks++] = static_cast<u16>(cells);
    });
    type = alternative_field_type(c, type, constructor, number);
  }
  // Goes on to an element of an array, list or slice, by one more index.
  HD_COLD void enter_element(const Columns& c) {
    const Container own = container_of(c, type);
    if (own.form == TypeForm::List) keep(1, blocks - 1);
    for (u32 b = 0; b < blocks; ++b) {
      const u32 cells = own.form == TypeForm::Slice ? count[b] : count[b] / own.count;
      stride[levels][b] = static_cast<u16>(cells);
      if (own.form != TypeForm::Slice) reach[b] = static_cast<u16>(reach[b] + count[b] - cells);
      count[b] = static_cast<u16>(cells);
    }
    ++levels;
    type = settled(held_type(c, type));
  }
  [[nodiscard]] HD u32 cells() const {
    u32 n = 0;
    for (u32 b = 0; b < blocks; ++b) n += count[b];
    return n;
  }

 private:
  HD void put(Scalar s, u32 at, u32 cells, u32 slot_of_reference) {
    if (blocks == kMaxBlocks) return;
    scalar[blocks] = s;
    first[blocks] = static_cast<u16>(at);
    count[blocks] = static_cast<u16>(cells);
    reach[blocks] = 0;
    reference[blocks++] = static_cast<u16>(slot_of_reference);
  }
  // Keeps only these blocks.
  HD_COLD void keep(u32 from, u32 n) {
    for (u32 b = 0; b < n; ++b) take(b, *this, from + b);
    blocks = n;
  }
  // Makes block b a copy of a block of another place with the same number of levels.
  HD void take(u32 b, const Place& other, u32 from) {
    scalar[b] = other.scalar[from];
    first[b] = other.first[from];
    count[b] = other.count[from];
    reach[b] = other.reach[from];
    reference[b] = other.reference[from];
    for (u32 level = 0; level < levels; ++level) stride[level][b] = other.stride[level][from];
  }
};

// Finds the place of a path, or of the steps that start from a value that an index keeps. Other nodes have none.
HD_COLD void find_place(const Columns& c, Index node, Place& place) {
  Index steps[Spelling::kCapacity];
  u32 n = 0, from_kept = 0;  // steps from the innermost index on
  Index base = node;
  for (Index next = step_base(c, base); next != kNone && n < Spelling::kCapacity;
       next = step_base(c, base)) {
    steps[n++] = base;
    if (node_kind(c, base) == Node::Index) from_kept = n;
    base = next;
  }
  if (is_path(c, base)) {
    const Index ref = c.ref[base];
    place.start(c, c.bind_type[ref], c.bind_value[ref]);
  } else {
    n = from_kept;
    if (n == 0) return;
    const Index keeper = steps[n - 1];
    place.start(c, c.type[c.left[keeper]], kept_slot(c, keeper));
  }
  while (n != 0 && is_tuple(place.type)) {
    const Index step = steps[--n];
    if (node_kind(c, step) == Node::Index)
      place.enter_element(c);
    else
      place.enter_field(c, field_number(c, place.type, c.right[step]));
  }
}
// Finds the place of what an index, a `for` or an operation on a collection looks at. `kept`: its slots, if it has
// no place of its own.
HD_COLD void find_subject(const Columns& c, Index value, u32 kept, Place& place) {
  if ((c.tails[value] & kKept) == 0 && is_placed(c, value))
    find_place(c, value, place);
  else
    place.start(c, c.type[value], kept);
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
