// SPDX-License-Identifier: Apache-2.0
// A node's instructions, to a sink of any kind.
#pragma once
#include "frontend_gpu/code/emit_node.h"
#include "frontend_gpu/code/type_erased_sink.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// On one lane by code of its own for each kind of sink, which is faster; on many by code that all share.
template <class G, class Sink>
HD void emit_node(Columns& c, Sink& sink, Index i) {
  if constexpr (G::kSerial) {
    EmitNode<Sink>{c, sink}(i);
  } else {
    AnySink any(sink);
    EmitNode<AnySink>{c, any}(i);
  }
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
