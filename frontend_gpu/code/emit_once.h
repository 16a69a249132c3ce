// SPDX-License-Identifier: Apache-2.0
// A node's instructions, to a sink of any kind.
#pragma once
#include "frontend_gpu/code/emit_node.h"
#include "frontend_gpu/code/type_erased_sink.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// On one lane, what writes code has code of its own, which is faster; what counts, places and evaluates is cold, and shares one with
// all kinds of sinks. So do groups of many lanes for all.
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
