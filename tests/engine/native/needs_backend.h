// SPDX-License-Identifier: Apache-2.0
// Tests of the native tier skip where there is no LLVM. Where there was one at build time, a backend that cannot be
// opened is a failure.
#pragma once
#include <gtest/gtest.h>

#include "backend/backend.h"

namespace komuz::engine::test {

inline bool has_backend() {
  const Result<const backend::Backend*> opened = backend::open_backend();
#if defined(KOMUZ_HAVE_LLVM)
  EXPECT_FALSE(opened.problem()) << opened.problem().text();
#endif
  return !opened.problem();
}
#define KOMUZ_NEEDS_NATIVE \
  if (!komuz::engine::test::has_backend()) GTEST_SKIP() << "built without LLVM"

}  // namespace komuz::engine::test
