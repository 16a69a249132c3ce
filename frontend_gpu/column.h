// SPDX-License-Identifier: Apache-2.0
// What a column is to a pass: a pointer, or in the emulated build, whose sources define KOMUZ_CHECKED_PASSES, one that the
// race detector watches. The passes stand in an inline namespace of their build, so that the two never mix.
#pragma once
#ifdef KOMUZ_CHECKED_PASSES
#include "base/group/checked_pointer.h"
#define KOMUZ_PASSES checked
#else
#include "base/ints.h"
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

}  // namespace komuz::frontend::inline KOMUZ_PASSES
