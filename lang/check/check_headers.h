// SPDX-License-Identifier: Apache-2.0
// The conditions on columns and headers of functions that are checked before instructions. For the host and for
// devices.
#pragma once
#include "lang/check/check_words.h"

namespace komuz {

inline constexpr size_t kMaxFunctions = 0xFFFF;
inline constexpr size_t kMaxRows = 0x7FFF'FFFF;
// Limit on the bytes of type codes of one signature. It bounds the work for hostile files whose headers share a type.
inline constexpr size_t kMaxSignatureCodes = size_t{1} << 20;

// The place of a header's scalars, or why the header is unsound.
struct HeaderCheck {
  CheckReason reason = CheckReason::None;
  u32 result_types_at = 0;
  CheckNumbers numbers;
};

class HeaderChecker {
 public:
  // No frame may hold more than `max_cells`.
  HD HeaderChecker(const CodeView& code, u32 max_cells) : code_(code), max_cells_(max_cells) {}

  // Checks the columns. `function_rows`: how many rows there are to fill in.
  [[nodiscard]] HD_CALL HeaderCheck check_columns(size_t function_rows) const {
    if (function_rows != code_.functions.size()) return unsound(CheckReason::ForeignRows);
    if (code_.functions.size() > kMaxFunctions)
      return unsound(CheckReason::TooManyFunctions, kMaxFunctions);
    if (code_.places.size() != code_.instructions.size())
      return unsound(CheckReason::PlacesDiffer, code_.places.size(), code_.instructions.size());
    for (const size_t rows :
         {code_.instructions.size(), code_.constants.size(), code_.types.size(),
          code_.slot_types.size(), code_.parameter_names.size(), code_.names.size()})
      if (rows > kMaxRows) return unsound(CheckReason::TooManyRows, kMaxRows);
    return {};
  }

  // Checks the header of a function whose code must begin at `code_begin`.
  [[nodiscard]] HD_CALL HeaderCheck check(const Function& f, u32 code_begin) const {
    if (!in_range(f.name_begin, f.name_end, code_.names.size()))
      return unsound(CheckReason::NameRange);
    if (f.code_begin != code_begin)
      return unsound(CheckReason::CodeBegin, f.code_begin, code_begin);
    if (!in_range(f.code_begin, f.code_end, code_.instructions.size()))
      return unsound(CheckReason::CodeRange);
    if (f.slots > max_cells_) return unsound(CheckReason::TooManySlots);
    if (!in_range(f.slots_begin, u64{f.slots_begin} + f.slots, code_.slot_types.size()))
      return unsound(CheckReason::SlotRange);
    if (f.parameter_slots > f.slots) return unsound(CheckReason::ParameterSlots);
    const u8* const slots = slot_types(f);
    for (u32 slot = 0; slot < f.slots; ++slot)
      if (!is_cell_type(static_cast<Scalar>(slots[slot]))) return unsound(CheckReason::SlotType);
    for (const u8 byte : f.reserved)
      if (byte != 0) return unsound(CheckReason::Reserved);
    if (const CheckReason reason = check_kind(f); reason != CheckReason::None)
      return unsound(reason);
    return check_signature(f);
  }

 private:
  HD static HeaderCheck unsound(CheckReason reason, u64 first = 0, u64 second = 0) {
    return {reason, 0, {{first, second}}};
  }
  HD static bool in_range(u64 begin, u64 end, u64 size) { return begin <= end && end <= size; }
  HD static bool is_scalar(u8 type) { return type != 0 && type < kScalarCount; }

  HD const u8* slot_types(const Function& f) const {
    return code_.slot_types.data() + f.slots_begin;
  }
  // The codes of its signature, and all codes behind them. Its types begin inside the type codes.
  HD std::string_view signature_codes(const Function& f) const {
    const size_t end = f.types_begin + kMaxSignatureCodes, size = code_.types.size();
    return codes_between(code_.type_codes(), f.types_begin, end < size ? end : size);
  }

  // `slots` has a row for each of the cells.
  HD_CALL static bool are_types_of(std::string_view codes, const u8* slots) {
    bool equal = true;
    for_each_cell(codes, [&](Scalar cell) { equal &= *slots++ == static_cast<u8>(cell); });
    return equal;
  }

  // The place of the result's type in the codes of a signature of scalars, the usual case; 0 if the signature is
  // another one, or unsound.
  HD_CALL u32 result_of_scalars(std::string_view codes, const Function& f) const {
    const u32 parameters = f.parameter_slots, result = 2 + parameters;
    if (parameters > kMaxTypeElements || f.result_cells != 1 || codes.size() <= result) return 0;
    const u8* const types = reinterpret_cast<const u8*>(codes.data());
    bool sound = types[0] == kTupleCode && types[1] == parameters && is_scalar(types[result]);
    const u8* const slots = slot_types(f);
    for (u32 k = 0; k < parameters; ++k) sound &= is_scalar(slots[k]) && types[2 + k] == slots[k];
    return sound ? result : 0;
  }

