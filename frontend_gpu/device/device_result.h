// SPDX-License-Identifier: Apache-2.0
// What a device hands back for one program: a row, and in the output, from `code_at` and `messages_at` on, the code
// and the columns from which messages are made. Device and host find the parts by the same arithmetic.
#pragma once
#include "frontend_gpu/columns/narrow.h"
#include "lang/code.h"

namespace komuz::frontend {

// How a program ended on the device. The host compiles every program that is not Done.
enum class DeviceEnd : u8 {
  Waiting,  // for a group with more memory
  Done,
  TooManyNodes,      // more than 16-bit columns hold
  TooManyFunctions,  // more than a word has bits
  TooMuchCode,
  NoOutput,  // the output is full
};

struct DeviceResult {
  u64 hash_low = 0, hash_high = 0;
  u64 code_at = 0, messages_at = 0;  // in the output
  u32 tokens = 0, nodes = 0, brackets = 0, items = 0;
  u32 functions_code = 0, instructions = 0, constants = 0;
  u32 functions = 0, names = 0, types = 0, slots = 0, parameters = 0;  // HeaderSizes
  DeviceEnd end = DeviceEnd::Waiting;
  u8 has_code = 0;  // 0: the program is in error
  u8 has_messages = 0;
  u8 by_block = 0;    // whether a block compiled it, and not a warp
  u8 is_checked = 0;  // whether its code has passed the checker there (device_check.h)
  u8 reserved[3] = {};
};
static_assert(sizeof(DeviceResult) == 88);

// The parts of a program's code in the output, in bytes from `code_at` on.
struct CodeParts {
  u64 functions, constants, instructions, places, parameter_names, names, types, slot_types, bytes;
};
HD CodeParts code_parts(const DeviceResult& r) {
  CodeParts p{};
  u64 at = 0;
  const auto part = [&at](u64 cells, u64 size) {
    const u64 begin = at;
    at += cells * size;
    return begin;
  };
  p.functions = part(r.functions, sizeof(Function));
  p.constants = part(r.constants, sizeof(u64));
  p.instructions = part(r.instructions, sizeof(Instruction));
  p.places = part(r.instructions, sizeof(u32));
  p.parameter_names = part(r.parameters, sizeof(NameRange));
  p.names = part(r.names, 1);
  p.types = part(r.types, 1);
  p.slot_types = part(r.slots, 1);
  p.bytes = at;
  return p;
}
static_assert(sizeof(Function) % 8 == 0);

// The types of message_columns.def in the form in which a device with narrow columns hands them back.
struct MessageTypes {
  using u8 = komuz::u8;
  using u16 = komuz::u16;
  using u32 = komuz::u32;
  using Index = NarrowIndex;
};
// The number of cells of each column of message_columns.def.
struct MessageCells {
  u32 marked, nodes, tokens, brackets;
};
HD MessageCells message_cells(const DeviceResult& r) {
  return {r.nodes, r.nodes, r.tokens, r.brackets};
}
HD u64 message_bytes(const MessageCells& cells) {
  u64 bytes = 0;
#define MESSAGE_COLUMN(list, Type, name) bytes += u64{cells.list} * sizeof(MessageTypes::Type);
#include "frontend_gpu/columns/message_columns.def"
  return bytes;
}

}  // namespace komuz::frontend
