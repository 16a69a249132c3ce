// SPDX-License-Identifier: Apache-2.0
// Lengths to offsets by a scan over post-order, then every node writes its own instructions.
#pragma once
#include "frontend_gpu/emit_node.h"
#include "lang/code.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// Code goes to three regions: functions and tests; the arguments of `traps`, each an entry of its own behind them; the
// initialisers of constants, which are evaluated and dropped.
enum class Region : u8 { Functions, Traps, Constants };

// The `traps` call whose argument a node is in; kNone if none.
HD Index traps_around(const Columns& c, Index i) {
  if (c.traps == 0) return kNone;
  for (Index o = c.owner[i]; o != kNone; o = c.owner[o])
    if (node_kind(c, o) == Node::Call) return o;
  return kNone;
}
HD Region region_of(const Columns& c, Index i) {
  if (c.item_kind[c.item[i]] == ItemKind::Constant) return Region::Constants;
  return traps_around(c, i) == kNone ? Region::Functions : Region::Traps;
}

struct CountSink {
  u32 code = 0, constants = 0;
  HD void op(Op, Scalar, u32 = 0, u32 = 0) { ++code; }
  HD void constant(Scalar, u64) { ++code, ++constants; }
  HD void constant_of(Scalar, Index, u32) { ++code; }
  HD void branch(Index) { ++code; }
  HD void loop(Index) { ++code; }
  HD void end_loop(Index) { ++code; }
  HD void second_arm(Index, u32) { ++code; }
  HD void short_circuit(Op, Index) { ++code; }
};

struct CodeCounts {
  u32 functions = 0, traps = 0, initialisers = 0, constants = 0;
};
HD CodeCounts combine(CodeCounts a, CodeCounts b) {
  return {a.functions + b.functions, a.traps + b.traps, a.initialisers + b.initialisers,
          a.constants + b.constants};
}

// A constant item's value: cells in the pool, at the `=` of the item.
HD u32 constant_item_cells(const Columns& c, Index i) {
  const bool is_value = node_kind(c, i) == Node::Assign && node_context(c, i) == Context::ConstBody;
  return is_value ? type_cells(c, annotated_type(c, c.item_name[c.item[i]])) : 0;
}

// Kinds that make no code wherever they stand, and those that make just one instruction and no constant, the test behind
// the left side of `&&` apart; the others are asked.
enum class OwnCode : u8 { None, One, Asked };
HD constexpr OwnCode own_code_of(Node kind) {
  switch (node_row(kind).node_class) {
    case NodeClass::Arithmetic:
    case NodeClass::Shift:
    case NodeClass::Compare: return OwnCode::One;
    case NodeClass::Lazy: return OwnCode::None;
    case NodeClass::Unary:
    case NodeClass::Update: return OwnCode::Asked;
    case NodeClass::Other: break;
  }
  switch (kind) {
    case Node::ItemEnd:
    case Node::Pub:
    case Node::Semi:
    case Node::Let:
    case Node::Var:
    case Node::Const:
    case Node::Colon:
    case Node::Else:
    case Node::Fn:
    case Node::Test:
    case Node::Rec:
    case Node::Arrow:
    case Node::Range:
    case Node::RangeInclusive:
    case Node::String:
    case Node::Paren:
    case Node::Block: return OwnCode::None;
    default: return OwnCode::Asked;
  }
}
HD_TABLE OwnCode kOwnCode[kNodeCount] = {
#define NODE(Name, spelling, level, side, cls, op, children) own_code_of(Node::Name),
#include "lang/nodes.def"
};

template <class G>
HD CodeCounts place_code(G& g, Columns& c) {
  return g.scan(
      c.nodes, CodeCounts{},
      [&](u32 r) {
        const Index i = c.order[r];
        CountSink sink;
        const OwnCode own = kOwnCode[c.kind[i]];
        // Operands that leave, and tuples.
        const bool unusual =
            own == OwnCode::One && (c.type[i] == kTypeNever || c.type[c.left[i]] >= kTypeNever);
        if (own == OwnCode::Asked || unusual)
          EmitNode<CountSink>{c, sink}(i);
        else
          sink.code = static_cast<u32>(own == OwnCode::One) + c.lazy_left[i];
        if (sink.code == 0 && node_kind(c, i) != Node::Assign) return CodeCounts{};
        switch (region_of(c, i)) {
          case Region::Functions: return CodeCounts{sink.code, 0, 0, sink.constants};
          case Region::Traps: return CodeCounts{0, sink.code, 0, sink.constants};
          case Region::Constants: return CodeCounts{0, 0, sink.code, constant_item_cells(c, i)};
        }
        return CodeCounts{};
      },
      [&](u32 r, const CodeCounts& before, const CodeCounts& own) {
        const Index i = c.order[r];
        c.own_code[i] = static_cast<u16>(own.functions + own.traps + own.initialisers);
        // Nodes without code are targets too, where what they hold ends.
        const bool in_traps = own.traps != 0 || (c.traps != 0 && c.own_code[i] == 0 &&
                                                 region_of(c, i) == Region::Traps);
        c.offset[i] = in_traps                ? before.traps
                      : own.initialisers != 0 ? before.initialisers
                                              : before.functions;
        c.constant_at[i] = before.constants;
        if (node_kind(c, i) == Node::Assign && node_context(c, i) == Context::ConstBody)
          c.item_constant[c.item[i]] = before.constants;
      });
}

