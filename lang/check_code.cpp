// SPDX-License-Identifier: Apache-2.0
// The checker's order of work: the columns and the headers of all functions, then the instructions of each function,
// then the call graph. Each step may rely on what the steps before it have proven.
#include "lang/check_code.h"

#include <algorithm>

#include "base/counts.h"
#include "lang/call_graph.h"
#include "lang/check_function.h"

namespace komuz {
namespace {

constexpr size_t kMaxFunctions = 0xFFFF;
constexpr size_t kMaxRows = 0x7FFF'FFFF;
// Bytes of type codes of one signature. Bounds the work that a hostile file can ask for with headers that share a type.
constexpr size_t kMaxSignatureCodes = size_t{1} << 20;
constexpr u32 kCellBytes = 8;

// Where a header's scalars come from, or why it is unsound.
struct HeaderCheck {
  std::string reason;
  u32 result_types_at = 0;
};

HeaderCheck unsound(std::string reason) { return {std::move(reason), 0}; }

bool in_range(u64 begin, u64 end, u64 size) { return begin <= end && end <= size; }

// `slots` has a row for each of the cells.
bool are_types_of(std::string_view codes, const u8* slots) {
  bool equal = true;
  for_each_cell(codes, [&](Scalar cell) { equal &= *slots++ == static_cast<u8>(cell); });
  return equal;
}

// Where the result's type stands among the codes of a signature of scalars alone, as most are; 0: it is another one, or
// unsound.
u32 result_of_scalars(std::string_view codes, const CodeView& code, const Function& f) {
  const u32 parameters = f.parameter_slots, result = 2 + parameters;
  if (parameters > kMaxTypeElements || f.result_cells != 1 || codes.size() <= result) return 0;
  const u8* const types = reinterpret_cast<const u8*>(codes.data());
  const auto is_scalar = [](u8 type) { return type != 0 && type < kScalarCount; };
  bool sound = types[0] == kTupleCode && types[1] == parameters && is_scalar(types[result]);
  const u8* const slots = code.slot_types.data() + f.slots_begin;
  for (u32 k = 0; k < parameters; ++k) sound &= is_scalar(slots[k]) && types[2 + k] == slots[k];
  return sound ? result : 0;
}

HeaderCheck check_types(std::string_view codes, const CodeView& code, const Function& f) {
  const size_t result = skip_type(codes, 0);
  if (result > codes.size() || static_cast<u8>(codes[0]) != kTupleCode)
    return unsound("its parameters are no tuple of types, or one that is too long");
  const size_t end = skip_type(codes, result);
  if (end > codes.size()) return unsound("its result is no type, or one that is too long");

  if (count_cells(codes.substr(0, result)) != f.parameter_slots)
    return unsound("its parameters do not take " + counted(f.parameter_slots, "slot"));
  if (!are_types_of(codes.substr(0, result), code.slot_types.data() + f.slots_begin))
    return unsound("its first slots do not have its parameters' types");
  if (count_cells(codes.substr(result, end - result)) != f.result_cells)
    return unsound("its result does not take " + counted(f.result_cells, "cell"));

  bool has_reference = false;
  for_each_block(codes.substr(result, end - result),
                 [&](LayoutBlock block) { has_reference |= is_reference(block.scalar); });
  if (has_reference)
    return unsound("its result holds a reference, which would outlive what it refers to");
  return {"", static_cast<u32>(f.types_begin + result)};
}

HeaderCheck check_signature(const CodeView& code, const Function& f) {
  if (f.types_begin >= code.types.size()) return unsound("its types lie outside the type codes");
  const std::string_view codes = code.type_codes().substr(f.types_begin, kMaxSignatureCodes);
  HeaderCheck types;
  if (const u32 result = result_of_scalars(codes, code, f); result != 0)
    types.result_types_at = f.types_begin + result;
  else
    types = check_types(codes, code, f);
  if (!types.reason.empty()) return types;

  const u32 parameters = static_cast<u8>(codes[1]);
  if (!in_range(f.parameters_begin, u64{f.parameters_begin} + parameters,
                code.parameter_names.size()))
    return unsound("its parameters' names lie outside the parameter names");
  for (const NameRange& name : code.parameter_names.subspan(f.parameters_begin, parameters))
    if (!in_range(name.begin, name.end, code.names.size()))
      return unsound("a parameter's name lies outside the names");
  return types;
}

// Ranges of the parameters `wanted`: `()`, or (T, T, bool) of the parameter's type T.
bool are_ranges_of(std::string_view ranges, std::string_view wanted) {
  const TypeHead all = read_type_head(ranges, 0), parameters = read_type_head(wanted, 0);
  if (all.code != kTupleCode || all.elements != parameters.elements) return false;
  size_t at = all.end;
  for (size_t p = parameters.end; p < wanted.size(); p = skip_type(wanted, p)) {
    const TypeHead range = read_type_head(ranges, at);
    at = range.end;
    if (range.code != kTupleCode || (range.elements != 0 && range.elements != 3)) return false;
    if (range.elements == 0) continue;
    const char type = wanted[p];
    if (static_cast<u8>(type) == 0 || static_cast<u8>(type) >= kScalarCount) return false;
    if (ranges.substr(at, 3) != std::string{type, type, static_cast<char>(Scalar::Bool)})
      return false;
    at += 3;
  }
  return true;
}

std::string_view check_owner(const CodeView& code, const Function& f) {
  if (f.owner >= code.functions.size()) return "its owner is no function";
  const Function& owner = code.functions[f.owner];
  if (f.kind == FunctionKind::Traps)
    return is_test(owner.kind) ? "" : "the owner of an entry of `traps` is a test";
  if (owner.kind != FunctionKind::Prop) return "the owner of ranges is a property";
  const bool are_sound = owner.types_begin < code.types.size() && f.types_begin < code.types.size();
  if (!are_sound) return "its types lie outside the type codes";
  const std::string_view types = code.type_codes().substr(owner.types_begin, kMaxSignatureCodes);
  const size_t parameters = skip_type(types, 0);
  const std::string_view own = code.type_codes().substr(f.types_begin, kMaxSignatureCodes);
  const size_t result = skip_type(own, 0),
               end = result > own.size() ? result : skip_type(own, result);
  if (parameters > types.size() || end > own.size()) return "it is of no types";
  return are_ranges_of(own.substr(result, end - result), types.substr(0, parameters))
             ? ""
             : "its result is no ranges of its owner's parameters";
}

std::string_view check_kind(const CodeView& code, const Function& f) {
  switch (f.kind) {
    case FunctionKind::Function: break;
    case FunctionKind::Test:
    case FunctionKind::Example:
      if (f.parameter_slots != 0 || f.result_cells != 0)
        return "a test has neither parameters nor results";
      break;
    case FunctionKind::Prop:
      if (f.result_cells != 0) return "a property has no results";
      break;
    case FunctionKind::Traps:
      if (f.parameter_slots != 0) return "an entry of `traps` has no parameters";
      if (static_cast<u32>(f.expected_trap) >= kTrapCount) return "it expects an unknown trap";
      break;
    case FunctionKind::Ranges:
      if (f.parameter_slots != 0) return "ranges have no parameters";
      break;
    case FunctionKind::Open: return "it has no body: the code is not linked";
  }
  if (static_cast<u32>(f.kind) > static_cast<u32>(FunctionKind::Open))
    return "it is of an unknown kind";
  if (is_side_entry(f.kind)) {
    if (const std::string_view reason = check_owner(code, f); !reason.empty()) return reason;
  } else if (f.owner != 0) {
    return "only an entry of `traps` and ranges have an owner";
  }
  if (f.kind != FunctionKind::Traps && f.expected_trap != Trap::None)
    return "only an entry of `traps` has an expected trap";
  return "";
}

HeaderCheck check_header(const CodeView& code, const Function& f, u32 code_begin, u32 max_cells) {
  if (!in_range(f.name_begin, f.name_end, code.names.size()))
    return unsound("its name lies outside the names");
  if (f.code_begin != code_begin)
    return unsound("its code starts at " + std::to_string(f.code_begin) + ", not at " +
                   std::to_string(code_begin) + " where the code before it ends");
  if (!in_range(f.code_begin, f.code_end, code.instructions.size()))
    return unsound("its code lies outside the instructions");
  if (f.slots > max_cells) return unsound("its slots alone would need more than the stack limit");
  if (!in_range(f.slots_begin, u64{f.slots_begin} + f.slots, code.slot_types.size()))
    return unsound("its slots lie outside the slot types");
  if (f.parameter_slots > f.slots) return unsound("it has more parameters than slots");
  for (u8 type : code.slot_types.subspan(f.slots_begin, f.slots))
    if (!is_cell_type(static_cast<Scalar>(type)))
      return unsound("a slot of it has no type of a cell");
  if (std::any_of(std::begin(f.reserved), std::end(f.reserved), [](u8 b) { return b != 0; }))
    return unsound("its reserved bytes are not zero");
  if (const std::string_view reason = check_kind(code, f); !reason.empty())
    return unsound(std::string(reason));
  return check_signature(code, f);
}

std::string check_columns(const CodeView& code, size_t function_rows) {
  if (function_rows != code.functions.size()) return "the rows to fill in are not the functions";
  if (code.functions.size() > kMaxFunctions)
    return "there are more than " + counted(kMaxFunctions, "function");
  if (code.places.size() != code.instructions.size())
    return "it has " + counted(code.places.size(), "place") + " for " +
           counted(code.instructions.size(), "instruction");
  for (size_t rows : {code.instructions.size(), code.constants.size(), code.types.size(),
                      code.slot_types.size(), code.parameter_names.size(), code.names.size()})
    if (rows > kMaxRows) return "a column has more than 2147483647 rows";
  return "";
}

}  // namespace

struct CodeChecker::Workspace {
  FunctionChecker function;
  CallGraph calls;
  std::vector<u32> result_types_at;  // by function
  std::vector<u32> callees;          // of the function under check

