// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/columns/grammar.h"

#include <initializer_list>

#include "frontend_gpu/columns/name_role.h"
#include "lang/diagnostics.h"

namespace komuz::frontend {

namespace {

using C = Context;
using D = DiagnosticCode;

Role role_of_name(Context context) {
  switch (name_role(context)) {
    case NameRole::Label: return Role::Label;
    case NameRole::Type: return Role::TypeName;
    case NameRole::Bind: return Role::Bind;
    case NameRole::Value:
    case NameRole::Base:
    case NameRole::Target:
    case NameRole::Updated: return role_of(Node::Name);
    case NameRole::Callee:
    case NameRole::Bound: return Role::Callee;
  }
  return Role::Skipped;
}
bool is_in_use(Context context) {
  return context == C::UseRight || context == C::UsePath || context == C::UseLast ||
         context == C::UseList;
}
// True in a pattern of `let`, `var` or `for`, and in parts of such a pattern or of a lambda's.
bool takes_apart(Context context) {
  return context == C::BindingTarget || context == C::Pattern || context == C::PatternList ||
         context == C::BindFields || context == C::ForPattern;
}
bool is_in_grid(Context context) {
  return context == C::GridName || context == C::GridOpen || context == C::GridArgs ||
         context == C::GridEnd || context == C::GridOption || context == C::GridValue;
}
bool calculates(Node kind) {
  const NodeClass of = node_row(kind).node_class;
  return of == NodeClass::Arithmetic || of == NodeClass::Shift;
}
// The role of a node of this kind in this context.
Role role_in(Context context, Node kind) {
  if (context == C::Skipped) return Role::Skipped;
  if (context == C::LambdaParams)
    return kind == Node::Name ? Role::LambdaName : Role::LambdaPattern;
  if (kind == Node::Lambda && context == C::Args) return Role::LambdaArgument;
  if (kind == Node::Name) return role_of_name(context);
  const bool in_type = name_role(context) == NameRole::Type;
  const bool is_label =
      (kind == Node::Int &&
       (context == C::Field || context == C::RecBound || context == C::SpaceDepth)) ||
      (kind == Node::Bracket && (context == C::TypeArgs || in_type)) ||
      (kind == Node::Index && in_type) ||
      (kind == Node::Paren && (context == C::ParamsOpen || context == C::FieldsOpen || in_type)) ||
      ((kind == Node::Call || kind == Node::Dot) && in_type) || context == C::Length ||
      (kind == Node::Call && context == C::FnCall) ||
      ((kind == Node::Dot || kind == Node::Block) && is_in_use(context)) ||
      (kind == Node::Call && takes_apart(context)) ||
      ((kind == Node::Colon || kind == Node::Spread) && context == C::BindFields) ||
      (kind == Node::Spread && context == C::PatternList) ||
      (kind == Node::Paren && context == C::BindOpen) ||
      (kind == Node::Assign && context == C::TypeBody) || context == C::Alternative ||
      (context == C::TypeRight && kind != Node::Paren);
  if (is_label) return Role::Label;
  if (is_in_grid(context)) return Role::Label;
  if (kind == Node::Hole && context == C::ChoiceName) return Role::ChoiceHole;
  if (kind == Node::Hole && context == C::Callee) return Role::Callee;
  if (kind == Node::Bracket && context == C::ChoiceOpen) return Role::ChoiceOpen;
  if (kind == Node::Block && context == C::SpaceOpen) return Role::ChoiceOpen;
  if (kind == Node::Comma && context == C::Alternatives) return Role::Alternatives;
  if (context == C::PropSignature || context == C::PropBounded || context == C::PropParamsOpen)
    return Role::Label;
  if (context == C::PropRange) return Role::PropRange;
  if (kind == Node::Paren && context == C::ArgsOpen) return Role::Arguments;
  if (kind == Node::Bracket && context == C::IndexOpen) return Role::Arguments;
  if (kind == Node::String &&
      (name_role(context) == NameRole::Value || name_role(context) == NameRole::Base))
    return Role::Text;
  if (kind == Node::Semi && context == C::Elements) return role_of(Node::Comma);
  if (kind == Node::Semi && context == C::ArrayType) return Role::Separator;
  if (kind == Node::Paren && name_role(context) == NameRole::Value) return Role::Group;
  if (kind == Node::Comma &&
      (context == C::Params || context == C::PropParams || context == C::Fields ||
       context == C::TypeList || context == C::ListArgs || context == C::UseList))
    return Role::Separator;
  if ((kind == Node::Colon || kind == Node::Spread) && context == C::Args) return Role::Argument;
  if (context == C::ArmPattern && kind != Node::Guard) return Role::ArmPattern;
  if (context == C::MatchPattern || context == C::PatternArgs || context == C::PatternOpen ||
      context == C::PatternEnd)
    return Role::Label;
  if ((kind == Node::Comma || kind == Node::Semi) && context == C::MatchArms) return Role::Arms;
  if (kind == Node::Assign && context == C::Binding) return Role::Binding;
  if (kind == Node::Body && context == C::ElseBody) return Role::FirstArm;
  if (kind == Node::Body && context != C::Item) return Role::Arm;
  return role_of(kind);
}

u8 shape_of(Node n) {
  const NodeRow& row = node_row(n);
  u32 shape = 0;
  if ((row.children & kMustLeft) != 0) shape |= kNeedsLeft;
  if ((row.children & kMustRight) != 0) shape |= kNeedsRight;
  if (row.side == Side::Prefix || row.side == Side::Open) shape |= kStartsSubtree;
  if (row.side == Side::None) shape |= kIsLone;
  for (const Node owner :
       {Node::Body, Node::Block, Node::Let, Node::Var, Node::Const, Node::Lambda})
    if (n == owner) shape |= kOwnsChildren;
  for (const Node unusual : {Node::Test, Node::Return, Node::While})
    if (n == unusual) shape |= kUnusual;
  for (const Node may_be : {Node::Comma, Node::ItemEnd, Node::Pub})
    if (n == may_be) shape |= kMayBeIrregular;
  for (const Node match : {Node::Body, Node::Index, Node::Call})
    if (n == match) shape |= kMayMatch;
  return static_cast<u8>(shape);
}

// The grammar as a list of rules. The table forbids all that no rule allows.
class Grammar {
 public:
  explicit Grammar(GrammarRow* rows) : rows_(rows) {}

