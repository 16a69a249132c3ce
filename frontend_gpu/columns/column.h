// SPDX-License-Identifier: Apache-2.0
// What a column is to a pass. Usually it is a pointer. In the emulated builds, whose sources define
// KOMUZ_CHECKED_PASSES, the race detector watches the pointer. If the sources define KOMUZ_NARROW_PASSES, elements
// are narrow. If they define KOMUZ_COMPACT_PASSES, columns are arrays inside of Columns, so that one register leads
// to all of them. The passes of each build stand in an inline namespace of their own, so that no two builds ever
// mix.
#pragma once
#include "frontend_gpu/columns/narrow.h"
#ifdef KOMUZ_CHECKED_PASSES
#include "base/group/checked_pointer.h"
#endif

#if defined(KOMUZ_CHECKED_PASSES) && defined(KOMUZ_NARROW_PASSES)
#define KOMUZ_PASSES narrow_checked
#elif defined(KOMUZ_CHECKED_PASSES)
#define KOMUZ_PASSES checked
#elif defined(KOMUZ_NARROW_PASSES)
#define KOMUZ_PASSES narrow
#elif defined(KOMUZ_COMPACT_PASSES)
#define KOMUZ_PASSES compact
#else
#define KOMUZ_PASSES plain
#endif

namespace komuz::frontend::inline KOMUZ_PASSES {

#ifdef KOMUZ_CHECKED_PASSES
template <class T>
using Column = CheckedPointer<T>;
#else
template <class T>
using Column = T*;
#endif

#ifdef KOMUZ_COMPACT_PASSES
// `before` cells stand before the first one.
template <class T, u32 cells, u32 before>
class Cells {
 public:
  template <class Index>
  HD T& operator[](Index i) {
    return cells_[at(i)];
  }
  template <class Index>
  HD const T& operator[](Index i) const {
    return cells_[at(i)];
  }
  HD operator T*() { return cells_ + before; }
  HD operator const T*() const { return cells_ + before; }

 private:
  template <class Index>
  HD static constexpr auto at(Index i) {
    if constexpr (before == 0)
      return i;
    else
      return static_cast<i64>(i) + before;
  }
  T cells_[cells];
};
#endif

#ifdef KOMUZ_NARROW_PASSES
namespace storage = narrow_storage;
#else
namespace storage = wide_storage;
#endif

}  // namespace komuz::frontend::inline KOMUZ_PASSES
