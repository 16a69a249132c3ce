// SPDX-License-Identifier: Apache-2.0
// Parameters of requests, each read or refused in words that name it.
#pragma once
#include <optional>

#include "lsp/answers/question.h"

namespace komuz::lsp {

// A value, or why there is none.
template <class Value>
struct Read {
  Value value{};
  std::optional<Refusal> refusal{};
  [[nodiscard]] explicit operator bool() const { return !refusal; }
};

// What a request gets that a stop came before.
[[nodiscard]] Refusal cancelled();

[[nodiscard]] std::optional<Position> read_position(const Json& value);
struct PositionRange {
  Position begin, end;
};
[[nodiscard]] std::optional<PositionRange> read_range(const Json& value);

// `textDocument`, which is open.
[[nodiscard]] Read<DocumentRef> read_document(const Question& question);
// … and `position` in it.
struct Spot {
  DocumentRef document;
  u32 byte = 0;
};
[[nodiscard]] Read<Spot> read_spot(const Question& question);
// … and `range` in it.
struct Stretched {
  DocumentRef document;
  ByteRange bytes;
};
[[nodiscard]] Read<Stretched> read_stretch(const Question& question);

}  // namespace komuz::lsp
