// SPDX-License-Identifier: Apache-2.0
// Where the columns of one program lie while a group of a device compiles it. `near` is the memory of the
// multiprocessor, `far` that of the device:
//
//   near   source, flags, tokens ─▶ nodes, brackets, names, items, scratch ─▶       ◀─ masks and bits of blocks
//   far    what few nodes have: messages and values of literals; all of the above where near is too small
//
// Blocks are no longer needed when nodes are placed, so nodes may overwrite them. Every lane computes the same
// layout.
#pragma once
#include "base/group/column_extent.h"
#include "base/group/coop.h"
#include "frontend_gpu/columns/columns.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

using DeviceScratch = ScratchOf<Column, std::conditional_t<sizeof(storage::Index) == 2, u16, u32>>;

struct GroupMemory {
  u8* near = nullptr;
  u64 near_bytes = 0;
  u8* far = nullptr;
  u64 far_bytes = 0;
};

// Memory that is given away from both ends. It knows when there is too little.
class Room {
 public:
  HD Room(u8* at, u64 bytes) : at_(at), left_(bytes & ~u64{7}) {}

  [[nodiscard]] HD bool fits() const { return fits_; }
  template <class T>
  HD T* take(u64 cells) {
    u8* const memory = at_;
    if (!count(cells, sizeof(T))) return nullptr;
    at_ += rounded(cells * sizeof(T));
    return reinterpret_cast<T*>(memory);
  }
  template <class T>
  HD T* take_top(u64 cells) {
    return count(cells, sizeof(T)) ? reinterpret_cast<T*>(at_ + left_) : nullptr;
  }
  // Gives back what was taken from the top.
  HD void return_top(u64 bytes) { left_ += rounded(bytes); }

 private:
  HD static u64 rounded(u64 bytes) { return (bytes + 7) & ~u64{7}; }
  HD bool count(u64 cells, u64 size) {
    const u64 bytes = rounded(cells * size);
    fits_ = fits_ && bytes <= left_;
    if (fits_) left_ -= bytes;
    return fits_;
  }

  u8* at_;
  u64 left_;
  bool fits_ = true;
};

// The number of cells of each list.
struct ListSizes {
  u32 blocks = 0, tokens = 0, flags = 0, nodes = 0, rare = 0, brackets = 0, names = 0, heads = 0,
      items = 0, code = 0, room = 0;
};

// Places the columns of the lists that have a size, and tells the group about them.
template <class G>
HD void place_columns(G& g, Columns& c, const ListSizes& sizes, Room& room) {
#define COLUMN(list, Type, name)                                            \
  if (sizes.list != 0) {                                                    \
    auto* const cells = room.take<ColumnTypes::Type>(sizes.list);           \
    c.name = Column<ColumnTypes::Type>(cells);                              \
    if (room.fits())                                                        \
      g.note_column({#name, reinterpret_cast<const u8*>(cells), sizes.list, \
                     static_cast<u32>(sizeof(ColumnTypes::Type))});         \
  }
#include "frontend_gpu/columns/columns.def"
}

// Memory for the source with its blanks, as u8.
HD u64 padded_bytes(u32 blocks) { return 2 * Columns::kPadding + 64 * (u64{blocks} + 1); }

// The most bytes that columns of lists of these sizes take, for code that reserves memory.
inline u64 bytes_of_lists(const ListSizes& sizes) {
  u64 bytes = 0;
#define COLUMN(list, Type, name) \
  bytes += (u64{sizes.list} * sizeof(ColumnTypes::Type) + 7) & ~u64{7};
#include "frontend_gpu/columns/columns.def"
  return bytes;
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
