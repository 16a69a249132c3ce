// SPDX-License-Identifier: Apache-2.0
// The memory of one program's columns on the host. Two stages: what the length of the source bounds, and what the
// number of tokens bounds. Nothing is allocated once it has seen its largest program.
#pragma once
#include <cstring>
#include <string_view>
#include <vector>

#include "base/group/arena.h"
#include "base/group/column_extent.h"
#include "frontend_gpu/columns.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// A bump allocator for columns. It lists them where it is asked to.
class ColumnLayout {
 public:
  explicit ColumnLayout(u8* memory, std::vector<ColumnExtent>* extents = nullptr)
      : memory_(memory), extents_(extents) {}
  template <class T>
  void take(T*& column, size_t n, const char* name) {
    column = reinterpret_cast<T*>(memory_ + used_);
    if (extents_ != nullptr) extents_->push_back({name, memory_ + used_, n, sizeof(T)});
    used_ += (n * sizeof(T) + 63) & ~size_t{63};
  }
  [[nodiscard]] size_t used() const { return used_; }

 private:
  u8* memory_;
  std::vector<ColumnExtent>* extents_;
  size_t used_ = 0;
};

class ColumnMemory {
 public:
  // Fills the columns with 0xCD first, so that a pass that reads what none has written is seen, and lists them.
  bool poison = false;
  std::vector<ColumnExtent> extents;

  // Copies the source and makes room for blocks and tokens.
  void begin(Columns& c, std::string_view source) {
    c.bytes = static_cast<u32>(source.size());
    c.blocks = (c.bytes + 63) / 64;
    u8* text = nullptr;
    extents.clear();
    const auto place = [&](ColumnLayout& at) {
      const size_t blocks = c.blocks + 1, tokens = c.bytes + 16;
      at.take(text, Columns::kPadding * 2 + blocks * 64, "source");
      at.take(c.masks, blocks, "masks");
      place_columns(c, {.blocks = blocks + 1, .tokens = tokens, .flags = kFlags}, at);
    };
    lay_out(text_memory_, place);
    std::memset(text, ' ', Columns::kPadding);
    text[Columns::kPadding - 1] = '\n';
    u8* const copy = text + Columns::kPadding;
    std::memcpy(copy, source.data(), source.size());
    std::memset(copy + source.size(), ' ', Columns::kPadding + (c.blocks + 1) * 64 - source.size());
    copy[source.size()] = '\n';
    c.source = copy;
    c.token_start += 2;  // for the sentinels
    c.token_length += 2;
    c.token_kind += 2;
    c.flags[kFailed] = c.flags[kNoted] = 0;
  }

  // Makes room for everything that the number of tokens bounds.
  void reserve_nodes(Columns& c) {
    const size_t n = c.tokens + 8;
    const ListSizes sizes{
        .nodes = 3 * n, .rare = 3 * n, .brackets = n, .names = n, .heads = 4 * n + 64, .items = n};
    const auto place = [&](ColumnLayout& at) { place_columns(c, sizes, at); };
    lay_out(node_memory_, place);
  }

 private:
  // Cells of the columns of each list; 0: not in this stage.
  struct ListSizes {
    size_t blocks = 0, tokens = 0, flags = 0, nodes = 0, rare = 0, brackets = 0, names = 0,
           heads = 0, items = 0;
  };
  static void place_columns(Columns& c, const ListSizes& sizes, ColumnLayout& at) {
#define COLUMN(list, Type, name) \
  if (sizes.list != 0) at.take(c.name, sizes.list, #name);
#include "frontend_gpu/columns.def"
  }
  // Once to measure, once to place.
  template <class Place>
  void lay_out(Arena& arena, const Place& place) {
    ColumnLayout measure(nullptr);
    place(measure);
    u8* const memory = arena.reserve(measure.used());
    if (poison) std::memset(memory, 0xCD, measure.used());
    ColumnLayout columns(memory, poison ? &extents : nullptr);
    place(columns);
  }

  Arena text_memory_, node_memory_;
};

}  // namespace komuz::frontend::inline KOMUZ_PASSES
