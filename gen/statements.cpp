// SPDX-License-Identifier: Apache-2.0
#include "gen/statements.h"

namespace komuz::gen {

namespace {

// Words that are keywords in other places are names here.
constexpr std::string_view kNames[] = {"a",     "b", "c",     "x",    "y",    "value", "limit",
                                       "depth", "k", "space", "test", "prop", "else_", "r2d2"};
constexpr std::string_view kComments[] = {"// a comment", "// \"quotes' and } brackets {",
                                          "//= not for a generated program", "///"};

}  // namespace

// `+=` and the like, as nodes.
std::vector<Node> updates_of(Scalar type) {
  std::vector<Node> nodes;
  for (u32 k = 0; k < kNodeCount; ++k) {
    const NodeRow& row = kNodeRows[k];
    if (row.node_class == NodeClass::Update && (op_row(row.op).types & type_bit(type)) != 0)
      nodes.push_back(static_cast<Node>(k));
  }
  return nodes;
}

std::string StatementWriter::body(const TypeCode& result) {
  result_ = result;
  std::string out = statements(result, 2, 1);
  std::string last = value(result);
  // At the start of a line, `-` would continue the statement before it.
  if (last[0] == '-') last = "(" + last + ")";
  return out + "    " + last + "\n";
}

std::string StatementWriter::statements(const TypeCode& result, u32 depth, u32 indent) {
  result_ = result;
  std::string out;
  for (u32 k = random_.below(options_.statements + 1); k > 0; --k) {
    out += std::string(indent * 4, ' ') + statement(depth, indent);
    if (random_.below(2) != 0) out += ";";
    if (random_.one_in(12)) out += " " + std::string(random_.pick(kComments));
    out += "\n";
  }
  return out;
}

std::string StatementWriter::statement(u32 depth, u32 indent) {
  if (scope_.containers && random_.one_in(3)) return container_statement(depth, indent);
  if (scope_.holes && depth != 0 && random_.one_in(5)) return choice(depth - 1, indent);
  const u32 kind = random_.below(depth == 0 ? 9 : 14);
  switch (kind) {
    case 0:
    case 1:
    case 2: return declaration();
    case 3: return pattern();
    case 4: return assignment();
    case 5:
    case 6: return update();
    case 7: return swap();
    case 8: return leave();
    case 9:
    case 10: return conditional(depth - 1, indent);
    case 11:
    case 12: return counted_loop(depth - 1, indent);
    default: return loop(depth - 1, indent);
  }
}

std::string StatementWriter::declaration() {
  const TypeCode type = scope_.random_type(random_);
  const std::string name(random_.pick(kNames));
  const bool changes = random_.below(3) != 0;
  const Expression e = expressions_.write(type, random_.below(options_.depth + 1));
  const bool usual = type == scalar_code(Scalar::I64) || type == scalar_code(Scalar::F64);
  const bool says = (e.open && !usual) || random_.one_in(4);
  scope_.variables.push_back({name, type, changes});
  return (changes ? "var " : "let ") + name + (says ? ": " + spelled(type) : "") + " = " + e.text;
}

// `let (a, _) = …`, `let Name(y: a, ..) = …`
std::string StatementWriter::pattern() {
  if (!scope_.made.empty() && random_.below(2) != 0) {
    const TypeCode type = scope_.made[random_.below(scope_.made.size())];
    const std::string e = expressions_.anchored(type, 2).text;
    return "let " + element_pattern(type) + " = " + e;
  }
  const TypeCode first = scope_.random_type(random_), second = scope_.random_type(random_);
  const TypeCode tuple = TypeCode{static_cast<char>(kTupleCode), 2} + first + second;
  const std::string e = expressions_.anchored(tuple, 2).text;
  const bool skips = random_.one_in(4);
  const std::string one(random_.pick(kNames)), other = skips || one == "value" ? "_" : "value";
  scope_.variables.push_back({one, first, true});
  if (other != "_") scope_.variables.push_back({other, second, true});
  return "var (" + one + ", " + other + ") = " + e;
}

std::string StatementWriter::assignment() {
  if (scope_.containers) {
    const Place found = expressions_.some_place(true);
    return found.text.empty() ? declaration() : found.text + " = " + value(found.type);
  }
  std::vector<std::pair<std::string, TypeCode>> places;
  for (const Variable* v : scope_.visible()) {
    if (!v->changes) continue;
    places.emplace_back(v->name, v->type);
    if (is_scalar_code(v->type)) continue;
    const std::vector<TypeCode> elements = elements_of(v->type);
    const std::vector<std::string> fields = fields_of(v->type);
    for (size_t k = 0; k < elements.size(); ++k)
      places.emplace_back(v->name + "." + fields[k], elements[k]);
  }
  if (places.empty()) return declaration();
  const auto& [place, type] = places[random_.below(places.size())];
  return place + " = " + value(type);
}

std::string StatementWriter::update() {
  const Scalar type = random_scalar(random_);
  const auto variables = scope_.visible(scalar_code(type), true);
  const std::vector<Node> nodes = updates_of(type);
  if (variables.empty() || nodes.empty()) return assignment();
  const NodeRow& row = node_row(nodes[random_.below(nodes.size())]);
  // The name is copied, because writing an expression may add variables.
  const std::string place = variables[random_.below(variables.size())]->name;
  return update_by(place, row, type);
}

std::string StatementWriter::update_by(const std::string& place, const NodeRow& row, Scalar type) {
  const bool shifts = row.op == Op::Shl || row.op == Op::Shr;
  const std::string by = shifts ? expressions_.small(random_scalar(random_, type_set::kInt), 1).text
                                : value(scalar_code(type));
  return place + " " + std::string(row.spelling) + " " + by;
}

// `(a, b) = (b, a)`
std::string StatementWriter::swap() {
  const auto variables = scope_.visible(scope_.random_type(random_), true);
  if (variables.size() < 2) return update();
  const std::string a = variables[0]->name, b = variables[1]->name;
  const TypeCode type = variables[0]->type;
  return "(" + a + ", " + b + ") = (" + b + ", " + value(type) + ")";
}

std::string StatementWriter::leave() {
  if (loops_ != 0 && random_.below(3) != 0)
    return "if " + condition() + " { " + (random_.below(2) != 0 ? "break" : "continue") + " }";
  if (random_.one_in(6)) return "assert " + condition();
  return "if " + condition() + " { return " + value(result_) + " }";
}

std::string StatementWriter::choice(u32 depth, u32 indent) {
  std::vector<std::string> alternatives;
  for (u32 k = 1 + random_.below(4); k > 0; --k) alternatives.push_back(alternative(depth, indent));
  return expressions_.hole_name() + "[" + joined(alternatives, ", ") + "]";
}

std::string StatementWriter::alternative(u32 depth, u32 indent) {
  switch (random_.below(6)) {
    case 0: return "()";
    case 1: return block(depth, indent);
    case 2: return counted_loop(depth, indent);
    case 3: return loop(depth, indent);
    default: return conditional(depth, indent);
  }
}

std::string StatementWriter::block(u32 depth, u32 indent) {
  const size_t mark = scope_.variables.size();
  const std::string inside = statements(result_, depth, indent + 1);
  scope_.variables.resize(mark);
  return "{\n" + inside + std::string(indent * 4, ' ') + "}";
}

std::string StatementWriter::conditional(u32 depth, u32 indent) {
  std::string out = "if " + condition() + " " + block(depth, indent);
  if (random_.one_in(4)) out += " else if " + condition() + " " + block(depth, indent);
  if (random_.below(2) != 0) out += " else " + block(depth, indent);
  return out;
}

std::string StatementWriter::counted_loop(u32 depth, u32 indent) {
  const Scalar type = random_.below(2) != 0 ? Scalar::I64 : random_scalar(random_, type_set::kInt);
  const u8 level = static_cast<u8>(node_row(Node::Range).level + 1);
  const u32 from = random_.below(4);
  std::string begin = std::to_string(from), end = std::to_string(from + random_.below(5));
  if (type != Scalar::I64) begin = std::string(scalar_name(type)) + "(" + begin + ")";
  if (random_.one_in(8))
    end = expressions_.operand(expressions_.anchored(scalar_code(type), 2), level);
  const std::string name(random_.one_in(5) ? std::string_view("_") : random_.pick(kNames));
  const size_t mark = scope_.variables.size();
  std::string out =
      "for " + name + " in " + begin + (random_.below(2) != 0 ? ".." : "..=") + end + " ";
  scope_.variables.push_back({name, scalar_code(type), false});
  ++loops_;
  out += block(depth, indent);
  --loops_;
  scope_.variables.resize(mark);
  return out;
}

std::string StatementWriter::loop(u32 depth, u32 indent) {
  std::string out = "while " + condition() + " ";
  // Without a limit, only fuel ends the loop.
  if (!random_.one_in(8)) out += "limit " + std::to_string(random_.below(7)) + " ";
  ++loops_;
  out += block(depth, indent);
  --loops_;
  return out;
}

}  // namespace komuz::gen
