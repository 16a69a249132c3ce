// SPDX-License-Identifier: Apache-2.0
#include "services/export/script_builder.h"

namespace komuz::services {

std::vector<Area> find_areas(const CodeView& code, const Function& f) {
  std::vector<Area> found;
  for (u32 at = f.code_begin; at < f.code_end; ++at) {
    const Instruction i = code.instructions[at];
    if (i.op == Op::LoadAt || i.op == Op::StoreAt)
      found.push_back({i.a, i.a + area_access(i).slots});
    if (i.op == Op::Ref) found.push_back({i.a, i.a + i.b});
  }
  const std::string_view types = code.parameter_types(f);
  u32 slot = 0;
  for (size_t at = 2; at < types.size();) {
    const size_t end = skip_type(types, at);
    const TypeHead head = read_type_head(types, at);
    bool is_first = true;
    for_each_block(types.substr(at, end - at), [&](LayoutBlock block) {
      const bool is_length = head.code == kListCode && is_first;
      if ((head.code == kArrayCode || head.code == kListCode) && !is_length)
        found.push_back({slot, slot + block.cells});
      is_first = false;
      slot += block.cells;
    });
    at = end;
  }
  std::ranges::sort(found, {}, &Area::begin);
  std::vector<Area> areas;
  for (const Area& area : found) {
    if (!areas.empty() && area.begin < areas.back().end)
      areas.back().end = std::max(areas.back().end, area.end);
    else
      areas.push_back(area);
  }
  return areas;
}

}  // namespace komuz::services
