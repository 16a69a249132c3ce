// SPDX-License-Identifier: Apache-2.0
// What the router knows of a program (features.def). It is found in one pass over the code, without allocation, so that it
// takes less than compiling did.
#pragma once
#include <array>
#include <string_view>

#include "lang/code.h"

namespace komuz::neural {

enum class Feature : u8 {
#define FEATURE(Name, what) Name,
#include "neural/router/features.def"
};
inline constexpr std::string_view kFeatureNames[] = {
#define FEATURE(Name, what) #Name,
#include "neural/router/features.def"
};
inline constexpr u32 kFeatures = std::size(kFeatureNames);

// More than so many instructions are not looked at, and more than so many functions are not followed: a longer program
// is taken for its beginning, so that deciding takes a bounded time.
inline constexpr u32 kMostRoutedInstructions = 512;
inline constexpr u32 kMostRoutedFunctions = 64;

struct RouterFeatures {
  std::array<f32, kFeatures> values{};  // log(1 + count)
  [[nodiscard]] f32 operator[](Feature feature) const { return values[static_cast<u32>(feature)]; }
};

// Of a function of checked code, and of all that it calls.
[[nodiscard]] RouterFeatures features_of(const CodeView& code, u32 function);

}  // namespace komuz::neural
