// SPDX-License-Identifier: Apache-2.0
// The memory of one program's columns on the host. It is reserved in two stages: for what the length of the source
// bounds, then for what the number of tokens bounds. Once it has seen its largest program, it allocates nothing.
#pragma once
#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/group/arena.h"
#include "base/group/column_extent.h"
#include "frontend_gpu/columns/columns.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// Hands out columns one behind the other, and lists them on request.
class ColumnLayout {
 public:
  ColumnLayout(u8* memory, std::vector<ColumnExtent>* extents) : next_(memory), extents_(extents) {}
  // `n` is a multiple of 64, so every column starts on a cache line.
  template <class T>
  void take(T*& column, size_t n, const char* name) {
    column = reinterpret_cast<T*>(next_);
    if (extents_ != nullptr) extents_->push_back({name, next_, n, sizeof(T)});
    next_ += n * sizeof(T);
  }

 private:
  u8* next_;
  std::vector<ColumnExtent>* extents_;
};

class ColumnMemory {
 public:
  // Fills the columns with 0xCD first and lists them, so that a pass that reads unwritten cells is found.
  bool poison = false;
  std::vector<ColumnExtent> extents;

  // Copies the source and makes room for blocks and tokens.
  void begin(Columns& c, std::string_view source) {
    extents.clear();
    begin_text(c, source);
    const size_t blocks = whole(c.blocks + 2), tokens = whole(c.bytes + 80);
    const ListSizes sizes{.blocks = blocks, .tokens = tokens, .flags = whole(kFlags)};
    ColumnLayout at = lay_out(token_memory_, bytes_of(sizes));
    place_columns(c, sizes, at);
    c.token_start += 2;  // room for the sentinels
    c.token_length += 2;
    c.token_kind += 2;
    clear_flags(c);
  }
  // Copies only the source, for columns that have their room.
  void begin_text(ColumnCounts& c, std::string_view source) {
    c.bytes = static_cast<u32>(source.size());
    c.blocks = (c.bytes + 63) / 64;
    const size_t blocks = whole(c.blocks + 2), text_bytes = Columns::kPadding * 2 + blocks * 64;
    ColumnLayout at = lay_out(text_memory_, text_bytes + blocks * sizeof(ByteMasks));
    u8* text = nullptr;
    at.take(text, text_bytes, "source");
    at.take(c.masks, blocks, "masks");
    std::memset(text, ' ', Columns::kPadding);
    text[Columns::kPadding - 1] = '\n';
    u8* const copy = text + Columns::kPadding;
    std::memmove(copy, source.data(), source.size());  // the source may already lie there
    std::memset(copy + source.size(), ' ', Columns::kPadding + (c.blocks + 1) * 64 - source.size());
    copy[source.size()] = '\n';
    c.source = copy;
  }

  // Makes room for everything that the number of tokens bounds.
  void reserve_nodes(Columns& c) {
    const size_t n = whole(c.tokens + 24);
    const ListSizes sizes{
        .nodes = 3 * n + 64, .rare = 3 * n, .brackets = n, .names = n, .heads = 4 * n, .items = n};
    ColumnLayout at = lay_out(node_memory_, bytes_of(sizes));
    place_columns(c, sizes, at);
    reserve_code(c, 2 * n + kMaxOwnCode);
  }
  // Makes room for `n` instructions and constants, or for as many as ever before.
  void reserve_code(Columns& c, size_t n) {
    code_room_ = std::max(code_room_, whole(n));
    const ListSizes sizes{.code = 2 * code_room_, .room = code_room_};
    ColumnLayout at = lay_out(code_memory_, bytes_of(sizes));
    place_columns(c, sizes, at);
    c.code_room = c.traps_begin = static_cast<u32>(code_room_);
  }

 private:
  // Cells of the columns of each list; 0: not in this stage.
  struct ListSizes {
    size_t blocks = 0, tokens = 0, flags = 0, nodes = 0, rare = 0, brackets = 0, names = 0,
           heads = 0, items = 0, code = 0, room = 0;
  };
  static constexpr size_t whole(size_t n) { return (n + 63) & ~size_t{63}; }
  static size_t bytes_of(const ListSizes& sizes) {
    size_t bytes = 0;
#define COLUMN(list, Type, name) bytes += sizes.list * sizeof(ColumnTypes::Type);
#include "frontend_gpu/columns/columns.def"
    return bytes;
  }
  static void place_columns(Columns& c, const ListSizes& sizes, ColumnLayout& at) {
#define COLUMN(list, Type, name) \
  if (sizes.list != 0) at.take(c.name, sizes.list, #name);
#include "frontend_gpu/columns/columns.def"
  }
  ColumnLayout lay_out(Arena& arena, size_t bytes) {
    u8* const memory = arena.reserve(bytes);
    if (poison) std::memset(memory, 0xCD, bytes);
    return ColumnLayout(memory, poison ? &extents : nullptr);
  }

  size_t code_room_ = 0;
  Arena text_memory_, token_memory_, node_memory_, code_memory_;
};

}  // namespace komuz::frontend::inline KOMUZ_PASSES
