// SPDX-License-Identifier: Apache-2.0
// The input and output of device threads that make variants of a sketch. Pointers are into memory of the device or,
// under test on the host, of the host.
#pragma once
#include "engine/device/decision_rows.h"
#include "engine/device/known_programs.h"
#include "engine/device/warp_code_writer.h"
#include "engine/sketch/binding.h"
#include "engine/sketch/variant_numbers.h"
#include "engine/sketch/variant_tables.h"

namespace komuz::engine {

// A variant whose code is on the device. Its types_begin is not set.
struct MadeVariant {
  u64 identity_low, identity_high;  // as identity_of gives them (sketch_program.h)
  vm::WarpProgram program;
  u32 bytes;  // as bound_bytes gives them
  Made made;
};
static_assert(sizeof(MadeVariant) == 56);

// Variants that the host does not look at one by one: consecutive numbers, or else lists of decisions. A known
// program is not made again. Pointers are into memory of the device.
struct VariantStretch {
  VariantNumbers numbers;
  DecisionRows decisions;
  u32 first_row;  // variant i is number, or list, first_row + i, which is its row
  KnownPrograms known;
  u32* slots;  // the slot of each variant's program
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

// Limits on a variant, from which the memory of a thread follows.
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
  u32 own_functions;  // functions behind these are not part of the variant's identity
  VariantRoom room;

  bool is_stretch;
  VariantStretch stretch;
  // Without a stretch, the variants are those of a list. Variant i has the number numbers[i] or, if that is none, the
  // decisions from decision_begins[i] up to the next variant's.
  static constexpr u64 kNoNumber = ~u64{0};
  const u64* numbers;
  const u32* decision_begins;
  const u32* decisions;
  u32 count;

  u8* scratch;  // so many bytes for each thread
  size_t scratch_bytes;

  CodeOutput code;
  MadeVariant* made;  // of each variant of the list
};

}  // namespace komuz::engine
