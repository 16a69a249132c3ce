// SPDX-License-Identifier: Apache-2.0
#include "engine/values/value_shape.h"

#include <array>

namespace komuz::engine {

ValueShape::ValueShape(std::string_view type_code) : codes(type_code) {
  read_nodes();
  lay_out();
}

std::string ValueShape::text_of(u32 node) const {
  const size_t at = nodes[node].code_at;
  return type_text(codes.substr(at, skip_type(codes, at) - at), RecordText::Name);
}

void ValueShape::read_nodes() {
  struct Open {
    u32 node, left;
  };
  std::vector<Open> open;
  for (size_t at = 0; at < codes.size();) {
    const TypeHead head = read_type_head(codes, at);
    const u32 node = static_cast<u32>(nodes.size());
    const bool in_option = !open.empty() && nodes[open.back().node].code == kOptionCode;
    has_nested_option |= head.code == kOptionCode && in_option;
    has_slice |= head.code == kSliceCode;
    nodes.push_back({.code = head.code,
                     .count = head.code <= kRecordCode ? head.elements : head.count,
                     .code_at = static_cast<u32>(at)});
    at = head.end;
    open.push_back({node, head.elements});
    if (head.names != 0 || head.code == kOptionCode) read_names(head, node);
    // A complete value is an element of the open one around it.
    while (!open.empty() && open.back().left == 0) {
      nodes[open.back().node].next = static_cast<u32>(nodes.size());
      open.pop_back();
      if (!open.empty()) --open.back().left;
    }
  }
  // The places of the fields are known only now.
  for (u32 node = 0; node < nodes.size(); ++node) {
    const u8 code = nodes[node].code;
    if (code != kRecordCode && code != kSumCode && code != kOptionCode) continue;
    u32 field = constructors[nodes[node].first_constructor].first_field;
    for (u32 part = node + 1; part < nodes[node].next; part = nodes[part].next)
      fields[field++].node = part;
  }
}

void ValueShape::read_names(TypeHead head, u32 node) {
  nodes[node].first_constructor = static_cast<u32>(constructors.size());
  const auto add_fields = [&](u32 count) {
    constructors.back().first_field = static_cast<u32>(fields.size());
    constructors.back().fields = count;
    for (u32 field = 0; field < count; ++field)
      fields.push_back({take_type_name(codes, head.names), 0});
  };
  if (head.code == kOptionCode) {
    nodes[node].count = 2;
    constructors.push_back({"None", static_cast<u32>(fields.size()), 0});
    constructors.push_back({"Some", static_cast<u32>(fields.size()), 1});
    fields.push_back({});
    return;
  }
  const std::string_view name = take_type_name(codes, head.names);
  if (head.code == kRecordCode) {
    constructors.push_back({name, 0, 0});
    add_fields(head.elements);
    return;
  }
  for (u32 alternative = 0; alternative < head.count; ++alternative) {
    constructors.push_back({take_type_name(codes, head.names), 0, 0});
    add_fields(take_field_count(codes, head.names));
  }
}

void ValueShape::lay_out() {
  std::vector<u32> parents;  // whose parts are regions of their own
  const auto lay_region = [&](u32 begin, u32 end) {
    for (u32 node = begin; node < end;) {
      ShapeNode& of = nodes[node];
      of.first_block = static_cast<u32>(blocks.size());
      if (of.code == kTupleCode || of.code == kRecordCode) {
        ++node;
        continue;
      }
      const std::string_view rest = codes.substr(of.code_at);
      for_each_block(rest.substr(0, skip_type(rest, 0)),
                     [&](LayoutBlock block) { blocks.push_back(block); });
      of.blocks = static_cast<u32>(blocks.size()) - of.first_block;
      if (!of.is_scalar()) parents.push_back(node);
      node = of.next;
    }
  };
  lay_region(0, static_cast<u32>(nodes.size()));
  root_blocks = static_cast<u32>(blocks.size());
  for (size_t k = 0; k < parents.size(); ++k) {
    const u32 parent = parents[k];
    lay_region(parent + 1, nodes[parent].next);
    nodes[parent].parts_end = static_cast<u32>(blocks.size());
  }
}

void CellCursor::reset() {
  starts_.clear();
  offset_ = 0;
  u32 cell = 0;
  for (u32 block = 0; block < shape_->root_blocks; ++block) {
    starts_.push_back(cell);
    cell += shape_->blocks[block].cells;
  }
}

CellCursor::Region CellCursor::enter_elements(u32 node) {
  const Region outer = here();
  const ShapeNode& array = shape_->nodes[node];
  const u32 parts = shape_->nodes[node + 1].first_block;
  u32 own = array.code == kListCode ? 1 : 0;  // behind the length
  for (u32 part = parts; part < array.parts_end; ++part) {
    const u32 start = cell(node, own++);
    starts_.push_back(start);
  }
  enter(outer, parts);
  return outer;
}

CellCursor::Region CellCursor::enter_alternative(u32 node, u32 alternative) {
  const Region outer = here();
  const ShapeNode& sum = shape_->nodes[node];
  std::array<u32, kScalarCount> next{};  // the first free cell of each scalar type
  for (u32 own = 1; own < sum.blocks; ++own)
    next[static_cast<u8>(shape_->blocks[sum.first_block + own].scalar)] = cell(node, own);
  const Constructor& of = shape_->constructors[sum.first_constructor + alternative];
  const std::span<const ShapeField> fields = shape_->fields_of(of);
  const u32 parts = shape_->nodes[fields.front().node].first_block;
  const u32 behind = shape_->nodes[fields.back().node].next;
  const u32 parts_end = behind == sum.next ? sum.parts_end : shape_->nodes[behind].first_block;
  for (u32 part = parts; part < parts_end; ++part) {
    const LayoutBlock block = shape_->blocks[part];
    u32& cell_of_scalar = next[static_cast<u8>(block.scalar)];
    starts_.push_back(cell_of_scalar);
    cell_of_scalar += block.cells;
  }
  enter(outer, parts);
  return outer;
}

void CellCursor::next_element(u32 node) {
  const u32 parts = shape_->nodes[node + 1].first_block;
  for (u32 part = parts; part < shape_->nodes[node].parts_end; ++part)
    starts_[offset_ + part] += shape_->blocks[part].cells;
}

void CellCursor::leave(Region region) {
  starts_.resize(region.starts);
  offset_ = region.offset;
}

}  // namespace komuz::engine
