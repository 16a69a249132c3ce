// SPDX-License-Identifier: Apache-2.0
// Random values of sums, and matches on values of any type.
#include <algorithm>

#include "gen/expressions.h"
#include "gen/values.h"

namespace komuz::gen {

namespace {

bool has_fields(const std::vector<Alternative>& alternatives) {
  return std::ranges::any_of(alternatives, [](const Alternative& a) { return !a.types.empty(); });
}

}  // namespace

// Also takes Options.
Expression ExpressionWriter::write_sum(const TypeCode& type, u32 depth) {
  std::vector<Alternative> alternatives = alternatives_of(type);
  const Alternative& chosen = alternatives[random_.below(alternatives.size())];
  const bool option = is_option_code(type);  // its type comes from the value that it holds
  if (chosen.types.empty()) return {chosen.name, kLeafLevel, option};
  const bool named = !option && random_.below(2) != 0;
  std::vector<std::string> arguments;
  bool open = false;
  for (size_t k = 0; k < chosen.types.size(); ++k) {
    const Expression field = write(chosen.types[k], depth);
    arguments.push_back((named ? chosen.fields[k] + ": " : "") + field.text);
    open = open || (option && field.open);
  }
  if (named && random_.below(2) != 0) std::ranges::reverse(arguments);
  return {chosen.name + "(" + joined(arguments, ", ") + ")", node_row(Node::Call).level, open};
}

// A name that no other pattern has.
std::string ExpressionWriter::bound(const TypeCode& type) {
  const std::string name = "m" + std::to_string(names_++);
  scope_.variables.push_back({name, type, false});
  return name;
}

std::string ExpressionWriter::scalar_pattern(Scalar type) {
  if (type == Scalar::Bool) return random_.below(2) != 0 ? "true" : "false";
  if (is_float(type)) return std::to_string(random_.below(4)) + ".5";
  const u32 low = random_.below(5);
  const std::string range = std::to_string(low) + "..=" + std::to_string(low + random_.below(6));
  switch (random_.below(4)) {
    case 0: return range;
    case 1: return "(" + range + ") | " + std::to_string(random_.below(100));
    case 2:
      if (is_signed(type)) return "-" + std::to_string(random_.below(100));
      return type == Scalar::U8 ? "'a'" : "7";
    default: return std::to_string(low);
  }
}

std::string ExpressionWriter::constructor_pattern(const Alternative& of, const PartPattern& part) {
  if (of.types.empty()) return of.name;
  const bool has_names = !of.fields.empty();  // an Option's field has no name, and no `..`
  const bool named = has_names && random_.one_in(3);
  // By position the last fields may be left out; by name, any.
  const bool cut = has_names && !named && random_.one_in(6);
  const size_t given = cut ? random_.below(of.types.size()) : of.types.size();
  std::vector<std::string> parts;
  for (size_t k = 0; k < given; ++k) {
    if (named && random_.one_in(3)) continue;
    parts.push_back((named ? of.fields[k] + ": " : "") + part(of.types[k]));
  }
  if (named && random_.below(2) != 0) std::ranges::reverse(parts);
  if (parts.size() < of.types.size() || (has_names && random_.one_in(6))) parts.emplace_back("..");
  return of.name + "(" + joined(parts, ", ") + ")";
}

std::string ExpressionWriter::record_pattern(const TypeCode& type, const PartPattern& part) {
  return constructor_pattern({spelled(type), fields_of(type), elements_of(type)}, part);
}

std::string ExpressionWriter::tuple_pattern(const TypeCode& type, const PartPattern& part) {
  const std::vector<TypeCode> elements = elements_of(type);
  const size_t count = elements.size();
  if (count == 0) return "()";
  const bool cut = random_.one_in(5);
  const size_t first = cut ? random_.below(count + 1) : count;  // the first for `..`
  const size_t most = first == 0 ? count - 1 : count - first;
  const size_t end = first + (cut ? random_.below(most + 1) : 0);
  std::vector<std::string> parts;
  for (size_t k = 0; k < first; ++k) parts.push_back(part(elements[k]));
  if (cut) parts.emplace_back("..");
  for (size_t k = end; k < count; ++k) parts.push_back(part(elements[k]));
  return "(" + joined(parts, ", ") + (parts.size() == 1 ? ",)" : ")");
}

std::string ExpressionWriter::pattern(const TypeCode& type, u32 depth) {
  const auto part = [this, depth](const TypeCode& of) { return pattern(of, depth - 1); };
  if (depth == 0 || random_.one_in(3))
    return is_slice_code(type) || random_.one_in(3) ? "_" : bound(type);
  if (is_scalar_code(type)) return scalar_pattern(scalar_of(type));
  const bool bytes = has_elements(type) && held_of(type) == scalar_code(Scalar::U8);
  if (bytes && is_slice_code(type)) return text(6).text;
  if (bytes && is_list_code(type) && random_.below(2) != 0) return text(capacity_of(type)).text;
  if (has_elements(type)) return bound(type);
  if (has_alternatives(type)) {
    const std::vector<Alternative> alternatives = alternatives_of(type);
    if (random_.one_in(3))
      if (const std::string shared = shared_pattern(alternatives); !shared.empty()) return shared;
    const Alternative& one = alternatives[random_.below(alternatives.size())];
    if (!has_fields(alternatives) && random_.one_in(3))
      return one.name + " | " + alternatives[random_.below(alternatives.size())].name;
    return constructor_pattern(one, part);
  }
  if (is_record_code(type)) return record_pattern(type, part);
  return tuple_pattern(type, part);
}

// `A(m, _) | B(_, m)`: one name for parts of one type; empty: no two alternatives have such parts.
std::string ExpressionWriter::shared_pattern(const std::vector<Alternative>& alternatives) {
  const Alternative& a = alternatives[random_.below(alternatives.size())];
  const Alternative& b = alternatives[random_.below(alternatives.size())];
  for (size_t i = 0; i < a.types.size(); ++i)
    for (size_t j = 0; j < b.types.size(); ++j) {
      if (a.types[i] != b.types[j] || &a == &b) continue;
      const std::string name = bound(a.types[i]);
      const auto side = [&name](const Alternative& of, size_t at) {
        std::vector<std::string> parts(of.types.size(), "_");
        parts[at] = name;
        return of.name + "(" + joined(parts, ", ") + ")";
      };
      return side(a, i) + " | " + side(b, j);
    }
  return "";
}

// Some arms that take any values, then arms that take the rest: one for each alternative of a sum, or one for all.
Expression ExpressionWriter::match(const TypeCode& type, u32 depth) {
  TypeCode of = scope_.random_type(random_);
  if (!scope_.made.empty() && random_.below(2) != 0)
    of = scope_.made[random_.below(scope_.made.size())];
  if (of == TypeCode{static_cast<char>(kTupleCode), 0}) of = scalar_code(Scalar::I64);
  Place bytes;
  if (scope_.containers && random_.one_in(6))
    bytes = place([](const TypeCode& t) { return t == slice_code(scalar_code(Scalar::U8)); });
  if (!bytes.text.empty()) of = bytes.type;
  const std::string subject = bytes.text.empty() ? anchored(of, depth).text : bytes.text;
  Expression out{"(match " + subject + " { "};
  const size_t mark = scope_.variables.size();
  const auto arm = [&](const std::string& left, bool guarded) {
    out.text += left;
    if (guarded) out.text += " if " + write(scalar_code(Scalar::Bool), depth / 2).text;
    const Expression value = write(type, depth / 2);
    out.text += " => " + value.text + ", ";
    out.open = out.open || value.open;
    scope_.variables.resize(mark);
  };
  for (u32 k = random_.below(4); k > 0; --k) arm(pattern(of, 2), random_.one_in(3));
  if (has_alternatives(of) && random_.below(2) != 0) {
    for (const Alternative& one : alternatives_of(of)) {
      std::vector<std::string> parts;
      for (const TypeCode& field : one.types)
        parts.push_back(random_.one_in(3) ? "_" : bound(field));
      arm(parts.empty() ? one.name : one.name + "(" + joined(parts, ", ") + ")", false);
    }
  } else {
    arm(is_slice_code(of) || random_.below(2) != 0 ? "_" : bound(of), false);
  }
  out.text += "})";
  return out;
}

}  // namespace komuz::gen