  void fill() {
    forbid_all();
    items();
    uses();
    types();
    type_items();
    patterns();
    match_patterns();
    for (const C c : {C::Value, C::Tuple, C::PathBase, C::IndexValue, C::Elements, C::Args,
                      C::Statement, C::Last, C::WhileHead, C::AssertValue, C::Alternatives})
      values(c);
    spaces();
    grids();
    statements();
    control();
    describe_nodes();
    mark_heads();
  }

 private:
  GrammarRule& at(C c, Node n) { return rows_[static_cast<u8>(c)][static_cast<u8>(n)]; }
  void rule(C c, Node n, C left, C right) { at(c, n) = {left, right}; }
  void leaf(C c, Node n) { rule(c, n, C::Skipped, C::Skipped); }
  void error(C c, Node n, D code, Feature feature = kFeatureThis) {
    at(c, n) = {C::Skipped, C::Skipped, static_cast<u8>(code), feature};
  }
  void later(C c, Node n, Feature feature) { error(c, n, D::NotSupported, feature); }

  void forbid_all() {
    for (u32 c = 1; c < kContextCount; ++c)
      for (u32 n = 0; n < kNodeCount; ++n)
        error(static_cast<C>(c), static_cast<Node>(n), D::Unexpected);
    for (u32 n = 0; n < kNodeCount; ++n) {
      error(C::Item, static_cast<Node>(n), D::NotAnItem);
      error(C::ItemTail, static_cast<Node>(n), D::NotAnItem);
      error(C::Head, static_cast<Node>(n), D::NotAnItem);
      error(C::ParamName, static_cast<Node>(n), D::Unexpected);
    }
    for (u32 c = 1; c < kContextCount; ++c) error(static_cast<C>(c), Node::Bad, D::BadCharacter);
  }
  void items() {
    rule(C::Item, Node::ItemEnd, C::Item, C::Item);
    rule(C::Item, Node::Semi, C::Item, C::ItemTail);
    rule(C::Item, Node::Pub, C::Skipped, C::Item);
    rule(C::Item, Node::Const, C::Skipped, C::ConstBody);
    rule(C::Item, Node::Body, C::Head, C::BlockOpen);
    rule(C::Item, Node::Fn, C::Skipped, C::FnSignature);  // open
    rule(C::Item, Node::Test, C::Skipped,
         C::TestName);  // its body is missing: check_shape reports why
    rule(C::Item, Node::Type, C::Skipped, C::TypeBody);
    rule(C::Item, Node::Use, C::Skipped, C::UseRight);
    error(C::Item, Node::Hole, D::AttributeOrLabel);
    rule(C::Head, Node::Fn, C::Skipped, C::FnSignature);
    rule(C::Head, Node::Test, C::Skipped, C::TestName);
    properties();
    error(C::Head, Node::Use, D::UseForm);
    leaf(C::TestName, Node::String);
    rule(C::Item, Node::Example, C::Skipped, C::ExampleBody);
    rule(C::ExampleBody, Node::Assert, C::Skipped, C::AssertValue);
    rule(C::FnSignature, Node::Rec, C::FnArrow, C::RecBound);
    for (const C c : {C::FnSignature, C::FnArrow}) {
      rule(c, Node::Arrow, C::FnCall, C::Type);
      error(c, Node::Call, D::MissingResultType);
    }
    rule(C::FnCall, Node::Call, C::FnName, C::ParamsOpen);
    error(C::FnCall, Node::Lt, D::GenericFunction);
    error(C::FnCall, Node::Gt, D::GenericFunction);
    leaf(C::FnName, Node::Name);
    error(C::FnName, Node::Index, D::GenericFunction);
    rule(C::ParamsOpen, Node::Paren, C::Skipped, C::Params);
    rule(C::Params, Node::Comma, C::Params, C::Params);
    rule(C::Params, Node::Colon, C::ParamName, C::Type);
    error(C::Params, Node::Name, D::ParameterType);
    leaf(C::ParamName, Node::Name);
    later(C::ParamName, Node::Paren, kFeaturePatterns);
    leaf(C::RecBound, Node::Int);
    leaf(C::RecBound, Node::Name);
    rule(C::ConstBody, Node::Assign, C::ConstTarget, C::Value);
    error(C::ConstBody, Node::Colon, D::LetWithoutValue);
    error(C::ConstBody, Node::Name, D::LetWithoutValue);
    rule(C::ConstTarget, Node::Colon, C::ConstName, C::Type);
    error(C::ConstTarget, Node::Name, D::ConstType);
    leaf(C::ConstName, Node::Name);
    rule(C::BlockOpen, Node::Block, C::Skipped, C::Last);
  }
  void uses() {
    for (const C c : {C::UseRight, C::UsePath, C::UseLast, C::UseList}) {
      for (u32 n = 0; n < kNodeCount; ++n) error(c, static_cast<Node>(n), D::UseForm);
      leaf(c, Node::Name);
    }
    rule(C::UseRight, Node::Dot, C::UsePath, C::UseLast);
    rule(C::UsePath, Node::Dot, C::UsePath, C::UsePath);
    rule(C::UseLast, Node::Block, C::Skipped, C::UseList);
    rule(C::UseList, Node::Comma, C::UseList, C::UseList);
  }
  void properties() {
    error(C::Item, Node::Prop, D::Unexpected);
    rule(C::Head, Node::Prop, C::Skipped, C::PropSignature);
    rule(C::PropSignature, Node::Call, C::PropName, C::PropParamsOpen);
    error(C::PropSignature, Node::String, D::PropParameters);
    leaf(C::PropName, Node::String);
    rule(C::PropParamsOpen, Node::Paren, C::Skipped, C::PropParams);
    rule(C::PropParams, Node::Comma, C::PropParams, C::PropParams);
    rule(C::PropParams, Node::Colon, C::ParamName, C::Type);  // check_shape looks for a range
    error(C::PropParams, Node::Name, D::ParameterType);
    error(C::PropParams, Node::In, D::PropRange);
    rule(C::PropBounded, Node::In, C::Type, C::PropRange);
    error(C::PropBounded, Node::Range, D::PropRange);  // `n: 0..10`
    error(C::PropBounded, Node::RangeInclusive, D::PropRange);
    for (u32 n = 0; n < kNodeCount; ++n) error(C::PropRange, static_cast<Node>(n), D::PropRange);
    rule(C::PropRange, Node::Range, C::Value, C::Value);
    rule(C::PropRange, Node::RangeInclusive, C::Value, C::Value);
  }
  void spaces() {
    rule(C::Item, Node::Space, C::Skipped, C::SpaceSignature);  // of another module
    rule(C::Head, Node::Space, C::Skipped, C::SpaceSignature);
    for (u32 n = 0; n < kNodeCount; ++n) {
      error(C::SpaceSignature, static_cast<Node>(n), D::SpaceForm);
      error(C::SpaceDepth, static_cast<Node>(n), D::SpaceDepth);
    }
    rule(C::SpaceSignature, Node::Depth, C::FnArrow, C::SpaceDepth);
    rule(C::SpaceSignature, Node::Arrow, C::FnCall, C::Type);  // check_shape reports a missing part
    leaf(C::SpaceDepth, Node::Int);
    rule(C::SpaceOpen, Node::Block, C::Skipped, C::Alternatives);
    rule(C::Alternatives, Node::Comma, C::Alternatives, C::Alternatives);
    leaf(C::ChoiceName, Node::Hole);
    rule(C::ChoiceOpen, Node::Bracket, C::Skipped, C::Alternatives);
  }
  void grids() {
    for (u32 n = 0; n < kNodeCount; ++n) {
      for (const C c : {C::GridArgs, C::GridOption, C::GridValue})
        error(c, static_cast<Node>(n), D::GridForm);
      error(C::GridEnd, static_cast<Node>(n), D::GridEnd);
    }
    leaf(C::GridName, Node::Hole);
    rule(C::GridOpen, Node::Paren, C::Skipped, C::GridArgs);
    rule(C::GridArgs, Node::Comma, C::GridArgs, C::GridArgs);
    for (const Node n : {Node::Range, Node::RangeInclusive})
      rule(C::GridArgs, n, C::GridEnd, C::GridEnd);
    rule(C::GridArgs, Node::Colon, C::GridOption, C::GridValue);
    leaf(C::GridArgs, Node::Name);
    for (const Node n : {Node::Int, Node::Float, Node::Char}) leaf(C::GridEnd, n);
    rule(C::GridEnd, Node::Neg, C::Skipped, C::GridEnd);
    leaf(C::GridOption, Node::Name);
    for (const Node n : {Node::Int, Node::True, Node::False}) leaf(C::GridValue, n);
  }
  void types() {
    for (const C c : {C::Type, C::TypeList, C::TypeRight, C::ArrayType}) {
      leaf(c, Node::Name);
      rule(c, Node::Paren, C::Skipped, C::TypeList);
      rule(c, Node::Bracket, C::Skipped, C::ArrayType);
      rule(c, Node::Index, C::TypeHead, C::TypeArgs);
      rule(c, Node::Dot, C::TypePath, C::Field);
      for (const Node n : {Node::Lt, Node::Gt, Node::Shr}) error(c, n, D::TypeInAngles);
      error(c, Node::AddressOf, D::AddressOfOperator);
    }
    rule(C::TypeList, Node::Comma, C::TypeList, C::TypeList);
    leaf(C::TypePath, Node::Name);
    rule(C::ArrayType, Node::Semi, C::Type, C::Length);
    leaf(C::TypeHead, Node::Name);
    rule(C::TypeArgs, Node::Bracket, C::Skipped, C::ListArgs);
    for (u32 n = 0; n < kNodeCount; ++n) error(C::ListArgs, static_cast<Node>(n), D::TypeArguments);
    rule(C::ListArgs, Node::Comma, C::Type, C::Length);
    for (u32 n = 0; n < kNodeCount; ++n) error(C::Length, static_cast<Node>(n), D::BadLength);
    leaf(C::Length, Node::Int);
    leaf(C::Length, Node::Name);
    rule(C::Length, Node::Dot, C::LengthPath, C::Field);
    leaf(C::LengthPath, Node::Name);
    for (u32 k = 0; k < kNodeCount; ++k) {
      const Node n = static_cast<Node>(k);
      if (calculates(n)) rule(C::Length, n, C::Length, C::Length);
      if (node_row(n).node_class == NodeClass::Unary) rule(C::Length, n, C::Skipped, C::Length);
    }
    rule(C::Length, Node::Paren, C::Skipped, C::Length);
  }
  void type_items() {
    rule(C::TypeBody, Node::Assign, C::TypeItemName, C::TypeRight);
    error(C::TypeBody, Node::Name, D::TypeWithoutRight);
    error(C::TypeBody, Node::Call, D::TypeWithoutRight);
    error(C::TypeBody, Node::Body, D::TypeWithBody);
    error(C::TypeRight, Node::Block, D::TypeWithBody);
    leaf(C::TypeItemName, Node::Name);
    error(C::TypeItemName, Node::Index, D::GenericFunction);
    rule(C::TypeRight, Node::Call, C::Constructor, C::FieldsOpen);
    for (const C c : {C::TypeRight, C::Alternative}) {
      rule(c, Node::BitOr, C::Alternative, C::Alternative);
      rule(c, Node::LeadingOr, C::Skipped, C::Alternative);
    }
    leaf(C::Alternative, Node::Name);
    rule(C::Alternative, Node::Call, C::Constructor, C::FieldsOpen);
    leaf(C::Constructor, Node::Name);
    rule(C::FieldsOpen, Node::Paren, C::Skipped, C::Fields);
    rule(C::Fields, Node::Comma, C::Fields, C::Fields);
    rule(C::Fields, Node::Colon, C::FieldName, C::Type);
    error(C::Fields, Node::Name, D::FieldType);
    leaf(C::FieldName, Node::Name);
  }
  void patterns() {
    for (const C c : {C::Pattern, C::PatternList, C::BindFields, C::BindingTarget}) {
      leaf(c, Node::Name);
      rule(c, Node::Paren, C::Skipped, C::PatternList);
      rule(c, Node::Call, C::PatternCallee, C::BindOpen);
    }
    rule(C::BindOpen, Node::Paren, C::Skipped, C::BindFields);
    rule(C::BindFields, Node::Comma, C::BindFields, C::BindFields);
    rule(C::BindFields, Node::Colon, C::PatternField, C::Pattern);
    leaf(C::BindFields, Node::Spread);
    rule(C::PatternList, Node::Comma, C::PatternList, C::PatternList);
    leaf(C::PatternList, Node::Spread);
    rule(C::BindingTarget, Node::Colon, C::Pattern, C::Type);
    rule(C::Binding, Node::Assign, C::BindingTarget, C::Value);
    error(C::Binding, Node::Name, D::LetWithoutValue);
    error(C::Binding, Node::Colon, D::LetWithoutValue);
    for (const C c : {C::Target, C::TargetList}) {
      leaf(c, Node::Name);
      rule(c, Node::Paren, C::Skipped, C::TargetList);
      rule(c, Node::Dot, C::Target, C::Field);
      rule(c, Node::Index, C::Target, C::IndexOpen);
    }
    rule(C::TargetList, Node::Comma, C::TargetList, C::TargetList);
    leaf(C::UpdateTarget, Node::Name);
    rule(C::UpdateTarget, Node::Dot, C::Target, C::Field);
    rule(C::UpdateTarget, Node::Index, C::Target, C::IndexOpen);
  }
  void match_patterns() {
    rule(C::MatchBlock, Node::Block, C::Skipped, C::MatchArms);
    for (u32 n = 0; n < kNodeCount; ++n)
      error(C::MatchArms, static_cast<Node>(n), D::ArmWithoutArrow);
    rule(C::MatchArms, Node::Comma, C::MatchArms, C::MatchArms);
    rule(C::MatchArms, Node::Semi, C::MatchArms, C::MatchArms);
    rule(C::MatchArms, Node::Lambda, C::ArmPattern, C::Last);
    rule(C::ArmPattern, Node::Guard, C::ArmPattern, C::Value);
    for (const C c : {C::ArmPattern, C::MatchPattern, C::PatternArgs}) {
      for (const Node n :
           {Node::Name, Node::Int, Node::Float, Node::Char, Node::True, Node::False, Node::String})
        leaf(c, n);
      for (const Node n : {Node::Range, Node::RangeInclusive})
        rule(c, n, C::PatternEnd, C::PatternEnd);
      rule(c, Node::Neg, C::Skipped, C::PatternEnd);
      rule(c, Node::Paren, C::Skipped, C::PatternArgs);
      rule(c, Node::Call, C::PatternCallee, C::PatternOpen);
      rule(c, Node::Dot, C::PatternPath, C::Field);
      rule(c, Node::BitOr, C::MatchPattern, C::MatchPattern);
      rule(c, Node::LeadingOr, C::Skipped, C::MatchPattern);
    }
    for (const Node n : {Node::Int, Node::Float, Node::Char}) leaf(C::PatternEnd, n);
    error(C::PatternEnd, Node::BitOr, D::RangeBesideBar);
    rule(C::PatternEnd, Node::Neg, C::Skipped, C::PatternEnd);
    leaf(C::PatternUse, Node::Name);
    leaf(C::PatternCallee, Node::Name);
    rule(C::PatternCallee, Node::Dot, C::PatternPath, C::Field);
    leaf(C::PatternPath, Node::Name);
    rule(C::PatternOpen, Node::Paren, C::Skipped, C::PatternArgs);
    rule(C::PatternArgs, Node::Comma, C::PatternArgs, C::PatternArgs);
    rule(C::PatternArgs, Node::Colon, C::PatternField, C::MatchPattern);
    leaf(C::PatternArgs, Node::Spread);
    leaf(C::PatternField, Node::Name);
  }
  void values(C c) {
    for (u32 k = 0; k < kNodeCount; ++k) {
      const Node n = static_cast<Node>(k);
      switch (node_row(n).node_class) {
        case NodeClass::Arithmetic:
        case NodeClass::Shift:
        case NodeClass::Compare:
        case NodeClass::Lazy: rule(c, n, C::Value, C::Value); break;
        case NodeClass::Unary: rule(c, n, C::Skipped, C::Value); break;
        case NodeClass::Update:
        case NodeClass::Other: break;
      }
    }
    for (const Node n : {Node::Name, Node::Int, Node::Float, Node::Char, Node::String, Node::True,
                         Node::False, Node::Break, Node::Continue})
      leaf(c, n);
    rule(c, Node::Return, C::Skipped, C::Value);
    rule(c, Node::Paren, C::Skipped, C::Tuple);
    rule(c, Node::Block, C::Skipped, C::Last);
    rule(c, Node::Call, C::Callee, C::ArgsOpen);
    rule(c, Node::Dot, C::PathBase, C::Field);
    rule(c, Node::Body, C::Control, C::BlockOpen);
    rule(c, Node::Else, C::ElseBody, C::ElseTail);
    rule(c, Node::Index, C::PathBase, C::IndexOpen);
    rule(c, Node::Bracket, C::Skipped, C::Elements);
    error(c, Node::Lambda, D::LambdaPlace);
    leaf(c, Node::Hole);
    error(c, Node::AddressOf, D::AddressOfOperator);
    error(c, Node::LeadingOr, D::ClosureBars);
    for (const Node n : {Node::Range, Node::RangeInclusive}) error(c, n, D::RangePlace);
    if (c == C::Tuple)
      rule(c, Node::Comma, C::Tuple, C::Tuple), error(c, Node::Semi, D::SemicolonInParens);
    if (c == C::Tuple || c == C::IndexValue)  // `(a..b).map(…)`, `xs[a..b]`
      for (const Node n : {Node::Range, Node::RangeInclusive}) rule(c, n, C::Value, C::Value);
    if (c == C::Elements) {
      rule(c, Node::Comma, C::Elements, C::Elements);
      rule(c, Node::Semi, C::Value, C::Length);
    }
    if (c == C::Args) {
      rule(c, Node::Comma, C::Args, C::Args);
      error(c, Node::Semi, D::SemicolonInParens);
      rule(c, Node::Lambda, C::LambdaParams, C::Value);
      leaf(C::LambdaParams, Node::Name);
      rule(C::LambdaParams, Node::Paren, C::Skipped, C::PatternList);
      rule(C::LambdaParams, Node::Call, C::PatternCallee, C::BindOpen);
      rule(c, Node::Colon, C::ArgName, C::Value);
      rule(c, Node::Spread, C::Skipped, C::Value);
      leaf(C::ArgName, Node::Name);
    }
    leaf(C::Callee, Node::Name);
    leaf(C::Callee, Node::Hole);  // the name of a space
    rule(C::Callee, Node::Dot, C::Value, C::Method);
    leaf(C::Method, Node::Name);
    leaf(C::TrapName, Node::Name);
    leaf(C::Field, Node::Int);
    leaf(C::Field, Node::Name);
    rule(C::ArgsOpen, Node::Paren, C::Skipped, C::Args);
    rule(C::IndexOpen, Node::Bracket, C::Skipped, C::IndexValue);
  }
  void statements() {
    for (const C c : {C::Statement, C::Last}) {
      rule(c, Node::Semi, C::Statement, c);
      rule(c, Node::Let, C::Skipped, C::Binding);
      rule(c, Node::Var, C::Skipped, C::Binding);
      rule(c, Node::Assert, C::Skipped, C::AssertValue);
      rule(c, Node::Assign, C::Target, C::Value);
      error(c, Node::Colon, D::AttributeOrLabel);
      for (u32 k = 0; k < kNodeCount; ++k)
        if (node_row(static_cast<Node>(k)).node_class == NodeClass::Update)
          rule(c, static_cast<Node>(k), C::UpdateTarget, C::Value);
    }
    error(C::Statement, Node::Block, D::BareBlock);
  }
  void control() {
    rule(C::Control, Node::If, C::Skipped, C::Value);
    rule(C::Control, Node::While, C::WhileStart, C::WhileHead);
    rule(C::Control, Node::For, C::Skipped, C::ForHead);
    rule(C::Control, Node::Match, C::Skipped, C::Scrutinee);
    values(C::Scrutinee);
    error(C::Control, Node::Name, D::RecordLiteral);
    leaf(C::WhileStart, Node::LoopStart);
    rule(C::WhileHead, Node::Limit, C::Value, C::Value);
    rule(C::ElseBody, Node::Body, C::ElseControl, C::BlockOpen);
    rule(C::ElseControl, Node::If, C::Skipped, C::Value);
    for (const Node n : {Node::While, Node::For, Node::Match, Node::Name})
      error(C::ElseControl, n, D::ElseWithoutIf);
    rule(C::ElseTail, Node::Block, C::Skipped, C::Last);
    rule(C::ElseTail, Node::Body, C::ElseControl, C::BlockOpen);
    rule(C::ElseTail, Node::Else, C::ElseBody, C::ElseTail);
    rule(C::ForHead, Node::In, C::ForPattern, C::ForRange);
    leaf(C::ForPattern, Node::Name);
    rule(C::ForPattern, Node::Paren, C::Skipped, C::PatternList);
    rule(C::ForPattern, Node::Call, C::PatternCallee, C::BindOpen);
    values(C::ForRange);
    rule(C::ForRange, Node::Paren, C::Skipped, C::ForRange);
    rule(C::ForRange, Node::Range, C::Value, C::Value);
    rule(C::ForRange, Node::RangeInclusive, C::Value, C::Value);
  }
  void describe_nodes() {
    for (u32 c = 0; c < kContextCount; ++c)
      for (u32 k = 0; k < kNodeCount; ++k) {
        const Node n = static_cast<Node>(k);
        GrammarRule& rule = at(static_cast<C>(c), n);
        rule.role = role_in(static_cast<C>(c), n);
        rule.type = type_row(rule.role).own;
        rule.shape = shape_of(n);
        rule.owns = (rule.shape & kOwnsChildren) != 0 ? -1 : 0;
      }
  }
  // Marks what check_shape looks at more closely if it is no error.
  void mark_heads() {
    const auto set = [this](C c, Node n, CloserLook closer) {
      GrammarRule& rule = at(c, n);
      rule.detail = rule.error == 0 ? static_cast<u8>(closer) : rule.detail;
    };
    const auto note = [&](C c, Node n) { set(c, n, CloserLook::Notes); };
    const auto mark = [&](C c, Node n) { set(c, n, CloserLook::Yes); };
    for (u32 k = 0; k < kContextCount; ++k) set(static_cast<C>(k), Node::Call, CloserLook::Traps);
    set(C::Args, Node::Comma, CloserLook::InTraps);
    note(C::Item, Node::Const);
    note(C::Item, Node::Example);
    note(C::Item, Node::Body);
    mark(C::Item, Node::Fn);
    mark(C::Item, Node::Space);
    note(C::Item, Node::Use);
    mark(C::SpaceSignature, Node::Depth);
    mark(C::SpaceSignature, Node::Arrow);
    mark(C::SpaceOpen, Node::Block);
    for (const C c : {C::FnSignature, C::FnArrow}) {
      note(c, Node::Rec);
      note(c, Node::Arrow);
    }
    note(C::FnName, Node::Name);
    note(C::ConstName, Node::Name);
    note(C::Item, Node::Type);
    note(C::TypeBody, Node::Assign);
    note(C::TypeItemName, Node::Name);
    mark(C::TestName, Node::String);
    mark(C::PropName, Node::String);
    mark(C::PropParamsOpen, Node::Paren);
    mark(C::PropParams, Node::Colon);
    mark(C::Args, Node::Lambda);
    for (const Node n : {Node::Range, Node::RangeInclusive}) mark(C::Tuple, n);
    mark(C::AssertValue, Node::Not);
    for (const C c : {C::ArmPattern, C::MatchPattern, C::PatternArgs}) mark(c, Node::Name);
    mark(C::MatchArms, Node::Semi);
    mark(C::Elements, Node::Semi);
    mark(C::ArrayType, Node::Semi);
    mark(C::ListArgs, Node::Comma);
    mark(C::TypeArgs, Node::Bracket);
    for (u32 k = 0; k < kContextCount; ++k) {
      const C c = static_cast<C>(k);
      if (name_role(c) != NameRole::Value && name_role(c) != NameRole::Base) continue;
      mark(c, Node::Bracket);
      mark(c, Node::String);
    }
    for (const C c : {C::Type, C::TypeList, C::TypeRight, C::ArrayType}) mark(c, Node::Bracket);
  }

  GrammarRow* rows_;
};

}  // namespace

void fill_grammar(GrammarRow* rows) { Grammar(rows).fill(); }

}  // namespace komuz::frontend
