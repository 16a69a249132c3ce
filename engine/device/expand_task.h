// SPDX-License-Identifier: Apache-2.0
// The input and output of device threads that make expanded variants of a sketch. There are three steps; each handles
// all variants of a stretch before the next one begins:
//
//   Write    a thread for each variant: writes its decisions, its text, and behind that the interfaces of modules
//   compile  the front end compiles the texts in place (frontend_gpu/device/batch.h), and checks their code
//   Lower    a thread for each variant: claims its program; for a new one links and checks the code, and lowers it
//
// Pointers are into memory of the device or, under test on the host, of the host.
#pragma once
#include "engine/device/variant_decoder.h"
#include "engine/sketch/filling.h"
#include "frontend_gpu/device/device_check.h"
#include "frontend_gpu/device/packed.h"
#include "lang/link/library_rows.h"

namespace komuz::engine {

enum class ExpandStep : u8 { Write, Lower };

// Limits on a variant, from which the memory of a thread follows.
struct ExpandRoom {
  VariantDecoder::Room decoder;
  Filling<Bounded>::Room filling;
  u32 text = 0;  // bytes, with what stands behind it; a multiple of 8
  Linking<Bounded>::Room linking;
  u32 instructions = 0, constants = 0, functions = 0, types = 0, slots = 0, names = 0,
      result_cells = 0;
  WarpCodeWriter::Room code;
};

// A view of an AddedFunction; without instructions there is none.
struct AddedRows {
  std::span<const Instruction> instructions;
  std::span<const u64> constants;
  std::span<const u8> slot_types;
  Function header;
};

struct ExpandCounts {
  MadeCounts made;
  u64 text_bytes;    // of all texts, each with what stands behind it
  u64 longest_text;  // bytes
};

struct ExpandTask {
  VariantTables variants;
  FillTables fill;
  std::span<const char> interfaces;
  LibraryRows library;
  std::span<const u32> heads;
  AddedRows added;
  u32 entry, harness, harness_entry;  // ExpandedSketch
  u32 stack_limit;
  ExpandRoom room;

  VariantStretch stretch;
  u32 count;
  char* texts;  // room.text bytes for each variant
  frontend::PackedProgram* programs;
  frontend::ResidentResults compiled;
  CodeOutput code;  // its counts are those below
  ExpandCounts* counts;
  u8* scratch;  // so many bytes for each thread
  size_t scratch_bytes;

  // Calls visit(span&) for each table.
  template <class Visit>
  void for_each(Visit visit) {
    variants.for_each(visit), fill.for_each(visit), library.for_each(visit);
    visit(interfaces), visit(heads);
    visit(added.instructions), visit(added.constants), visit(added.slot_types);
  }
};

}  // namespace komuz::engine
