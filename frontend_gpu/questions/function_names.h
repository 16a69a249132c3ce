// SPDX-License-Identifier: Apache-2.0
// Names of functions that stand for lambdas, as in `xs.map(f)`: what the functions get, and what they give.
#pragma once
#include "frontend_gpu/questions/chains.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// The partner of a scalar type by the shape of a function: bits of f32 are u32, and so on.
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
// The type of an argument. An integer literal is a float literal if the function takes floats alone.
HD TypeId as_argument(const BuiltinRow& row, TypeId given) {
  const auto takes = [&](Scalar scalar) { return (row.types & type_bit(scalar)) != 0; };
  const bool is_float = given == kTypeIntLiteral && !takes(Scalar::I64) && takes(Scalar::F64);
  return is_float ? kTypeFloatLiteral : given;
}
// The type that a built-in function gives for arguments of this type.
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

// What the lambda of an operation gets: the element; in `fold`, the carried value and the element.
struct LambdaInput {
  u32 count = 0;
  TypeId type[2] = {kTypeError, kTypeError};
};
HD_COLD LambdaInput lambda_input(const Columns& c, Index call) {
  const TypeId element = chain_element(c, call);
  if (is_fold(c, call)) return {2, {fold_type(c, call), element}};
  return {1, {element, kTypeError}};
}
// The type that the function gives for which a name stands; kTypeError: the name stands for no lambda.
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
// True if the name is that of a user's function that looks at elements in place.
HD_COLD bool applies_to_slice(const Columns& c, Index name) {
  const Index ref = c.ref[name];
  if (c.role[name] != Role::Function || ref >= kBuiltinRef) return false;
  const Index parameters = parameters_of(c, c.item[c.bind_node[ref]]);
  const u32 count = count_elements(c, parameters);
  return count != 0 && is_slice(c, parameter_type(c, element_at(c, parameters, count - 1)));
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
