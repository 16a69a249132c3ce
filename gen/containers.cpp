// SPDX-License-Identifier: Apache-2.0
// Random arrays, lists, strings and slices, and values taken from them.
#include <algorithm>

#include "gen/expressions.h"
#include "gen/values.h"

namespace komuz::gen {

// The most indices of a place.
inline constexpr u32 kMostSteps = 6;

Place ExpressionWriter::random_place(bool only_changing) {
  std::vector<const Variable*> variables = scope_.visible();
  std::erase_if(variables, [&](const Variable* v) { return only_changing && !v->changes; });
  if (variables.empty()) return {};
  const Variable& v = *variables[random_.below(variables.size())];
  return {v.name, v.type};
}

bool ExpressionWriter::step(Place& place) {
  if (has_elements(place.type)) {
    // An index may look at places, too.
    if (place.text.size() > 60) return false;
    const TypeCode held = held_of(place.type);
    place.text += "[" + index(capacity_of(place.type)).text + "]";
    place.type = held;
    return true;
  }
  const std::vector<TypeCode> elements = elements_of(place.type);
  if (elements.empty()) return false;
  const u32 k = random_.below(elements.size());
  place.text += "." + fields_of(place.type)[k];
  place.type = elements[k];
  return true;
}

Place ExpressionWriter::some_place(bool only_changing) {
  Place found = random_place(only_changing);
  for (u32 steps = 0; steps < kMostSteps && !found.text.empty() && !random_.one_in(3); ++steps)
    if (!step(found)) break;
  return found;
}

Expression ExpressionWriter::index(u32 count) {
  const u32 inside = random_.below(count == 0 ? 2 : count);
  if (random_.one_in(20)) return anchored(scalar_code(random_scalar(random_, type_set::kInt)), 1);
  if (random_.one_in(30)) return {std::to_string(count), kLeafLevel, true};
  if (random_.below(2) != 0) return {std::to_string(inside), kLeafLevel, true};
  const Scalar type = random_scalar(random_, type_set::kInt);
  if (random_.below(2) != 0)
    return {std::string(scalar_name(type)) + "(" + std::to_string(inside) + ")",
            node_row(Node::Call).level};
  // The mask keeps the index from being negative, and below the largest power of two that the count has room for.
  u32 mask = 0;
  while (mask * 2 + 2 <= count) mask = mask * 2 + 1;
  const Expression any = anchored(scalar_code(type), 0);
  return join(Node::BitAnd, any, {std::to_string(mask), kLeafLevel, true});
}

std::string ExpressionWriter::view(u32 count) {
  const u32 from = random_.below(count + 1), to = from + random_.below(count + 1 - from);
  const u8 level = static_cast<u8>(node_row(Node::Range).level + 1);
  std::string begin = std::to_string(from), end = std::to_string(to);
  if (random_.one_in(6)) begin = operand(anchored(scalar_code(Scalar::I64), 1), level);
  if (random_.one_in(6)) end = operand(anchored(scalar_code(Scalar::I64), 1), level);
  return "[" + begin + (to > 0 && random_.one_in(3) ? "..=" : "..") + end + "]";
}

// A string of at most `most` bytes.
Expression ExpressionWriter::text(u32 most) {
  constexpr std::string_view kBytes[] = {"a",    "Z",    "0",   " ",   "~",     "\\n",
                                         "\\\"", "\\\\", "\\0", "\\'", "\\xff", "{"};
  std::string out = "\"";
  for (u32 left = random_.below(most + 1); left > 0; --left) out += random_.pick(kBytes);
  return {out + "\"", kLeafLevel, true};
}

Expression ExpressionWriter::repeated_element(const TypeCode& held, u32 count, u32 depth) {
  const Expression e = write(held, depth);
  const u32 part = random_.one_in(4) ? random_.below(count + 1) : 0;
  const std::string length =
      (part != 0 ? std::to_string(part) + " + " : "") + std::to_string(count - part);
  return {"[" + e.text + "; " + length + "]", kLeafLevel, e.open};
}

Expression ExpressionWriter::elements(const TypeCode& type, u32 depth) {
  const TypeCode held = held_of(type);
  const u32 capacity = capacity_of(type);
  const bool list = is_list_code(type);
  if (list && held == scalar_code(Scalar::U8) && random_.below(2) != 0) return text(capacity);
  // Few lists are empty, because nothing can be taken from an empty one.
  const bool empty = list && random_.one_in(8);
  const u32 count = empty ? 0 : list ? 1 + random_.below(capacity) : capacity;
  if (count != 0 && random_.one_in(4)) {
    Expression e = repeated_element(held, count, depth);
    e.open = e.open || list;
    return e;
  }
  Expression out{"[", kLeafLevel, list};
  for (u32 k = 0; k < count; ++k) {
    const Expression e = write(held, k == 0 ? depth : depth / 2);
    out.open = out.open || e.open;
    out.text += (k == 0 ? "" : ", ") + e.text;
  }
  if (count != 0 && random_.one_in(8)) out.text += ",";
  out.text += "]";
  return out;
}

Expression ExpressionWriter::slice(const TypeCode& type, u32 depth) {
  const TypeCode held = held_of(type);
  const u32 kind = random_.below(depth == 0 ? 8 : 10);
  if (kind < 6) {
    const Place found =
        place([&](const TypeCode& of) { return has_elements(of) && held_of(of) == held; });
    if (!found.text.empty()) {
      const bool part = random_.one_in(3);
      return {found.text + (part ? view(std::max(1u, capacity_of(found.type))) : ""),
              node_row(Node::Dot).level};
    }
  }
  if (kind == 8) {  // an arm is a slice already; a literal there would have no slots
    const auto is_slice = [&](const TypeCode& of) { return of == type; };
    const Place yes = place(is_slice), no = place(is_slice);
    if (!yes.text.empty() && !no.text.empty()) {
      const Expression condition = write(scalar_code(Scalar::Bool), depth - 1);
      return {"(if " + condition.text + " { " + yes.text + " } else { " + no.text + " })"};
    }
  }
  if (kind == 9) {
    const u8 form = random_.below(2) != 0 ? kArrayCode : kListCode;
    return anchored(counted_code(form, 1 + random_.below(3), held), depth - 1);
  }
  if (held == scalar_code(Scalar::U8) && random_.below(2) != 0) return text(6);
  return elements(counted_code(kArrayCode, 1 + random_.below(3), held), depth / 2);
}

// A type that has an order: a scalar, a type of the program, or an Option of these.
TypeCode ExpressionWriter::ordered_part() {
  TypeCode type = scalar_code(random_scalar(random_));
  if (!scope_.made.empty() && random_.one_in(3)) {
    const TypeCode& made = scope_.made[random_.below(scope_.made.size())];
    if (count_cells(made) <= 8) type = made;
  }
  return scope_.containers && random_.one_in(4) ? option_code(type) : type;
}

// A type that holds elements and has an order: parts, lists inside of each other, and tuples with lists.
TypeCode ExpressionWriter::ordered_type() {
  TypeCode type = ordered_part();
  for (u32 levels = 1 + random_.below(2); levels > 0; --levels) {
    if (random_.one_in(3)) type = pair_of(type, ordered_part());
    type = counted_code(random_.one_in(3) ? kArrayCode : kListCode, 1 + random_.below(3), type);
  }
  return random_.one_in(3) ? pair_of(type, ordered_part()) : type;
}

// Two values that `cmp` compares by their parts. They are slices if there is one.
std::vector<Expression> ExpressionWriter::ordered_elements(u32 depth) {
  const Place found =
      place([](const TypeCode& of) { return is_slice_code(of) && is_scalar_code(held_of(of)); });
  if (!found.text.empty() && random_.below(2) != 0)
    return {Expression{found.text}, slice(found.type, depth)};
  const TypeCode type = random_.one_in(3) ? ordered_part() : ordered_type();
  return {anchored(type, depth), anchored(type, depth)};
}

Expression ExpressionWriter::collection(const TypeCode& held, u32 depth) {
  if (!random_.one_in(4)) {
    const Place found =
        place([&](const TypeCode& of) { return has_elements(of) && held_of(of) == held; });
    if (!found.text.empty()) return {found.text, node_row(Node::Dot).level};
  }
  const u8 form = random_.below(2) != 0 ? kArrayCode : kListCode;
  return anchored(counted_code(form, 1 + random_.below(3), held), depth);
}

// Does not add parentheses where none are needed: they would make a value of a view or of a chain.
Expression ExpressionWriter::method(const Expression& receiver, std::string_view name,
                                    std::vector<std::string> arguments) {
  const u8 level = node_row(Node::Call).level;
  const std::string text = receiver.level < level ? "(" + receiver.text + ")" : receiver.text;
  return {text + "." + std::string(name) + "(" + joined(arguments, ", ") + ")", level};
}

// The first or the last element, as an Option.
Expression ExpressionWriter::end_of(const Expression& collection) {
  return method(collection, random_.below(2) != 0 ? "first" : "last", {});
}
// An element, or an Option of one.
Expression ExpressionWriter::taken_from_collection(const TypeCode& type, u32 depth) {
  if (is_scalar_code(type) && random_.one_in(4) &&
      (scalar_of(type) == Scalar::I64 || scalar_of(type) == Scalar::Bool))
    return asked_of_collection(scalar_of(type), depth);
  if (is_option_code(type)) {
    const TypeCode held = held_of(type);
    const u32 way = random_.below(3);
    if (way == 0 && is_scalar_code(held) && is_integer(scalar_of(held))) {
      const Scalar source = random_scalar(random_, type_set::kNumber);
      return apply(std::string(scalar_name(scalar_of(held))) + "_exact",
                   {anchored(scalar_code(source), depth)});
    }
    if (way == 1) {
      const Place list =
          place([&](const TypeCode& of) { return is_list_code(of) && held_of(of) == held; }, true);
      if (!list.text.empty()) return method({list.text}, "pop", {});
    }
    const Expression of = collection(held, depth);
    if (random_.one_in(3)) return end_of(of);
    return method(of, "get", {index(2).text});
  }
  if (count_cells(type) > 8 || count_cells(type) == 0) return {};
  switch (random_.below(6)) {
    case 0: return method(end_of(collection(type, depth)), "or", {write(type, depth).text});
    case 1:
    case 2: {
      const Expression option = anchored(option_code(type), depth);
      return method(option, "or", {write(type, depth).text});
    }
    case 3: {
      Expression of = collection(type, depth);
      of.text = operand(of, node_row(Node::Call).level) + view(1);
      return method(end_of({of.text}), "or", {write(type, depth).text});
    }
    default: {
      const Expression of = collection(type, depth);
      const u8 level = node_row(Node::Call).level;
      return {operand(of, level) + "[" + index(1).text + "]", level};
    }
  }
}

Expression ExpressionWriter::asked_of_collection(Scalar type, u32 depth) {
  const bool asks_length = type == Scalar::I64 || random_.below(2) != 0;
  if (!asks_length) {
    const Expression option = anchored(option_code(scope_.random_held(random_, 4)), depth);
    return method(option, random_.below(2) != 0 ? "is_some" : "is_none", {});
  }
  Place found = place([](const TypeCode& of) { return has_elements(of); });
  Expression of{found.text};
  if (found.text.empty()) of = collection(scope_.random_held(random_, 4), depth);
  if (!found.text.empty() && random_.one_in(5)) of.text += view(capacity_of(found.type));
  return method(of, type == Scalar::I64 ? "len" : "is_empty", {});
}

}  // namespace komuz::gen
