// SPDX-License-Identifier: Apache-2.0
// One sink that stands for any other. Code that emits to it exists once, and not once for each kind of sink. Groups
// of many lanes use it, because code for a device is large, and the time to compile it grows faster than its size.
#pragma once
#include "frontend_gpu/columns/columns.h"
#include "lang/code.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

enum class SinkKind : u8 { Stretch, Count, Write, Place, Evaluate };

class AnySink {
 public:
  template <class Sink>
  HD explicit AnySink(Sink& sink) : sink_(&sink), kind_(Sink::kKind) {}

// The functions of a sink; emit_node.h describes them.
#define SINK_OPERATION(name, parameters, arguments)      \
  HD_COLD void name parameters {                         \
    with_sink([&](auto& sink) { sink.name arguments; }); \
  }
#include "frontend_gpu/code/sink_operations.def"
  HD void op(Op op, Scalar type) { this->op(op, type, 0, 0); }
  HD void op(Op op, Scalar type, u32 a) { this->op(op, type, a, 0); }

 private:
  void* sink_;
  SinkKind kind_;

  template <class F>
  HD void with_sink(F f);
};

// Counts the instructions of a stretch that a node jumps over.
struct StretchSink {
  static constexpr SinkKind kKind = SinkKind::Stretch;
  u32 code = 0;

  HD void op(Op, Scalar, u32 = 0, u32 = 0) { ++code; }
  HD void constant(Scalar, u64) { ++code; }
  HD void text(Index, u32) { ++code; }
  HD void constants_of(Scalar, Index, u32, u32) { ++code; }
  HD void own_branch(u32) { ++code; }
  HD void own_jump(u32, u32) { ++code; }
  HD void own_loop(u32) { ++code; }
  HD void own_end(u32) { ++code; }
  HD void chain_loop(Index, u32) { ++code; }
  HD void chain_end(Index, u32) { ++code; }
  HD void branch(Index) { ++code; }
  HD void loop(Index) { ++code; }
  HD void end_loop(Index) { ++code; }
  HD void second_arm(Index, u32) { ++code; }
  HD void short_circuit(Op, Index) { ++code; }
  HD void skip_guard(Index) { ++code; }
  HD void jump_over(u32) { ++code; }
  HD void next_arm(Index) { ++code; }
  HD void end_arm(Index, u32) { ++code; }
  HD void hole(Scalar, Index, u32) { ++code; }
  HD void next_alternative(Index) { ++code; }
  HD void end_alternative(Index, u32) { ++code; }
};
// The sink that counts the instructions that would go to a sink of this kind.
template <class Sink>
struct Stretch {
  using Type = StretchSink;
  StretchSink counted;
  StretchSink& sink = counted;
};
template <>
struct Stretch<AnySink> {
  using Type = AnySink;
  StretchSink counted;
  AnySink sink{counted};
};

}  // namespace komuz::frontend::inline KOMUZ_PASSES
