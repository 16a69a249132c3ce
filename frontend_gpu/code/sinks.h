// SPDX-License-Identifier: Apache-2.0
// The calls that AnySink passes on, defined where all sinks are known.
#pragma once
#include "frontend_gpu/code/constants.h"
#include "frontend_gpu/code/emit.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

template <class F>
HD void AnySink::with_sink(F f) {
  switch (kind_) {
    case SinkKind::Stretch: return f(*static_cast<StretchSink*>(sink_));
    case SinkKind::Count: return f(*static_cast<CountSink*>(sink_));
    case SinkKind::Write: return f(*static_cast<WriteSink*>(sink_));
    case SinkKind::Place: return f(*static_cast<PlaceSink*>(sink_));
    case SinkKind::Evaluate: return f(*static_cast<EvaluateSink*>(sink_));
  }
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
