// SPDX-License-Identifier: Apache-2.0
#include "services/completion/wanted_argument.h"

#include "frontend_gpu/named_types.h"
#include "frontend_gpu/view.h"
#include "services/front_end_names.h"

namespace komuz::services {

namespace {

struct Argument {
  Index call = kNone, receiver = kNone;
  Index ref = kNone;          // of the called name
  u32 number = 0, count = 0;  // without the receiver
};
// Nothing if the node is no argument of `x.f(…)`.
std::optional<Argument> argument_of(const Columns& c, Index node) {
  Argument out{frontend::call_of_argument(c, node)};
  if (out.call == kNone || frontend::node_kind(c, out.call) != Node::Call) return std::nullopt;
  out.receiver = frontend::call_receiver(c, out.call);
  const Index name = frontend::call_name(c, out.call);
  if (out.receiver == kNone || name == kNone) return std::nullopt;
  out.ref = c.ref[name];
  frontend::ElementsBackwards elements(c, c.right[out.call]);
  for (Index e = elements.next(); e != kNone; e = elements.next()) {
    ++out.count;
    if (e == node) out.number = out.count;  // counted from the last one so far
  }
  if (out.number == 0) return std::nullopt;
  out.number = out.count - out.number;
  return out;
}

std::string element_of(const Columns& c, Index value) {
  if (frontend::is_range(c, frontend::inside_parentheses(c, value)))
    return std::string(scalar_name(Scalar::I64));
  const TypeId type = frontend::settled(c.type[value]);
  if (!frontend::is_value(type) || frontend::is_scalar(type) ||
      !frontend::has_elements(frontend::form_of(c, type)))
    return "";
  return frontend::written_type(c, frontend::held_type(c, type));
}

// If a called name has forms with and without a key: its form with a key.
Index form_with_key(Index ref) {
  const auto chain = [](ChainOp operation) { return frontend::chain_ref(operation); };
  if (frontend::is_builtin_function(ref)) {
    const Op op = frontend::builtin_row(ref).op;
    return op == Op::Min   ? chain(ChainOp::MinByKey)
           : op == Op::Max ? chain(ChainOp::MaxByKey)
                           : ref;
  }
  if (ref == chain(ChainOp::Argmin)) return chain(ChainOp::ArgminByKey);
  return ref == chain(ChainOp::Argmax) ? chain(ChainOp::ArgmaxByKey) : ref;
}

bool is_asked(ChainOp operation) {
  switch (operation) {
    case ChainOp::Filter:
    case ChainOp::All:
    case ChainOp::Any:
    case ChainOp::Count:
    case ChainOp::Find:
    case ChainOp::Position: return true;
    default: return false;
  }
}

}  // namespace

std::string WantedFunction::text() const {
  std::string out = "fn(";
  for (const std::string& parameter : parameters)
    out += (&parameter == parameters.data() ? "" : ", ") + (parameter.empty() ? "_" : parameter);
  return out + ")" + (result.empty() ? "" : " -> " + result);
}

std::optional<WantedFunction> wanted_function(const Columns& c, Index node) {
  const std::optional<Argument> argument = argument_of(c, node);
  if (!argument) return std::nullopt;
  const Index ref = form_with_key(argument->ref);
  if (!frontend::is_chain(ref)) return std::nullopt;
  const ChainRow& row = chain_row(frontend::chain_of(ref));
  // The row's number of arguments includes the one before the `.`.
  const bool is_last = argument->number + 2u == row.arguments;
  if (row.lambda == 0 || !is_last) return std::nullopt;
  WantedFunction out{{element_of(c, argument->receiver)}, ""};
  if (out.parameters[0].empty()) return std::nullopt;
  if (is_asked(row.operation)) out.result = scalar_name(Scalar::Bool);
  if (row.operation == ChainOp::Fold) {
    const Index start = frontend::argument_at(c, argument->call, 1, argument->count + 1);
    const TypeId type = frontend::settled(c.type[start]);
    out.result = frontend::is_value(type) ? frontend::written_type(c, type) : "";
    out.parameters.insert(out.parameters.begin(), out.result);
  }
  return out;
}

TypeSet wanted_scalars(const Columns& c, Index node) {
  const Index call = frontend::call_of_argument(c, node);
  if (call == kNone || frontend::node_kind(c, call) != Node::Call || c.left[call] == node) return 0;
  const Index name = frontend::call_name(c, call);
  if (name == kNone || !frontend::is_builtin_function(c.ref[name])) return 0;
  return frontend::builtin_row(c.ref[name]).types;
}

bool has_type(TypeSet types, std::string_view name) {
  for (u8 s = 1; s < kScalarCount; ++s)
    if (const auto scalar = static_cast<Scalar>(s); scalar_name(scalar) == name)
      return (types & type_bit(scalar)) != 0;
  return false;
}

bool wants_index(const Columns& c, Index node) {
  const std::optional<Argument> argument = argument_of(c, node);
  if (!argument || !frontend::is_collection(argument->ref)) return false;
  const Collection operation = collection_row(argument->ref - frontend::kFirstCollection).operation;
  return operation == Collection::Get || operation == Collection::Swap;
}

}  // namespace komuz::services
