// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/device/unpack.h"

#include <algorithm>
#include <cstring>

#include "frontend_gpu/device/device_check.h"
#include "frontend_gpu/findings/collect.h"
#include "frontend_gpu/findings/habits/refine_ends.h"

namespace komuz::frontend {

namespace {

std::optional<HostReason> reason_of(DeviceEnd end) {
  switch (end) {
    case DeviceEnd::Done: return std::nullopt;
    case DeviceEnd::Waiting: return HostReason::NoMemory;
    case DeviceEnd::TooManyNodes: return HostReason::TooManyNodes;
    case DeviceEnd::TooManyFunctions: return HostReason::TooManyFunctions;
    case DeviceEnd::TooMuchCode: return HostReason::TooMuchCode;
    case DeviceEnd::NoOutput: return HostReason::NoOutput;
  }
  return HostReason::NoMemory;
}

template <class T>
void take(std::vector<T>& to, const u8* from, size_t cells) {
  to.resize(cells);
  if (cells != 0) std::memcpy(to.data(), from, cells * sizeof(T));
}

void take_code(const DeviceResult& r, const u8* bytes, Code& code) {
  const CodeParts parts = code_parts(r);
  take(code.functions, bytes + parts.functions, r.functions);
  take(code.constants, bytes + parts.constants, r.constants);
  take(code.instructions, bytes + parts.instructions, r.instructions);
  take(code.places, bytes + parts.places, r.instructions);
  take(code.parameter_names, bytes + parts.parameter_names, r.parameters);
  take(code.types, bytes + parts.types, r.types);
  take(code.slot_types, bytes + parts.slot_types, r.slots);
  code.names.assign(reinterpret_cast<const char*>(bytes + parts.names), r.names);
}

}  // namespace

const Columns& Unpacker::widened(const DeviceResult& r, const u8* messages,
                                 std::string_view source) {
  Columns& c = columns_;
  memory_.begin(c, source);
  c.tokens = r.tokens;
  c.nodes = r.nodes;
  c.brackets = r.brackets;
  c.items = r.items;
  memory_.reserve_nodes(c);
  const MessageCells cells = message_cells(r);
#define MESSAGE_COLUMN(list, Type, name)                                            \
  {                                                                                 \
    const auto* const from = reinterpret_cast<const MessageTypes::Type*>(messages); \
    std::copy(from, from + cells.list, c.name);                                     \
    messages += u64{cells.list} * sizeof(MessageTypes::Type);                       \
  }
#include "frontend_gpu/columns/message_columns.def"
  c.ref = nullptr;  // references of names are not handed back
  return c;
}

std::optional<HostReason> Unpacker::unpack(const DeviceResult& r, const u8* output,
                                           std::string_view source, std::span<const u32> heads,
                                           Compilation& out) {
  out.clear();
  if (const auto reason = reason_of(r.end)) return reason;
  out.identity = {r.hash_low, r.hash_high ^ r.tokens};
  if (r.tokens == 0) {
    out.diagnostics.push_back(make_diagnostic(DiagnosticCode::EmptyProgram));
    return std::nullopt;
  }
  out.ok = r.has_code != 0;
  if (out.ok) {
    take_code(r, output + r.code_at, out.code);
    out.ok = linkage_.link(options_, heads, source, out);
  }
  if (out.ok) {
    const bool is_checked = r.is_checked != 0 && !linkage_.is_linked();
    if (!is_checked && checker_.check(out.code.view(), out.code.functions, kNoStackLimit)) {
      out.diagnostics.push_back(make_diagnostic(DiagnosticCode::InternalRefused));
      out.ok = false;
    }
    for (const Function& f : out.code.functions)
      if (!is_side_entry(f.kind) && f.stack_bytes > options_.stack_limit)
        return HostReason::StackLimit;
  }
  if (r.has_messages != 0) {
    const Columns& c = widened(r, output + r.messages_at, source);
    if (may_refine_ends(c)) return HostReason::Names;
    collect_diagnostics(c, ErrorLimits{}, out.diagnostics);
  }
  if (!out.ok) out.code.clear();
  return std::nullopt;
}

}  // namespace komuz::frontend
