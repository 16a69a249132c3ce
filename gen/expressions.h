// SPDX-License-Identifier: Apache-2.0
// Random expressions of a wanted type. Parentheses stand where the precedence in lang/nodes.def asks for them, and a few
// where it does not.
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
  bool open = false;      // made of literals alone: its type comes from what stands around it
};

// Writes the pattern of a part of what a pattern takes apart.
using PartPattern = std::function<std::string(const TypeCode&)>;

class ExpressionWriter {
 public:
  ExpressionWriter(Random& random, Scope& scope) : random_(random), scope_(scope) {}

  // Constant expressions: nothing that may trap, no branches, no functions of the user.
  void only_constants(bool on) { constant_ = on; }

  // An expression of the type, where the surroundings expect it.
  Expression write(const TypeCode& type, u32 depth);
  // One that has the type by itself.
  Expression anchored(const TypeCode& type, u32 depth);
  // A number of steps or bits: small, mostly.
  Expression small(Scalar type, u32 depth);
  // An index of any integer type: mostly of one of the first `count` elements.
  Expression index(u32 count);
  // A source and steps through which such elements run.
  Expression chain(const TypeCode& element, u32 depth);
  // One that a `for` goes through.
  Expression looped_chain(const TypeCode& element, u32 depth);
  // Of the elements that run through a chain.
  TypeCode running_type();
  // `[a..b]` of something that has elements.
  std::string view(u32 count);
  // A part of a variable, of a type that `fits`; without a text where none was found.
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
  // A variable or a part of one, deep ones less often.
  Place some_place(bool only_changing);
  // `?`, or a name that no other hole has.
  std::string hole_name();
  // The text as an operand of an operator that needs `level` or tighter.
  std::string operand(const Expression& e, u8 level);
  // By position or by the names of fields; some may be left out.
  std::string record_pattern(const TypeCode& type, const PartPattern& part);
  // Some elements that stand beside each other may be left out.
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
  // Two tuples of one type. Of each two elements one has its type by itself, on either side.
  std::pair<Expression, Expression> tuples(const TypeCode& type, u32 depth);
  Expression lazy(u32 depth);
  Expression builtin(Scalar type, u32 depth);
  Expression choice(const TypeCode& type, u32 depth);
  Expression match(const TypeCode& type, u32 depth);
  // A pattern that may take some values only; what it binds is in sight then.
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
  // What a parameter `[T]` takes.
  Expression slice(const TypeCode& type, u32 depth);
  TypeCode ordered_part();
  TypeCode ordered_type();
  std::vector<Expression> ordered_elements(u32 depth);
  // Something whose elements have the type; mostly a place.
  Expression collection(const TypeCode& held, u32 depth);
  Expression end_of(const Expression& collection);
  Expression taken_from_collection(const TypeCode& type, u32 depth);
  Expression asked_of_collection(Scalar type, u32 depth);
  // A chain and its end, without a text where none was found.
  TypeCode key_type();
  Expression best_by_key(std::string_view end, const TypeCode& element, u32 depth);
  Expression ended_chain(const TypeCode& type, u32 depth);
  // One that makes an array or a list and knows how long.
  Expression chain_of_count(const TypeCode& type, u32 depth);
  // A number of places for a lambda's names, one in another.
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
  // To a random part of it; false where it has none.
  bool step(Place& place);
  Expression join(Node node, const Expression& left, const Expression& right);
  Expression apply(std::string_view name, std::vector<Expression> arguments);

  Random& random_;
  Scope& scope_;
  bool constant_ = false;
  u32 names_ = 0;  // that patterns have bound
};

}  // namespace komuz::gen