  HD_CALL HeaderCheck check_types(std::string_view codes, const Function& f) const {
    const size_t result = skip_type(codes, 0);
    if (result > codes.size() || static_cast<u8>(codes[0]) != kTupleCode)
      return unsound(CheckReason::ParameterTuple);
    const size_t end = skip_type(codes, result);
    if (end > codes.size()) return unsound(CheckReason::ResultType);

    const std::string_view of_parameters = codes_between(codes, 0, result);
    const std::string_view of_result = codes_between(codes, result, end);
    if (count_cells(of_parameters) != f.parameter_slots)
      return unsound(CheckReason::ParameterCells, f.parameter_slots);
    if (!are_types_of(of_parameters, slot_types(f))) return unsound(CheckReason::ParameterTypes);
    if (count_cells(of_result) != f.result_cells)
      return unsound(CheckReason::ResultCells, f.result_cells);
    bool has_reference = false;
    for_each_block(of_result,
                   [&](LayoutBlock block) { has_reference |= is_reference(block.scalar); });
    if (has_reference) return unsound(CheckReason::ResultReference);
    return {CheckReason::None, static_cast<u32>(f.types_begin + result), {}};
  }

  HD_CALL HeaderCheck check_signature(const Function& f) const {
    if (f.types_begin >= code_.types.size()) return unsound(CheckReason::TypeRange);
    const std::string_view codes = signature_codes(f);
    HeaderCheck types;
    if (const u32 result = result_of_scalars(codes, f); result != 0)
      types.result_types_at = f.types_begin + result;
    else
      types = check_types(codes, f);
    if (types.reason != CheckReason::None) return types;

    const u32 parameters = static_cast<u8>(codes[1]);
    if (!in_range(f.parameters_begin, u64{f.parameters_begin} + parameters,
                  code_.parameter_names.size()))
      return unsound(CheckReason::ParameterNames);
    for (u32 k = 0; k < parameters; ++k) {
      const NameRange name = code_.parameter_names[f.parameters_begin + k];
      if (!in_range(name.begin, name.end, code_.names.size()))
        return unsound(CheckReason::ParameterName);
    }
    return types;
  }

  // Checks the ranges for the parameters `wanted`: `()`, or (T, T, bool) for a parameter of type T.
  HD_CALL static bool are_ranges_of(std::string_view ranges, std::string_view wanted) {
    const TypeHead all = read_type_head(ranges, 0), parameters = read_type_head(wanted, 0);
    if (all.code != kTupleCode || all.elements != parameters.elements) return false;
    size_t at = all.end;
    for (size_t p = parameters.end; p < wanted.size(); p = skip_type(wanted, p)) {
      const TypeHead range = read_type_head(ranges, at);
      at = range.end;
      if (range.code != kTupleCode || (range.elements != 0 && range.elements != 3)) return false;
      if (range.elements == 0) continue;
      const char type = wanted[p];
      if (!is_scalar(static_cast<u8>(type)) || at + 3 > ranges.size()) return false;
      if (ranges[at] != type || ranges[at + 1] != type ||
          static_cast<u8>(ranges[at + 2]) != static_cast<u8>(Scalar::Bool))
        return false;
      at += 3;
    }
    return true;
  }

  HD_CALL CheckReason check_owner(const Function& f) const {
    if (f.owner >= code_.functions.size()) return CheckReason::OwnerRange;
    const Function& owner = code_.functions[f.owner];
    if (f.kind == FunctionKind::Traps)
      return is_test(owner.kind) ? CheckReason::None : CheckReason::TrapsOwner;
    if (owner.kind != FunctionKind::Prop) return CheckReason::RangesOwner;
    if (owner.types_begin >= code_.types.size() || f.types_begin >= code_.types.size())
      return CheckReason::TypeRange;
    const std::string_view types = signature_codes(owner), own = signature_codes(f);
    const size_t parameters = skip_type(types, 0), result = skip_type(own, 0),
                 end = result > own.size() ? result : skip_type(own, result);
    if (parameters > types.size() || end > own.size()) return CheckReason::RangesTypes;
    return are_ranges_of(codes_between(own, result, end), codes_between(types, 0, parameters))
               ? CheckReason::None
               : CheckReason::RangesResult;
  }

  HD_CALL CheckReason check_kind(const Function& f) const {
    switch (f.kind) {
      case FunctionKind::Function: break;
      case FunctionKind::Test:
      case FunctionKind::Example:
        if (f.parameter_slots != 0 || f.result_cells != 0) return CheckReason::TestSignature;
        break;
      case FunctionKind::Prop:
        if (f.result_cells != 0) return CheckReason::PropertyResult;
        break;
      case FunctionKind::Traps:
        if (f.parameter_slots != 0) return CheckReason::TrapsParameters;
        if (static_cast<u32>(f.expected_trap) >= kTrapCount) return CheckReason::UnknownTrap;
        break;
      case FunctionKind::Ranges:
        if (f.parameter_slots != 0) return CheckReason::RangesParameters;
        break;
      case FunctionKind::Open: return CheckReason::NotLinked;
    }
    if (static_cast<u32>(f.kind) > static_cast<u32>(FunctionKind::Open))
      return CheckReason::UnknownKind;
    if (is_side_entry(f.kind)) {
      if (const CheckReason reason = check_owner(f); reason != CheckReason::None) return reason;
    } else if (f.owner != 0) {
      return CheckReason::ForeignOwner;
    }
    if (f.kind != FunctionKind::Traps && f.expected_trap != Trap::None)
      return CheckReason::ForeignTrap;
    return CheckReason::None;
  }

  const CodeView& code_;
  u32 max_cells_;
};

}  // namespace komuz
