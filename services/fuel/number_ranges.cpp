// SPDX-License-Identifier: Apache-2.0
#include "services/fuel/number_ranges.h"

#include <algorithm>

#include "lang/type_codes.h"

namespace komuz::services {
namespace {

bool is_counted(Scalar type) {
  return type == Scalar::I64 || type == Scalar::I32 || type == Scalar::U8 || type == Scalar::U32;
}
i64 number_of(Scalar type, u64 cell) {
  switch (type) {
    case Scalar::I32: return static_cast<i32>(static_cast<u32>(cell));
    case Scalar::U8: return static_cast<u8>(cell);
    case Scalar::U32: return static_cast<u32>(cell);
    default: return static_cast<i64>(cell);
  }
}

constexpr i64 kLeast = NumberRange::kLeast, kMost = NumberRange::kMost;
bool is_open(i64 end) { return end == kLeast || end == kMost; }

// Sums and products that do not fit trap: what is left lies between the ends.
i64 sum(i64 a, i64 b, i64 otherwise) {
  i64 out = 0;
  return is_open(a) || is_open(b) || __builtin_add_overflow(a, b, &out) ? otherwise : out;
}
i64 difference(i64 a, i64 b, i64 otherwise) {
  i64 out = 0;
  return is_open(a) || is_open(b) || __builtin_sub_overflow(a, b, &out) ? otherwise : out;
}

}  // namespace

NumberRanges::NumberRanges(const CodeView& code, const Function& f)
    : code_view_(code),
      function_(f),
      code_(code.instructions.subspan(f.code_begin, f.code_end - f.code_begin)),
      places_(code.places.subspan(f.code_begin, f.code_end - f.code_begin)) {
  find_regions();
  find_stores();
  read_parameters();
}

void NumberRanges::find_regions() {
  const auto size = static_cast<u32>(code_.size());
  region_of_.assign(size, kNone);
  is_target_.assign(size + 1, false);
  u32 inner = kNone;
  const auto open = [&](u32 begin, u32 end, bool is_loop) {
    if (begin >= end || end > size) return;
    regions_.push_back({begin, end, inner, is_loop});
    inner = static_cast<u32>(regions_.size()) - 1;
  };
  const auto leave = [&](u32 i) {
    while (inner != kNone && regions_[inner].end <= i) inner = regions_[inner].above;
  };
  for (u32 i = 0; i < size; ++i) {
    leave(i);
    region_of_[i] = inner;
    const Instruction at = code_[i];
    switch (at.op) {
      case Op::Loop: open(i + 1, at.b + 1, true); break;
      case Op::JumpIfFalse:
      case Op::JumpIfFalseOrPop:
      case Op::JumpIfTrueOrPop:
        is_target_[std::min(at.b, size)] = true;
        open(i + 1, at.b, false);
        break;
      case Op::Jump:
        is_target_[std::min(at.b, size)] = true;
        leave(i + 1);
        open(i + 1, at.b, false);
        break;
      default: break;
    }
  }
}

void NumberRanges::find_stores() {
  stores_.resize(function_.slots);
  for (u32 i = 0; i < code_.size(); ++i) {
    const Instruction at = code_[i];
    const auto store = [&](u32 slot, u32 count) {
      for (u32 k = slot; k < slot + count && k < stores_.size(); ++k) stores_[k].push_back(i);
    };
    switch (at.op) {
      case Op::StoreVar:
      case Op::Limit: store(at.a, 1); break;
      case Op::StoreVars: store(at.a, at.b); break;
      case Op::StoreAt: store(at.a, area_access(at).slots); break;
      case Op::ForNext:
        store(at.a, 1);
        store(at.a + 2u, 1);
        break;
      default: break;
    }
  }
}

// A list is its length, and then its elements.
void NumberRanges::read_parameters() {
  parameters_.assign(function_.parameter_slots, {.place = function_.place});
  const std::string_view codes = code_view_.parameter_types(function_);
  const TypeHead all = read_type_head(codes, 0);
  size_t at = all.end, slot = 0;
  for (u32 k = 0; k < all.elements && at < codes.size() && slot < parameters_.size(); ++k) {
    const TypeHead head = read_type_head(codes, at);
    if (head.code == kListCode) {
      parameters_[slot].lo = 0;
      parameters_[slot].hi = head.count;
    } else if (head.code == kSliceCode) {
      parameters_[slot].lo = 0;
    }
    const size_t end = skip_type(codes, at);
    if (end > codes.size()) return;
    slot += count_cells(codes.substr(at, end - at));
    at = end;
  }
}

bool NumberRanges::holds(u32 region, u32 instruction) const {
  return region == kNone ||
         (regions_[region].begin <= instruction && instruction < regions_[region].end);
}

NumberRange NumberRanges::slot_at(u32 slot, u32 instruction, u32 depth) const {
  if (depth > kMostDepth || slot >= stores_.size()) return unknown(instruction);
  const std::vector<u32>& stores = stores_[slot];
  const auto behind = std::ranges::lower_bound(stores, instruction);
  const bool is_given = behind == stores.begin();
  const u32 store = is_given ? kNone : *(behind - 1);
  // All ways lead past it.
  if (!is_given && !holds(region_of_[store], instruction)) return unknown(instruction);
  // A loop that does not hold it comes back with what it stores itself.
  for (u32 r = region_of_[instruction]; r != kNone; r = regions_[r].above)
    if (regions_[r].is_loop && (is_given || !holds(r, store)) && behind != stores.end() &&
        *behind < regions_[r].end)
      return unknown(instruction);
  if (is_given) {
    NumberRange out = slot < parameters_.size() ? parameters_[slot] : NumberRange{};
    out.place = places_[instruction];
    return out;
  }
  const Instruction at = code_[store];
  if (at.op == Op::StoreVar) return stored_by(store, depth + 1);
  if (at.op != Op::ForNext || slot != at.a + 2u || store == 0) return unknown(instruction);
  const u32 loop = store - 1;
  if (code_[loop].op != Op::Loop) return unknown(instruction);
  NumberRange out{slot_at(at.a, loop, depth + 1).lo, slot_at(at.a + 1u, loop, depth + 1).hi,
                  places_[instruction]};
  if (at.b == 0) out.hi = difference(out.hi, 1, kMost);
  return out;
}

NumberRange NumberRanges::stored_by(u32 store, u32 depth) const {
  // Stores in a row take what was pushed in a row: the last one first.
  u32 first = store;
  while (first > 0 && code_[first - 1].op == Op::StoreVar) --first;
  u32 end = first;
  for (u32 k = first; k < store; ++k) {
    end = ends_before(end, depth).begin;
    if (end == kNone) return unknown(store);
  }
  const Expression value = ends_before(end, depth);
  if (value.begin == kNone) return value.range;
  // Nobody comes from elsewhere.
  for (u32 k = value.begin + 1; k <= store; ++k)
    if (is_target_[k]) return unknown(store);
  return value.range;
}

NumberRange NumberRanges::top_at(u32 instruction) const {
  const Expression value = ends_before(instruction, 0);
  if (value.begin == kNone) return value.range;
  for (u32 k = value.begin + 1; k <= instruction; ++k)
    if (is_target_[k]) return unknown(instruction);
  return value.range;
}

NumberRanges::Expression NumberRanges::ends_before(u32 end, u32 depth) const {
  if (end == 0 || end == kNone) return {};
  const u32 i = end - 1;
  const Instruction at = code_[i];
  if (depth > kMostDepth || !is_counted(at.type)) return {unknown(i), kNone};
  switch (at.op) {
    case Op::LoadConst: {
      const i64 number = number_of(at.type, code_view_.constants[at.b]);
      return {{number, number, places_[i]}, i};
    }
    case Op::LoadVar: return {slot_at(at.a, i, depth + 1), i};
    case Op::Add:
    case Op::Sub:
    case Op::Min:
    case Op::Max:
    case Op::Rem: return of_two(at, i, depth + 1);
    default: return {unknown(i), kNone};
  }
}

NumberRanges::Expression NumberRanges::of_two(const Instruction& at, u32 instruction,
                                              u32 depth) const {
  const Expression right = ends_before(instruction, depth);
  if (right.begin == kNone) return {right.range, kNone};
  const Expression left = ends_before(right.begin, depth);
  if (left.begin == kNone) return {left.range, kNone};
  const NumberRange &a = left.range, &b = right.range;
  const bool is_left = is_open(a.lo) || is_open(a.hi);
  NumberRange out{.place = is_left ? a.place : b.place};
  switch (at.op) {
    case Op::Add:
      out.lo = sum(a.lo, b.lo, kLeast);
      out.hi = sum(a.hi, b.hi, kMost);
      break;
    case Op::Sub:
      out.lo = difference(a.lo, b.hi, kLeast);
      out.hi = difference(a.hi, b.lo, kMost);
      break;
    case Op::Min:
      out.lo = std::min(a.lo, b.lo);
      out.hi = std::min(a.hi, b.hi);
      break;
    case Op::Max:
      out.lo = std::max(a.lo, b.lo);
      out.hi = std::max(a.hi, b.hi);
      break;
    case Op::Rem:
      // With the sign of the dividend, and nearer to 0 than the divisor.
      if (b.lo > 0 && b.hi != kMost) {
        out.lo = a.lo >= 0 ? 0 : 1 - b.hi;
        out.hi = b.hi - 1;
      }
      break;
    default: break;
  }
  return {out, left.begin};
}

NumberRange NumberRanges::rounds(u32 loop, u32 depth) const {
  NumberRange out{0, kMost, places_[loop]};
  const u32 end = code_[loop].b;
  if (loop + 1 < code_.size() && code_[loop + 1].op == Op::ForNext) {
    const Instruction next = code_[loop + 1];
    const NumberRange first = slot_at(next.a, loop, depth + 1);
    const NumberRange last = slot_at(next.a + 1u, loop, depth + 1);
    if (is_counted(next.type)) out.hi = difference(last.hi, first.lo, kMost);
    if (next.b != 0) out.hi = sum(out.hi, 1, kMost);
    out.hi = std::max<i64>(out.hi, 0);
    out.place = last.hi == kMost ? last.place : first.place;
    // In each round it reads the element of that number, and traps where there is none.
    for (u32 i = loop + 2; i + 1 < end && out.hi == kMost; ++i) {
      if (code_[i].op != Op::LoadVar && code_[i].op != Op::Tick) break;
      if (code_[i].op == Op::LoadVar && code_[i].a == next.a + 2u && code_[i + 1].op == Op::LoadAt)
        out.hi = i64{area_access(code_[i + 1]).offsets()} + 1;
    }
    return out;
  }
  for (u32 i = loop + 1; i < end; ++i)
    if (code_[i].op == Op::Limit && regions_[region_of_[i]].begin == loop + 1) {
      const NumberRange limit = slot_at(code_[i].a, loop, depth + 1);
      out.hi = limit.hi == kMost ? kMost : std::max<i64>(limit.hi, 0);
      out.place = limit.place;
    }
  return out;
}

}  // namespace komuz::services
