// SPDX-License-Identifier: Apache-2.0
// What the head of a text says to tools: lines `//! key: value` above its first item, as `//! cases: data.csv`. They
// are comments to the language. The keys are those of head_keys.def; what is no key and no near miss of one is prose,
// and means nothing.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/results/results.h"

namespace komuz::services {

enum class HeadKey : u8 {
#define HEAD_KEY(Name, key, value, what) Name,
#include "services/editor/head_keys.def"
};

struct HeadLine {
  HeadKey key = HeadKey::Cases;
  std::string value;
  u32 begin = 0, end = 0;              // bytes of the line, without its end
  u32 value_begin = 0, value_end = 0;  // … and of the value
};
// What is wrong with a line of the head. The lines that it is not about count nevertheless.
struct HeadFinding {
  u32 begin = 0, end = 0;  // bytes of the text
  std::string message;
};

struct HeadLines {
  std::vector<HeadLine> lines;  // in the order of the text, one a key
  std::vector<HeadFinding> findings;
  // What the lines say; without them what komuz eval would take.
  engine::ScoreKind score = engine::ScoreKind::Exact;
  u32 top = 10;

  // Null: the head has no such line.
  [[nodiscard]] const HeadLine* find(HeadKey key) const;
};
inline constexpr u32 kMostTop = 1000;

[[nodiscard]] HeadLines read_head(std::string_view text);
// Does it have a line of this kind? Looks at the head alone, and takes no longer than that.
[[nodiscard]] bool says(std::string_view text, HeadKey key);

}  // namespace komuz::services