  [[nodiscard]] CodeError check_headers(const CodeView& code, u32 max_cells);
};

CodeError CodeChecker::Workspace::check_headers(const CodeView& code, u32 max_cells) {
  const u32 no_instruction = static_cast<u32>(code.instructions.size());
  u32 code_begin = 0;
  result_types_at.clear();
  for (u32 f = 0; f < code.functions.size(); ++f) {
    HeaderCheck header = check_header(code, code.functions[f], code_begin, max_cells);
    if (!header.reason.empty()) return {f, no_instruction, std::move(header.reason)};
    result_types_at.push_back(header.result_types_at);
    code_begin = code.functions[f].code_end;
  }
  if (code_begin != no_instruction)
    return {static_cast<u32>(code.functions.size()), code_begin,
            "the instructions from here on belong to no function"};
  return {};
}

CodeChecker::CodeChecker() : workspace_(std::make_unique<Workspace>()) {}
CodeChecker::~CodeChecker() = default;
CodeChecker::CodeChecker(CodeChecker&&) noexcept = default;
CodeChecker& CodeChecker::operator=(CodeChecker&&) noexcept = default;

CodeError CodeChecker::check(const CodeView& code, std::span<Function> functions, u32 stack_limit) {
  if (std::string reason = check_columns(code, functions.size()); !reason.empty())
    return {static_cast<u32>(code.functions.size()), static_cast<u32>(code.instructions.size()),
            std::move(reason)};
  Workspace& w = *workspace_;
  const u32 max_cells = std::min<u32>(stack_limit / kCellBytes, 0xFFFF);
  if (CodeError error = w.check_headers(code, max_cells)) return error;

  w.calls.clear();
  const FunctionChecker::Program program = {code, w.result_types_at, max_cells};
  for (u32 f = 0; f < code.functions.size(); ++f) {
    w.callees.clear();
    if (!w.function.check(program, f, w.callees)) return w.function.take_error();
    w.calls.add_function(kCellBytes * (code.functions[f].slots + w.function.max_stack()));
    for (u32 callee : w.callees) w.calls.add_call(callee);
  }
  if (CodeError error = w.calls.solve(code, stack_limit)) return error;

  for (size_t f = 0; f < functions.size(); ++f) {
    functions[f].max_stack = w.calls.max_stack(f, functions[f].slots);
    functions[f].cycle = w.calls.cycle(f);
    functions[f].stack_bytes = w.calls.stack_bytes(f);
  }
  return {};
}

CodeError check_code(const CodeView& code, std::span<Function> functions, u32 stack_limit) {
  return CodeChecker().check(code, functions, stack_limit);
}

}  // namespace komuz
