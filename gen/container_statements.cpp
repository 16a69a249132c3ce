// SPDX-License-Identifier: Apache-2.0
// Random statements about arrays, lists and Options.
#include "gen/statements.h"

namespace komuz::gen {

std::string StatementWriter::container_statement(u32 depth, u32 indent) {
  switch (random_.below(depth == 0 ? 7 : 9)) {
    case 0:
    case 1: return push();
    case 2: return swap_elements();
    case 3: return assign_places();
    case 4: return update_place();
    case 5:
    case 6: return assignment();
    default: return element_loop(depth - 1, indent);
  }
}

// Also `extend`, or `pop`, whose value may be dropped.
std::string StatementWriter::push() {
  const Place list = expressions_.place([](const TypeCode& of) { return is_list_code(of); }, true);
  if (list.text.empty()) return declaration();
  if (random_.one_in(4)) return list.text + ".pop()";
  if (scope_.chains && random_.one_in(4)) {
    const u8 form = random_.below(2) != 0 ? kArrayCode : kListCode;
    const TypeCode more = counted_code(form, 1 + random_.below(2), held_of(list.type));
    return list.text + ".extend(" + expressions_.anchored(more, 1).text + ")";
  }
  const std::string statement = list.text + ".push(" + value(held_of(list.type)) + ")";
  if (random_.one_in(3)) return statement;
  return "if " + list.text + ".len() < " + std::to_string(capacity_of(list.type)) + " { " +
         statement + " }";
}

std::string StatementWriter::swap_elements() {
  const Place of =
      expressions_.place([](const TypeCode& type) { return has_elements(type); }, true);
  if (of.text.empty()) return declaration();
  const u32 count = is_list_code(of.type) ? 1 : capacity_of(of.type);
  const std::string one = expressions_.index(count).text;
  return of.text + ".swap(" + one + ", " + expressions_.index(count).text + ")";
}

// `(xs[i], p.x) = (a, b)`
std::string StatementWriter::assign_places() {
  const Place one = expressions_.some_place(true), other = expressions_.some_place(true);
  if (one.text.empty()) return declaration();
  const std::string first = value(one.type);
  return "(" + one.text + ", " + other.text + ") = (" + first + ", " + value(other.type) + ")";
}

std::string StatementWriter::update_place() {
  const Place found =
      expressions_.place([](const TypeCode& of) { return is_scalar_code(of); }, true);
  if (found.text.empty()) return declaration();
  const Scalar type = scalar_of(found.type);
  const std::vector<Node> nodes = updates_of(type);
  if (nodes.empty()) return assignment();
  return update_by(found.text, node_row(nodes[random_.below(nodes.size())]), type);
}

std::string StatementWriter::element_pattern(const TypeCode& type) {
  const auto bind = [&](const TypeCode& of) {
    if (random_.one_in(5)) return std::string("_");
    const std::string name = "e" + std::to_string(parts_++);
    scope_.variables.push_back({name, of, false});
    return name;
  };
  const std::vector<TypeCode> elements = elements_of(type);
  if (elements.empty() || random_.one_in(3)) return bind(type);
  const auto part = [&](const TypeCode& of) {
    const bool opens = static_cast<u8>(of[0]) <= kRecordCode && random_.below(2) != 0;
    return opens ? element_pattern(of) : bind(of);
  };
  return is_record_code(type) ? expressions_.record_pattern(type, part)
                              : expressions_.tuple_pattern(type, part);
}

std::string StatementWriter::element_loop(u32 depth, u32 indent) {
  const Place found = expressions_.place([](const TypeCode& of) { return has_elements(of); });
  std::string over = found.text;
  TypeCode held;
  if (scope_.chains && random_.one_in(3)) {
    held = expressions_.running_type();
    over = expressions_.looped_chain(held, 2).text;
  } else if (over.empty()) {
    held = scope_.random_held(random_, 4);
    const TypeCode type =
        counted_code(random_.below(2) != 0 ? kArrayCode : kListCode, 1 + random_.below(4), held);
    over = expressions_.anchored(type, 2).text;
  } else {
    held = held_of(found.type);
    if (random_.one_in(4)) over += expressions_.view(capacity_of(found.type));
  }
  const size_t mark = scope_.variables.size();
  std::string out = "for " + element_pattern(held) + " in " + over + " ";
  ++loops_;
  out += block(depth, indent);
  --loops_;
  scope_.variables.resize(mark);
  return out;
}

}  // namespace komuz::gen
