// SPDX-License-Identifier: Apache-2.0
#include "lsp/answers/params.h"

#include <algorithm>
#include <limits>

namespace komuz::lsp {
namespace {

Refusal wrong(std::string words) { return {ErrorCode::InvalidParams, std::move(words)}; }

// What is more than any text has is the end.
std::optional<u32> read_number(const Json& value) {
  constexpr u32 kMost = std::numeric_limits<u32>::max();
  if (value.is_number_unsigned()) return static_cast<u32>(std::min<u64>(value.get<u64>(), kMost));
  if (value.is_number_integer()) return 0;  // before the first
  return std::nullopt;
}

}  // namespace

Refusal cancelled() { return {ErrorCode::RequestCancelled, "the request was cancelled"}; }

std::optional<Position> read_position(const Json& value) {
  const auto line = read_number(member(value, "line"));
  const auto character = read_number(member(value, "character"));
  if (!line || !character) return std::nullopt;
  return Position{*line, *character};
}
std::optional<PositionRange> read_range(const Json& value) {
  const auto begin = read_position(member(value, "start"));
  const auto end = read_position(member(value, "end"));
  if (!begin || !end) return std::nullopt;
  return PositionRange{*begin, *end};
}

Read<DocumentRef> read_document(const Question& question) {
  const Json& uri = member(member(question.params, "textDocument"), "uri");
  if (!uri.is_string()) return {nullptr, wrong("`textDocument.uri` is missing, or no text")};
  const auto& name = uri.get_ref<const std::string&>();
  DocumentRef document = question.workspace.documents().find(name);
  if (document == nullptr) return {nullptr, wrong(name + " is not open")};
  return {std::move(document)};
}

Read<Spot> read_spot(const Question& question) {
  Read<DocumentRef> document = read_document(question);
  if (!document) return {{}, document.refusal};
  const auto position = read_position(member(question.params, "position"));
  if (!position) return {{}, wrong("`position` is `{line, character}`")};
  const u32 byte = document.value->byte_of(*position, question.client.encoding);
  return {{std::move(document.value), byte}};
}

Read<Stretched> read_stretch(const Question& question) {
  Read<DocumentRef> document = read_document(question);
  if (!document) return {{}, document.refusal};
  const auto range = read_range(member(question.params, "range"));
  if (!range) return {{}, wrong("`range` is `{start, end}`, each `{line, character}`")};
  const u32 begin = document.value->byte_of(range->begin, question.client.encoding);
  const u32 end = document.value->byte_of(range->end, question.client.encoding);
  return {{std::move(document.value), {std::min(begin, end), std::max(begin, end)}}};
}

}  // namespace komuz::lsp
