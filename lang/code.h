// SPDX-License-Identifier: Apache-2.0
// Bytecode: the output of every front end and the input of every executor. docs/bytecode.md draws the layout.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lang/ops.h"
#include "lang/type_codes.h"

namespace komuz {

struct Instruction {
  Op op;
  Scalar type;
  u16 a;
  u32 b;
  bool operator==(const Instruction&) const = default;
};
static_assert(sizeof(Instruction) == 8);

// Field b of LOAD_AT and STORE_AT: the `slots` of the area, and the `cells` of an access.
struct AreaAccess {
  u32 slots, cells;
  // The number of offsets for which an access lies inside the area, from 0 on.
  [[nodiscard]] HD constexpr u32 offsets() const { return slots - cells + 1; }
};
[[nodiscard]] HD constexpr AreaAccess area_access(Instruction i) {
  return {i.b & 0xFFFF, i.b >> 16};
}

enum class FunctionKind : u8 {
  Function,  // `fn`
  Test,      // `test`: no parameters, no results
  Traps,     // the first argument of a `traps`: an entry that must end in `expected_trap`
  Example,   // `/// >>>`: a test named like the item below it
  Prop,      // `prop`: a test with parameters
  Ranges,  // ranges of a property's parameters: a tuple with `()` for a parameter without a range, else with both
           // ends, and whether the second is one of its values
  Open,    // `fn` without a body, until linking replaces it (link.h): the checker refuses it
};
// True if it runs by itself, and passes when it returns.
[[nodiscard]] constexpr bool is_test(FunctionKind kind) {
  return kind == FunctionKind::Test || kind == FunctionKind::Example;
}
// True if it belongs to another function, its owner.
[[nodiscard]] constexpr bool is_side_entry(FunctionKind kind) {
  return kind == FunctionKind::Traps || kind == FunctionKind::Ranges;
}

// Jump targets are instruction numbers, counted from the function's `code_begin`. A frame is `slots` variables, the
// parameters first, then `max_stack` cells of operand stack; a cell is 8 bytes for each lane.
struct Function {
  u32 name_begin = 0, name_end = 0;  // in Code::names
  u32 code_begin = 0, code_end = 0;  // in Code::instructions
  u32 types_begin = 0;               // in Code::types: the parameters as a tuple, then the result
  u32 slots_begin = 0;               // in Code::slot_types: one scalar type a slot
  u32 parameters_begin = 0;  // in Code::parameter_names: the row of the first parameter's name
  u32 place = 0;             // byte offset of the name in the source
  u16 parameter_slots = 0;
  u16 result_cells = 0;
  u16 slots = 0;      // parameters included
  u16 max_stack = 0;  // set by the checker
  u16 rec = 0;        // limit on live frames of its cycle; 0: not recursive
  u16 cycle = 0;      // number > 0 of its cycle; 0: none; set by the checker
  u16 owner =
      0;  // for a Traps or Ranges entry: the function number of its test; for an Open one: see link.h
  FunctionKind kind = FunctionKind::Function;
  Trap expected_trap = Trap::None;  // for a Traps entry; None: any trap
  bool is_public = false;
  u8 reserved[3] = {};
  u32 stack_bytes = 0;  // for a call of it and all that it calls, in each lane; set by the checker
};

// A part of Code::names.
struct NameRange {
  u32 begin = 0, end = 0;
  bool operator==(const NameRange&) const = default;
};

// A view of the code of one program. Columns of equal size are parallel: places to instructions.
struct CodeView {
  std::span<const Instruction> instructions;
  std::span<const u32> places;  // byte offset in the source of an instruction's token
  std::span<const u64> constants;
  std::span<const Function> functions;
  std::span<const u8> types;
  std::span<const u8> slot_types;  // Scalar
  std::span<const NameRange> parameter_names;
  std::string_view names;

  [[nodiscard]] std::string_view name(const Function& f) const {
    return names.substr(f.name_begin, f.name_end - f.name_begin);
  }
  [[nodiscard]] HD std::string_view type_codes() const {
    return as_codes(types.data(), types.size());
  }
  // The parameters as one tuple type, and the result's type, as type codes.
  [[nodiscard]] std::string_view parameter_types(const Function& f) const;
  [[nodiscard]] std::string_view result_type(const Function& f) const;
  // The function of an instruction; functions.size() if there is none.
  [[nodiscard]] size_t function_at(u32 instruction) const;
  [[nodiscard]] size_t find_function(std::string_view name) const;  // functions.size() if none
};

// Owns the code of one program. `clear` keeps the memory.
struct Code {
  std::vector<Instruction> instructions;
  std::vector<u32> places;
  std::vector<u64> constants;
  std::vector<Function> functions;
  std::vector<u8> types;
  std::vector<u8> slot_types;
  std::string names;
  std::vector<NameRange> parameter_names;  // for each parameter of each function in order

  void clear();
  [[nodiscard]] CodeView view() const {
    return {instructions, places, constants, functions, types, slot_types, parameter_names, names};
  }
};

// The size for ranking and reports: instructions and constants.
[[nodiscard]] HD u64 code_bytes(const CodeView& code) {
  return code.instructions.size() * sizeof(Instruction) + code.constants.size() * sizeof(u64);
}

}  // namespace komuz
