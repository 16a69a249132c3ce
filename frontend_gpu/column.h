// SPDX-License-Identifier: Apache-2.0
// What a column is to a pass: a pointer, or in the emulated builds, whose sources define KOMUZ_CHECKED_PASSES, one that
// the race detector watches; of elements as they are, or, where the sources define KOMUZ_NARROW_PASSES, of narrow ones.
// The passes stand in an inline namespace of their build, so that no two of them ever mix.
#pragma once
#include "frontend_gpu/narrow.h"
#ifdef KOMUZ_CHECKED_PASSES
#include "base/group/checked_pointer.h"
#endif

#if defined(KOMUZ_CHECKED_PASSES) && defined(KOMUZ_NARROW_PASSES)
#define KOMUZ_PASSES narrow_checked
#elif defined(KOMUZ_CHECKED_PASSES)
#define KOMUZ_PASSES checked
#elif defined(KOMUZ_NARROW_PASSES)
#define KOMUZ_PASSES narrow
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

#ifdef KOMUZ_NARROW_PASSES
namespace storage = narrow_storage;
#else
namespace storage = wide_storage;
#endif

}  // namespace komuz::frontend::inline KOMUZ_PASSES
