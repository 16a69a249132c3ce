// SPDX-License-Identifier: Apache-2.0
#include "engine/testing/property_entry.h"

#include "engine/cases/slice_cases.h"
#include "engine/cases/slice_entry.h"
#include "lang/copy_code.h"
#include "lang/type_codes.h"
#include "vm/vm.h"

namespace komuz::engine {
namespace {

// The domains that the code of the property's ranges gives.
std::vector<Domain> domains_of(const CodeView& code, u32 function) {
  std::vector<Domain> domains;
  for (u32 f = 0; f < code.functions.size(); ++f) {
    const Function& ranges = code.functions[f];
    if (ranges.kind != FunctionKind::Ranges || ranges.owner != function) continue;
    std::vector<u64> cells(ranges.result_cells);
    Trap trap = Trap::None;
    u32 place = 0, depth = 0;
    u64 fuel = 0;
    vm::run_reference({code, f, CasesView{{}, 1}},
                      {cells, {&trap, 1}, {&place, 1}, {&depth, 1}, {&fuel, 1}});
    const std::string_view types = code.result_type(ranges);
    const u64* cell = cells.data();
    for (size_t at = read_type_head(types, 0).end; at < types.size() && trap == Trap::None;
         at = skip_type(types, at)) {
      Domain& domain = domains.emplace_back();
      const TypeHead range = read_type_head(types, at);
      if (range.elements == 0) continue;
      domain = range_domain(static_cast<Scalar>(types[range.end]), cell[0], cell[1], cell[2] != 0);
      cell += range.elements;
    }
  }
  return domains;
}

// Replaces slices by lists.
std::string with_lists(std::string_view parameter_types, u32 capacity) {
  std::string types;
  for (size_t at = 0; at < parameter_types.size();) {
    const TypeHead head = read_type_head(parameter_types, at);
    if (head.code == kSliceCode)
      types += {static_cast<char>(kListCode), static_cast<char>(capacity), 0};
    else
      types += parameter_types.substr(at, head.end - at);
    at = head.end;
  }
  return types;
}

}  // namespace

PropertyEntry::PropertyEntry(const CodeView& code, u32 function, u32 most_elements)
    : code_(code),
      function_(function),
      types_(code.parameter_types(code.functions[function])),
      domains_(domains_of(code, function)) {
  if (!has_slices(types_)) return;
  for (u32 capacity = most_elements; capacity != 0 && !is_added_; capacity /= 2) {
    slice_elements_ = capacity;
    types_ = with_lists(code.parameter_types(code.functions[function]), capacity);
    own_ = copy_code(code);
    // Only functions are called.
    for (Function& f : own_.functions) {
      if (f.kind != FunctionKind::Prop && f.kind != FunctionKind::Ranges) continue;
      f.kind = FunctionKind::Function;
      f.owner = 0;
    }
    is_added_ = add_slice_entry(own_, function_, types_).empty();
  }
  fits_ = is_added_;
}

std::span<const u8> PropertyEntry::slot_types() const {
  const Function& f = code().functions[function_];
  return code().slot_types.subspan(f.slots_begin, f.parameter_slots);
}

u64 PropertyEntry::budget(u64 fuel) const { return is_added_ ? slice_entry_fuel(fuel) : fuel; }

void PropertyEntry::hide(const OutcomesView& outcomes) const {
  if (is_added_) hide_slice_entry(own_.view(), function_, outcomes);
}

}  // namespace komuz::engine
