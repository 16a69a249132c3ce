// SPDX-License-Identifier: Apache-2.0
// Emits a node's instructions to a sink of any kind.
#pragma once
#include "frontend_gpu/code/emit_node.h"
#include "frontend_gpu/code/type_erased_sink.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// On one lane, the sink that writes code has an emitter of its own, which is faster. Counting, filling in places
// and evaluating are cold, and share an emitter for all sinks. Groups of many lanes use the shared one for
// everything.
template <class G, class Sink>
HD void emit_node(Columns& c, Sink& sink, Index i) {
  if constexpr (G::kSerial && Sink::kKind == SinkKind::Write) {
    EmitNode<Sink>{c, sink}(i);
  } else {
    AnySink any(sink);
    EmitNode<AnySink>{c, any}(i);
  }
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
