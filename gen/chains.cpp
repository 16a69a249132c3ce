// SPDX-License-Identifier: Apache-2.0
// Random chains: a source, steps that change the elements, and an end that gives a value of the wanted type. They
// are written from the end to the source, because the lambda of a step decides which elements it needs.
#include "gen/expressions.h"

namespace komuz::gen {

namespace {

bool is_number(const TypeCode& type) {
  return is_scalar_code(type) && scalar_of(type) != Scalar::Bool;
}

bool is_pair(const TypeCode& type) {
  return static_cast<u8>(type[0]) == kTupleCode && elements_of(type).size() == 2;
}

// Keeps lambdas from assigning to variables around them.
class Unchanging {
 public:
  explicit Unchanging(Scope& scope) : scope_(scope) {
    for (Variable& v : scope.variables) {
      changes_.push_back(v.changes);
      v.changes = false;
    }
  }
  ~Unchanging() {
    scope_.variables.resize(changes_.size());
    for (size_t k = 0; k < changes_.size(); ++k) scope_.variables[k].changes = changes_[k];
  }
  Unchanging(const Unchanging&) = delete;
  Unchanging& operator=(const Unchanging&) = delete;

 private:
  Scope& scope_;
  std::vector<bool> changes_;
};

}  // namespace

// Mostly takes a pair or a record apart, down to this depth.
std::string ExpressionWriter::lambda_pattern(const TypeCode& type, u32 depth) {
  const auto part = [&](const TypeCode& of) { return lambda_pattern(of, depth - 1); };
  if (depth != 0 && is_record_code(type) && !random_.one_in(3)) return record_pattern(type, part);
  if (depth != 0 && is_pair(type) && !random_.one_in(3)) return tuple_pattern(type, part);
  if (random_.one_in(8)) return "_";
  // Some names hide another one.
  const bool hides = depth == kLambdaPatternDepth && random_.one_in(4);
  const std::string name = hides ? "x" : "l" + std::to_string(names_++);
  scope_.variables.push_back({name, type, false});
  return name;
}

std::string ExpressionWriter::lambda_body(const TypeCode& result, u32 depth) {
  if (!random_.one_in(6)) return anchored(result, depth).text;
  const TypeCode inner = scope_.random_type(random_);
  const std::string value = anchored(inner, depth).text;
  scope_.variables.push_back({"inner", inner, random_.below(2) != 0});
  return "{ let inner = " + value + "; " + anchored(result, depth).text + " }";
}

// A function that takes these types; empty: there is none.
std::string ExpressionWriter::function_for(const std::vector<TypeCode>& input,
                                           const TypeCode& result) {
  std::vector<std::string> fitting;
  const TypeCode& last = input.back();
  for (const Signature& f : scope_.functions) {
    if (f.cycle != 0 || f.result != result || f.parameters.size() != input.size()) continue;
    const bool looks = has_elements(last) && f.parameters.back() == slice_code(held_of(last));
    if (f.parameters.front() != input.front() && !(looks && input.size() == 1)) continue;
    if (f.parameters.back() == last || looks) fitting.push_back(f.name);
  }
  if (is_number(last) && is_number(result) && input.size() == 1) {
    if (last != result) fitting.emplace_back(scalar_name(scalar_of(result)));
    if (last == result && is_float(scalar_of(last))) fitting.emplace_back("floor");
    if (last == result && is_signed(scalar_of(last))) fitting.emplace_back("abs");
  }
  if (is_number(last) && input.front() == last && last == result && input.size() == 2)
    fitting.emplace_back(random_.below(2) != 0 ? "min" : "max");
  return fitting.empty() ? std::string() : fitting[random_.below(fitting.size())];
}

std::string ExpressionWriter::lambda(const TypeCode& element, const TypeCode& result, u32 depth) {
  if (random_.one_in(3))
    if (std::string name = function_for({element}, result); !name.empty()) return name;
  const Unchanging around(scope_);
  const std::string pattern = lambda_pattern(element, kLambdaPatternDepth);
  return pattern + " => " + lambda_body(result, depth);
}

// `(a, x) => …` for a `fold` that carries a `result`.
std::string ExpressionWriter::folding_lambda(const TypeCode& element, const TypeCode& result,
                                             u32 depth) {
  if (random_.one_in(3))
    if (std::string name = function_for({result, element}, result); !name.empty()) return name;
  const Unchanging around(scope_);
  const std::string carried = lambda_pattern(result, 1), one = lambda_pattern(element, 1);
  return "(" + carried + ", " + one + ") => " + lambda_body(result, depth);
}

Expression ExpressionWriter::range(Scalar type) {
  const u8 level = static_cast<u8>(node_row(Node::Range).level + 1);
  const u32 from = random_.below(4);
  std::string begin = std::to_string(from), end = std::to_string(from + random_.below(5));
  if (type != Scalar::I64) begin = std::string(scalar_name(type)) + "(" + begin + ")";
  if (random_.one_in(10)) end = operand(anchored(scalar_code(type), 1), level);
  return {"(" + begin + (random_.below(2) != 0 ? ".." : "..=") + end + ")"};
}

// Some sources skip numbers.
Expression ExpressionWriter::stepped_source(const TypeCode& element, u32 depth) {
  const bool counts = is_scalar_code(element) && is_integer(scalar_of(element));
  if (!counts || !random_.one_in(6)) return source(element, depth);
  return method(range(scalar_of(element)), "step_by", {std::to_string(random_.below(12) / 4 + 1)});
}

// A type for the elements that a step gets.
TypeCode ExpressionWriter::running_type() {
  const TypeCode i64 = scalar_code(Scalar::I64);
  switch (random_.below(8)) {
    case 0: return pair_of(i64, scope_.random_held(random_, 4));
    case 1: return pair_of(scope_.random_held(random_, 4), scope_.random_held(random_, 4));
    case 2:
    case 3: return i64;
    default: return scope_.random_held(random_, 4);
  }
}

Expression ExpressionWriter::source(const TypeCode& element, u32 depth) {
  if (is_scalar_code(element) && is_integer(scalar_of(element)) && random_.one_in(3))
    return range(scalar_of(element));
  if (depth != 0 && random_.one_in(6)) {
    const TypeCode type = counted_code(kArrayCode, 1 + random_.below(4), element);
    if (Expression e = chain_of_count(type, depth - 1); !e.text.empty()) return e;
  }
  Expression of = collection(element, depth / 2);
  if (random_.one_in(5)) of.text = operand(of, node_row(Node::Call).level) + view(2);
  return of;
}

Expression ExpressionWriter::chain(const TypeCode& element, u32 depth) {
  const TypeCode i64 = scalar_code(Scalar::I64);
  if (is_pair(element) && random_.below(2) != 0) {
    const std::vector<TypeCode> elements = elements_of(element);
    if (elements[0] == i64 && random_.below(3) != 0)
      return method(chain(elements[1], depth / 2), "enumerate", {});
    const Expression first = chain(elements[0], depth / 2);
    return method(first, "zip", {collection(elements[1], depth / 2).text});
  }
  if (depth == 0) return source(element, 0);
  switch (random_.below(6)) {
    case 0:
    case 1: {
      const TypeCode before = running_type();
      const Expression of = chain(before, depth - 1);
      return method(of, "map", {lambda(before, element, depth - 1)});
    }
    case 2: {
      const Expression of = chain(element, depth - 1);
      return method(of, "filter", {lambda(element, scalar_code(Scalar::Bool), depth - 1)});
    }
    case 3: return method(source(element, depth - 1), "reverse", {});
    default: return stepped_source(element, depth - 1);
  }
}

Expression ExpressionWriter::looped_chain(const TypeCode& element, u32 depth) {
  if (is_pair(element) && random_.below(4) != 0) {
    const std::vector<TypeCode> elements = elements_of(element);
    if (elements[0] == scalar_code(Scalar::I64) && random_.below(2) != 0)
      return method(source(elements[1], depth), "enumerate", {});
    const Expression first = source(elements[0], depth);
    return method(first, "zip", {collection(elements[1], depth).text});
  }
  if (random_.one_in(3)) return method(source(element, depth), "reverse", {});
  const u8 form = random_.below(2) != 0 ? kArrayCode : kListCode;
  const Expression e = chain_of_count(counted_code(form, 1 + random_.below(4), element), depth);
  return e.text.empty() ? stepped_source(element, depth) : e;
}

// The type of the keys by which elements are compared.
TypeCode ExpressionWriter::key_type() {
  const auto scalar = [&] { return scalar_code(random_scalar(random_)); };
  if (scope_.containers && random_.one_in(4)) return ordered_type();
  if (random_.one_in(4)) return ordered_part();
  return random_.one_in(3) ? pair_of(scalar(), scalar()) : scalar();
}
// The best element by a key, or its index.
Expression ExpressionWriter::best_by_key(std::string_view end, const TypeCode& element, u32 depth) {
  const TypeCode key = key_type();
  const Expression of = chain(element, depth);
  return method(of, end, {lambda(element, key, depth)});
}

// An array or list whose capacity is that of the source.
Expression ExpressionWriter::chain_of_count(const TypeCode& type, u32 depth) {
  const TypeCode held = held_of(type);
  const u8 form = is_array_code(type) ? kArrayCode : kListCode;
  const u32 count = capacity_of(type), inner = depth == 0 ? 0 : depth - 1;
  const auto of = [&](const TypeCode& element) {
    return anchored(counted_code(form, count, element), inner);
  };
  const u32 kind = random_.below(8);
  if (kind < 2 && is_pair(held)) {
    const std::vector<TypeCode> elements = elements_of(held);
    if (kind == 0 && elements[0] == scalar_code(Scalar::I64))
      return method(of(elements[1]), "enumerate", {});
    const Expression first = of(elements[0]);
    return method(first, "zip", {of(elements[1]).text});
  }
  if (kind < 4 && form == kArrayCode)
    return {"tabulate(" + std::to_string(count) + ", " +
                lambda(scalar_code(Scalar::I64), held, inner) + ")",
            node_row(Node::Call).level};
  if (kind < 3 && form == kListCode)
    return method(chain(held, inner), "list", {std::to_string(count)});
  if (kind == 3 && form == kListCode) {
    const Expression before = of(held);
    return method(before, "filter", {lambda(held, scalar_code(Scalar::Bool), inner)});
  }
  if (kind == 4) return method(of(held), "reverse", {});
  if (kind == 5 && count_cells(type) <= 32) {
    const TypeCode key = key_type();
    const Expression source = of(held);
    return method(source, "sort_by", {lambda(held, key, inner)});
  }
  const TypeCode before = running_type();
  // A type that is too large for one element is too large for several.
  if (count_cells(before) * count > 64) return {};
  const Expression source = of(before);
  return method(source, "map", {lambda(before, held, inner)});
}

Expression ExpressionWriter::ended_chain(const TypeCode& type, u32 depth) {
  const TypeCode boolean = scalar_code(Scalar::Bool);
  if ((is_array_code(type) || is_list_code(type)) && random_.below(4) != 0)
    return chain_of_count(type, depth);
  if (is_option_code(type) && random_.below(4) != 0) {
    const bool asks_where = held_of(type) == scalar_code(Scalar::I64) && random_.below(2) != 0;
    const TypeCode element = asks_where ? running_type() : held_of(type);
    const Expression of = chain(element, depth);
    return method(of, asks_where ? "position" : "find", {lambda(element, boolean, depth)});
  }
  if (type == boolean && random_.below(4) != 0) {
    const TypeCode element = running_type();
    const Expression of = chain(element, depth);
    if (random_.one_in(4)) return method(of, "contains", {write(element, depth).text});
    return method(of, random_.below(2) != 0 ? "any" : "all", {lambda(element, boolean, depth)});
  }
  if (type == scalar_code(Scalar::I64) && random_.one_in(3)) {
    if (random_.below(2) != 0) {
      const TypeCode element = running_type();
      const Expression of = chain(element, depth);
      if (random_.one_in(3)) return method(of, "count", {});
      return method(of, "count", {lambda(element, boolean, depth)});
    }
    if (random_.below(2) != 0)
      return best_by_key(random_.below(2) != 0 ? "argmin" : "argmax", running_type(), depth);
    const TypeCode number =
        scalar_code(random_scalar(random_, type_set::kAny & ~type_bit(Scalar::Bool)));
    return method(chain(number, depth), random_.below(2) != 0 ? "argmin" : "argmax", {});
  }
  if (is_number(type) && random_.below(2) != 0) {
    constexpr std::string_view kEnds[] = {"sum", "sum", "min", "max"};
    const std::string_view end = random_.pick(kEnds);
    return method(chain(type, depth), end, {});
  }
  if (count_cells(type) > 8) return {};
  if (count_cells(type) != 0 && random_.one_in(4))
    return best_by_key(random_.below(2) != 0 ? "min" : "max", type, depth);
  const TypeCode element = running_type();
  const Expression of = chain(element, depth);
  const Expression start = anchored(type, depth / 2);
  return method(of, "fold", {start.text, folding_lambda(element, type, depth)});
}

}  // namespace komuz::gen
