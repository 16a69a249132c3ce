// SPDX-License-Identifier: Apache-2.0
// What the compact columns still hold of the program before. The candidates of a batch mostly have one signature, and
// the head of a function with some parameters has as many nodes as a short body. Where a text begins with the bytes
// of such a head, the columns of the head's tokens and nodes are right already, and the passes that go over all
// tokens or nodes begin behind it.
//
//   pub fn f(x: f64, y: f64) -> f64 {   x * y + 1.0 }
//   └──────────── kept ────────────┘    └── new ──┘
//
// Why they are right: the `{` of the body is a token by itself, so bytes behind it change no token before it. It
// opens a bracket level, so all nodes behind it have larger keys until it is closed: the head's nodes but for a few
// have found their places in the tree. Those few, which are `open`, are visited again, as new nodes are. The others
// hold names that bind and types, which no pass looks at together with what is in the body.
//
// Lists of few elements (items, bindings) are gone through from their start, as in every program.
#pragma once
#include "lang/code.h"

namespace komuz::frontend {

// The header of the function (code/headers.h), if its parameters and its result are scalars: all but its code and what
// stands behind the parameters.
struct KeptHeader {
  static constexpr u32 kMostNames = 128, kMostParameters = 16;

  u32 names = 0, parameters = 0;  // bytes of the names; none: it is not kept
  Function function;
  char name_bytes[kMostNames] = {};
  u8 types[kMostParameters + 3] = {};  // of the parameters as a tuple, and of the result
  NameRange parameter_names[kMostParameters] = {};
};

struct KeptHead {
  static constexpr u32 kMostOpen = 8;

  u32 bytes = 0;  // of the text, the `{` included; 0: nothing is kept
  u32 tokens = 0, nodes = 0, brackets = 0, binds = 0;
  u32 ranks = 0;  // nodes that are in their places, which are the first in post-order
  u32 open = 0;   // the other nodes
  u32 open_nodes[kMostOpen] = {};
  u64 hash_low = 0, hash_high = 0;  // of its tokens (lex.h)
  const KeptHeader* header = nullptr;
};
inline constexpr KeptHead kNoHead{};

}  // namespace komuz::frontend
