// SPDX-License-Identifier: Apache-2.0
#include "gen/scope.h"

#include <algorithm>

namespace komuz::gen {

std::vector<TypeCode> elements_of(const TypeCode& type) {
  std::vector<TypeCode> out;
  if (is_scalar_code(type) || static_cast<u8>(type[0]) > kRecordCode) return out;
  for (size_t at = read_type_head(type, 0).end; at < type.size();) {
    const size_t end = skip_type(type, at);
    out.push_back(type.substr(at, end - at));
    at = end;
  }
  return out;
}

std::vector<std::string> fields_of(const TypeCode& type) {
  const TypeHead head = read_type_head(type, 0);
  std::vector<std::string> out;
  if (head.code > kRecordCode) return out;
  size_t at = head.names;
  if (is_record_code(type)) (void)take_type_name(type, at);
  for (u32 k = 0; k < head.elements; ++k)
    out.push_back(is_record_code(type) ? std::string(take_type_name(type, at)) : std::to_string(k));
  return out;
}

std::vector<Alternative> alternatives_of(const TypeCode& sum) {
  if (is_option_code(sum)) return {{"Some", {}, {held_of(sum)}}, {"None", {}, {}}};
  const TypeHead head = read_type_head(sum, 0);
  size_t name = head.names, type = head.end;
  (void)take_type_name(sum, name);
  std::vector<Alternative> out;
  for (u32 k = 0; k < head.count; ++k) {
    Alternative& a = out.emplace_back();
    a.name = take_type_name(sum, name);
    for (u32 left = take_field_count(sum, name); left > 0; --left) {
      a.fields.emplace_back(take_type_name(sum, name));
      const size_t end = skip_type(sum, type);
      a.types.push_back(sum.substr(type, end - type));
      type = end;
    }
  }
  return out;
}

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string out;
  for (const std::string& part : parts) {
    if (!out.empty()) out += between;
    out += part;
  }
  return out;
}

Scalar random_scalar(Random& random, TypeSet allowed) {
  // Most programs consist of i64 and f64.
  if (random.below(3) == 0) {
    const Scalar usual = random.below(2) != 0 ? Scalar::I64 : Scalar::F64;
    if ((allowed & type_bit(usual)) != 0) return usual;
  }
  while (true) {
    const auto s = static_cast<Scalar>(1 + random.below(kScalarCount - 1));
    if ((allowed & type_bit(s)) != 0) return s;
  }
}

TypeCode random_tuple(Random& random) {
  const u32 count = 1 + random.below(3);
  TypeCode tuple{static_cast<char>(kTupleCode), static_cast<char>(count)};
  for (u32 k = 0; k < count; ++k) {
    const TypeCode scalar = scalar_code(random_scalar(random));
    if (random.one_in(5)) {  // a pair, as a tuple inside of the tuple
      tuple += {static_cast<char>(kTupleCode), 2};
      tuple += scalar;
    }
    tuple += scalar;
  }
  return tuple;
}

namespace {
constexpr u32 kMostCells = 16;  // of a container
}

TypeCode Scope::random_type(Random& random) const {
  if (containers && random.one_in(4)) return random_container(random, kMostCells);
  if (!made.empty() && random.one_in(6)) return made[random.below(made.size())];
  return random.one_in(6) ? random_tuple(random) : scalar_code(random_scalar(random));
}

TypeCode Scope::random_held(Random& random, u32 cells) const {
  TypeCode type;
  if (random.one_in(4) && cells >= 6)
    type = random_container(random, cells / 2);
  else if (!made.empty() && random.one_in(4))
    type = made[random.below(made.size())];
  else if (random.one_in(4))
    type = random_tuple(random);
  const bool fits = !type.empty() && count_cells(type) <= cells && count_cells(type) != 0;
  return fits ? type : scalar_code(random_scalar(random));
}

TypeCode Scope::random_container(Random& random, u32 cells) const {
  const u32 form = random.below(8);
  if (form == 0)
    return counted_code(kListCode, 1 + random.below(6), scalar_code(Scalar::U8));  // Bytes
  const TypeCode held = random_held(random, cells / 2);
  if (form < 3) return is_option_code(held) ? held : option_code(held);
  const u32 most = std::min(6u, cells / static_cast<u32>(count_cells(held)));
  return counted_code(form < 5 ? kArrayCode : kListCode, 1 + random.below(most), held);
}

std::vector<const Variable*> Scope::visible() const {
  std::vector<const Variable*> out;
  for (size_t k = variables.size(); k-- > 0;) {
    const Variable& v = variables[k];
    const auto has_its_name = [&v](const Variable* seen) { return seen->name == v.name; };
    if (v.name != "_" && std::ranges::none_of(out, has_its_name)) out.push_back(&v);
  }
  return out;
}

std::vector<const Variable*> Scope::visible(const TypeCode& type, bool only_changing) const {
  std::vector<const Variable*> out = visible();
  std::erase_if(
      out, [&](const Variable* v) { return v->type != type || (only_changing && !v->changes); });
  return out;
}

}  // namespace komuz::gen