// `while c limit N`: N is evaluated before the loop, but stands behind c. Swaps the two stretches of code.
template <class G>
HD void move_limits(G& g, Columns& c) {
  for (u32 b = 0; b < c.binds; ++b) {
    if (c.bind_kind[b] != BindKind::Limit) continue;
    const Index limit = c.bind_node[b], condition = c.left[limit], bound = c.right[limit];
    const Index loop_start = c.begin[limit] - 2;  // LoopStart, While, condition …
    u32 first = c.own_code[loop_start], second = c.own_code[limit];
    for (Index n = c.begin[condition]; n < c.end[condition]; ++n) first += c.own_code[n];
    for (Index n = c.begin[bound]; n < c.end[bound]; ++n) second += c.own_code[n];
    g.for_each(c.end[condition] - c.begin[condition] + 1, [&](u32 k) {
      c.offset[k == 0 ? loop_start : c.begin[condition] + k - 1] += second;
    });
    g.for_each(c.end[bound] - c.begin[bound] + 1,
               [&](u32 k) { c.offset[k == 0 ? limit : c.begin[bound] + k - 1] -= first; });
  }
}

// Where functions and entries start in their regions: each ends where its last node does.
template <class G>
HD void find_entries(G& g, Columns& c) {
  g.once([&] {
    u32 at = 0;
    for (Index item = 0; item < c.items; ++item) {
      c.item_code[item] = at;
      const bool has_code =
          c.item_kind[item] == ItemKind::Function || c.item_kind[item] == ItemKind::Test;
      if (has_code) at = code_end(c, c.item_body[item]);
    }
    at = 0;
    for (u32 k = 0; k < c.traps; ++k) {
      c.traps_code[k] = at;
      at = code_end(c, c.right[c.right[c.traps_node[k]]]);
    }
  });
}

// Writes the instructions of one node.
struct WriteSink {
  const Columns& c;
  Instruction* instructions;
  u32* places;
  u64* constants;
  u32 functions_code;  // where the region Traps starts
  Index node = 0;
  u32 at = 0, constant_number = 0;

  HD void begin(Index i) {
    node = i;
    at = c.offset[i] + (traps_around(c, i) != kNone ? functions_code : 0);
    constant_number = c.constant_at[i];
  }
  HD void put(Op op, Scalar type, u32 a, u32 b) {
    instructions[at] = {op, type, static_cast<u16>(a), b};
    places[at++] = c.token_start[c.token[node]];
  }
  HD void op(Op op, Scalar type, u32 a = 0, u32 b = 0) { put(op, type, a, b); }
  HD void constant(Scalar type, u64 cell) {
    constants[constant_number] = cell;
    put(Op::LoadConst, type, 0, constant_number++);
  }
  HD void constant_of(Scalar type, Index item, u32 number) {
    put(Op::LoadConst, type, 0, c.item_constant[item] + number);
  }
  HD void branch(Index i) {
    const Index body = c.end[i];
    put(Op::JumpIfFalse, Scalar::None, node_context(c, body) == Context::ElseBody,
        target(code_end(c, body)));
  }
  HD void loop(Index body) { put(Op::Loop, Scalar::None, 0, target(c.offset[body])); }
  HD void end_loop(Index body) {
    const Index head = c.left[body];
    put(Op::End, Scalar::None, 0,
        target(c.offset[node_kind(c, head) == Node::While ? head - 1 : head]));
  }
  HD void second_arm(Index otherwise, u32 cells) {
    put(Op::Jump, Scalar::None, cells, target(code_end(c, otherwise)));
  }
  // Where the parent's value is complete: before the test of its own that follows when it is a left operand too.
  HD void short_circuit(Op op, Index parent) {
    put(op, Scalar::None, 0, target(code_end(c, parent) - c.lazy_left[parent]));
  }

 private:
  // An instruction number in the region, from the start of its function on.
  [[nodiscard]] HD u32 target(u32 in_region) const {
    const Index call = traps_around(c, node);
    if (call == kNone) return in_region - c.item_code[c.item[node]];
    u32 k = 0;
    while (c.traps_node[k] != call) ++k;
    return in_region - c.traps_code[k];
  }
};

template <class G>
HD void write_code(G& g, Columns& c, const WriteSink& prototype) {
  g.for_each(c.nodes, [&](u32 i) {
    if (c.own_code[i] == 0 || c.item_kind[c.item[i]] == ItemKind::Constant) return;
    WriteSink sink = prototype;
    sink.begin(i);
    EmitNode<WriteSink>{c, sink}(i);
  });
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
