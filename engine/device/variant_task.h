// SPDX-License-Identifier: Apache-2.0
// What the threads of a device are given to make variants of a sketch, and what they give back. Into memory of the
// device or, under test on the host, of the host.
#pragma once
#include "engine/device/decision_rows.h"
#include "engine/device/known_programs.h"
#include "engine/device/warp_code_writer.h"
#include "engine/sketch/binding.h"
#include "engine/sketch/variant_numbers.h"
#include "engine/sketch/variant_tables.h"

namespace komuz::engine {

// A variant of which the code is on the device. Its types_begin is not set.
struct MadeVariant {
  u64 identity_low, identity_high;  // as identity_of (sketch_program.h)
  vm::WarpProgram program;
  u32 bytes;  // as bound_bytes
  Made made;
};
static_assert(sizeof(MadeVariant) == 56);

// Variants that the host does not look at one by one: of those numbers some in a row, or else lists of decisions. A program that is
// known already is not made again. Into memory of the device.
struct VariantStretch {
  VariantNumbers numbers;
  DecisionRows decisions;
  u32 first_row;  // variant i is number first_row + i of these, or list i, and that is its row
  KnownPrograms known;
  u32* slots;  // of each variant: where its program is known
  // Of each new program, in any order:
  vm::WarpProgram* programs;  // its types_begin counts cells of results
  u32* slot_of;
  u32* bytes_of;

  // A new program, which is done.
  template <class Machine>
  HD void add(vm::WarpProgram program, u32 slot, u32 bytes, MadeCounts& counts,
              const Machine& machine) const {
    const u64 number = machine.fetch_add(counts.programs, 1);
    program.types_begin = static_cast<u32>(number) * program.results;
    programs[number] = program;
    slot_of[number] = slot;
    bytes_of[number] = bytes;
  }
};

// How much a variant may be, so that a thread has memory for it.
struct VariantRoom {
  u32 decided = 0, instances = 0, instructions = 0, constants = 0;
  Binding<Bounded>::Room binding;
  WarpCodeWriter::Room code;
};

struct VariantTask {
  VariantTables variants;
  BindTables bind;
  std::span<const u8> slot_types, result_types;
  std::span<const u32> result_begins;
  u32 entry;
  u32 own_functions;  // what is behind these says nothing about what the variant is
  VariantRoom room;

  bool is_stretch;
  VariantStretch stretch;
  // Else variants are those of a list. Variant i has the number numbers[i], or where that is none the decisions from decision_begins[i] on to where
  // those of the next one begin.
  static constexpr u64 kNoNumber = ~u64{0};
  const u64* numbers;
  const u32* decision_begins;
  const u32* decisions;
  u32 count;

  u8* scratch;  // of each thread so many bytes
  size_t scratch_bytes;

  CodeOutput code;
  MadeVariant* made;  // of each variant of the list
};

}  // namespace komuz::engine
