// SPDX-License-Identifier: Apache-2.0
// Random expressions of a wanted type. Parentheses stand where the precedence in lang/nodes.def asks for them, and
// in a few other places.
#pragma once
#include <functional>
#include <string>
#include <utility>

#include "gen/places.h"
#include "gen/scope.h"
#include "lang/nodes.h"

namespace komuz::gen {

struct Expression {
  std::string text;
  u8 level = kLeafLevel;  // of its outermost operator
  bool open = false;      // consists of literals alone: its type comes from its surroundings
};

// Writes the pattern for a part of the value that a pattern takes apart.
using PartPattern = std::function<std::string(const TypeCode&)>;

class ExpressionWriter {
 public:
  ExpressionWriter(Random& random, Scope& scope) : random_(random), scope_(scope) {}

  // Only constant expressions: nothing that may trap, no branches, no functions of the program.
  void only_constants(bool on) { constant_ = on; }

  // An expression of the type, for a place where the surroundings expect the type.
  Expression write(const TypeCode& type, u32 depth);
  // An expression that has the type by itself.
  Expression anchored(const TypeCode& type, u32 depth);
  // A number of steps or bits, mostly small.
  Expression small(Scalar type, u32 depth);
  // An index of any integer type, mostly that of one of the first `count` elements.
  Expression index(u32 count);
  // A source, and steps through which elements of this type run.
  Expression chain(const TypeCode& element, u32 depth);
  // A chain over which a `for` runs.
  Expression looped_chain(const TypeCode& element, u32 depth);
  // A type for the elements that run through a chain.
  TypeCode running_type();
  // `[a..b]` of a value that has elements.
  std::string view(u32 count);
  // A part of a variable whose type `fits`. Its text is empty if none was found.
  template <class Fits>
  Place place(Fits fits, bool only_changing = false) {
    for (u32 tries = 0; tries < 6; ++tries) {
      Place found = random_place(only_changing);
      while (!found.text.empty() && !fits(found.type))
        if (!step(found)) found = {};
      if (!found.text.empty()) return found;
    }
    return {};
  }
  // A variable or a part of one; deep parts are rarer.
  Place some_place(bool only_changing);
  // `?`, or a name that no other hole has.
  std::string hole_name();
  // The text as an operand of an operator that needs `level` or tighter.
  std::string operand(const Expression& e, u8 level);
  // A pattern by position or by the names of fields. Some fields may be left out.
  std::string record_pattern(const TypeCode& type, const PartPattern& part);
  // A pattern of a tuple. Some neighbouring elements may be left out.
  std::string tuple_pattern(const TypeCode& type, const PartPattern& part);

 private:
  Expression leaf(const TypeCode& type);
  Expression write_record(const TypeCode& type, u32 depth);
  Expression write_sum(const TypeCode& type, u32 depth);
  Expression write_tuple(const TypeCode& type, u32 depth);
  Expression write_scalar(Scalar type, u32 depth);
  Expression arithmetic(Scalar type, u32 depth);
  Expression shift(Scalar type, u32 depth);
  Expression unary(Scalar type, u32 depth);
  Expression compare(u32 depth);
  // Two tuples of one type. In each pair of elements, one of the two has its type by itself.
  std::pair<Expression, Expression> tuples(const TypeCode& type, u32 depth);
  Expression lazy(u32 depth);
  Expression builtin(Scalar type, u32 depth);
  Expression choice(const TypeCode& type, u32 depth);
  Expression match(const TypeCode& type, u32 depth);
  // A pattern that may take only some values. The names that it binds become visible.
  std::string pattern(const TypeCode& type, u32 depth);
  std::string scalar_pattern(Scalar type);
  std::string constructor_pattern(const Alternative& of, const PartPattern& part);
  std::string shared_pattern(const std::vector<Alternative>& alternatives);
  std::string bound(const TypeCode& type);
  Expression hole(const TypeCode& type, u32 depth);
  Expression block(const TypeCode& type, u32 depth);
  Expression call(const TypeCode& type, u32 depth);
  Expression field(const TypeCode& type, u32 depth);
  // The literal of an array or list.
  Expression elements(const TypeCode& type, u32 depth);
  Expression repeated_element(const TypeCode& held, u32 count, u32 depth);
  Expression text(u32 most);
  // A value for a parameter `[T]`.
  Expression slice(const TypeCode& type, u32 depth);
  TypeCode ordered_part();
  TypeCode ordered_type();
  std::vector<Expression> ordered_elements(u32 depth);
  // A value whose elements have the type; mostly a place.
  Expression collection(const TypeCode& held, u32 depth);
  Expression end_of(const Expression& collection);
  Expression taken_from_collection(const TypeCode& type, u32 depth);
  Expression asked_of_collection(Scalar type, u32 depth);
  // A chain and its end. The text is empty if none was found.
  TypeCode key_type();
  Expression best_by_key(std::string_view end, const TypeCode& element, u32 depth);
  Expression ended_chain(const TypeCode& type, u32 depth);
  // A chain that makes an array or a list, and knows its length.
  Expression chain_of_count(const TypeCode& type, u32 depth);
  // How deep the pattern of a lambda's parameters nests.
  static constexpr u32 kLambdaPatternDepth = 2;
  std::string lambda_pattern(const TypeCode& type, u32 depth);
  std::string lambda_body(const TypeCode& result, u32 depth);
  std::string lambda(const TypeCode& element, const TypeCode& result, u32 depth);
  std::string folding_lambda(const TypeCode& element, const TypeCode& result, u32 depth);
  std::string function_for(const std::vector<TypeCode>& input, const TypeCode& result);
  Expression range(Scalar type);
  Expression stepped_source(const TypeCode& element, u32 depth);
  Expression source(const TypeCode& element, u32 depth);
  Expression method(const Expression& receiver, std::string_view name,
                    std::vector<std::string> arguments);
  Place random_place(bool only_changing);
  // Goes on to a random part of the place; false: it has none.
  bool step(Place& place);
  Expression join(Node node, const Expression& left, const Expression& right);
  Expression apply(std::string_view name, std::vector<Expression> arguments);

  Random& random_;
  Scope& scope_;
  bool constant_ = false;
  u32 names_ = 0;  // names that patterns have bound
};

}  // namespace komuz::gen
