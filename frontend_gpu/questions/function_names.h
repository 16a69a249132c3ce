// SPDX-License-Identifier: Apache-2.0
// Names of functions that stand for lambdas, `xs.map(f)`: what the functions get, and what they give.
#pragma once
#include "frontend_gpu/questions/chains.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// The scalar types that the shapes relate: bits of f32 are u32, and so on.
HD Scalar bits_partner(Scalar s) {
  switch (s) {
    case Scalar::F32: return Scalar::U32;
    case Scalar::F64: return Scalar::U64;
    case Scalar::U32: return Scalar::F32;
    case Scalar::U64: return Scalar::F64;
    case Scalar::None:
    case Scalar::Bool:
    case Scalar::U8:
    case Scalar::I32:
    case Scalar::I64: return Scalar::None;
  }
  return Scalar::None;
}
// An integer's literal as the argument of a function on floats alone is one of a float.
HD TypeId as_argument(const BuiltinRow& row, TypeId given) {
  const auto takes = [&](Scalar scalar) { return (row.types & type_bit(scalar)) != 0; };
  const bool is_float = given == kTypeIntLiteral && !takes(Scalar::I64) && takes(Scalar::F64);
  return is_float ? kTypeFloatLiteral : given;
}
// What a built-in function gives, of arguments of this type.
HD_COLD TypeId builtin_result(const BuiltinRow& row, TypeId type) {
  const TypeId given = as_argument(row, type);
  switch (row.shape) {
    case BuiltinShape::Same:
    case BuiltinShape::Shift: return given;
    case BuiltinShape::Exact: break;  // an Option, which the call names
    case BuiltinShape::Predicate: return type_of(Scalar::Bool);
    case BuiltinShape::ToI64: return type_of(Scalar::I64);
    case BuiltinShape::Convert:
    case BuiltinShape::Wrap: return type_of(row.target);
    case BuiltinShape::Bits:
    case BuiltinShape::FromBits: {
      const TypeId own = settled(given);
      const Scalar partner = is_scalar(own) ? bits_partner(as_scalar(own)) : Scalar::None;
      return partner == Scalar::None ? kTypeError : type_of(partner);
    }
  }
  return kTypeError;
}

// What the lambda of an operation gets: the element, or, of `fold`, what is carried and the element.
struct LambdaInput {
  u32 count = 0;
  TypeId type[2] = {kTypeError, kTypeError};
};
HD_COLD LambdaInput lambda_input(const Columns& c, Index call) {
  const TypeId element = chain_element(c, call);
  if (is_fold(c, call)) return {2, {fold_type(c, call), element}};
  return {1, {element, kTypeError}};
}
// The type of what the function gives that a name stands for; kTypeError: it stands for no lambda.
HD_COLD TypeId applied_result(const Columns& c, Index name) {
  const Index call = call_of_lambda(c, name), ref = c.ref[name];
  if (call == kNone) return kTypeError;
  if (ref >= kBuiltinRef)
    return is_builtin_function(ref)
               ? builtin_result(builtin_row(ref), lambda_input(c, call).type[0])
               : kTypeError;
  const Index item = c.item[c.bind_node[ref]];
  return has_signature(c, item) ? result_type(c, item) : kTypeError;
}
// Does the user's function look at elements where they lie?
HD_COLD bool applies_to_slice(const Columns& c, Index name) {
  const Index ref = c.ref[name];
  if (c.role[name] != Role::Function || ref >= kBuiltinRef) return false;
  const Index parameters = parameters_of(c, c.item[c.bind_node[ref]]);
  const u32 count = count_elements(c, parameters);
  return count != 0 && is_slice(c, parameter_type(c, element_at(c, parameters, count - 1)));
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
