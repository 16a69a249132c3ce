// SPDX-License-Identifier: Apache-2.0
#include "neural/teacher/lone_function.h"

#include "engine/testing/guides.h"
#include "engine/testing/property_entry.h"
#include "lang/check/check_code.h"
#include "lang/type_codes.h"

namespace komuz::neural {

LoneFunction::LoneFunction(const Expression& expression, std::span<const Scalar> slots) {
  Function f;
  code_.names = "f";
  f.name_end = 1;
  code_.types.push_back(kTupleCode);
  code_.types.push_back(static_cast<u8>(slots.size()));
  for (const Scalar type : slots) {
    code_.types.push_back(static_cast<u8>(type));
    code_.slot_types.push_back(static_cast<u8>(type));
    code_.parameter_names.push_back({0, 1});
  }
  code_.types.push_back(static_cast<u8>(expression.nodes.back().type));
  f.parameter_slots = f.slots = static_cast<u16>(slots.size());
  f.result_cells = 1;
  f.is_public = true;
  write_expression(expression, expression.root(), 0, code_.constants, code_.instructions);
  code_.instructions.push_back({Op::Return, Scalar::None, 0, 0});
  code_.places.resize(code_.instructions.size());
  f.code_end = static_cast<u32>(code_.instructions.size());
  code_.functions.push_back(f);
  // Both the windows of checked code and what is put together of operations are sound.
  const CodeError wrong = check_code(code_.view(), code_.functions);
  if (wrong) code_.clear();
}

std::vector<std::vector<u64>> LoneFunction::guided_inputs(u32 count) const {
  const engine::PropertyEntry entry(code_.view(), 0);
  const engine::ValueShape shape(entry.types());
  engine::ValueSampler sampler(shape, {});
  engine::Guides guides;
  engine::add_guides(code_.view(), 0, guides);
  engine::settle_guides(guides);
  std::vector<std::vector<u64>> inputs(count, std::vector<u64>(entry.slot_types().size()));
  for (u32 k = 0; k < count; ++k) sampler.sample_guided(guides, 0, k, inputs[k]);
  return inputs;
}

}  // namespace komuz::neural
