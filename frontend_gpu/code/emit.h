// SPDX-License-Identifier: Apache-2.0
// Every node writes its own instructions, in post-order, at the place that the lengths of all nodes before it give.
// Instructions that need a place behind them get it in a second pass, which visits only these.
#pragma once
#include "frontend_gpu/code/emit_once.h"
#include "frontend_gpu/code/side_entries.h"
#include "lang/code.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// Code goes to three regions: functions and other items that run; behind them the arguments of `traps` and the
// ranges of properties, each an entry of its own; and the initialisers of constants, which are evaluated and
// dropped.
enum class Region : u8 { Functions, Traps, Constants };

// The `traps` call whose argument a node stands in, or the property whose head it stands in; kNone: it stands in
// neither.
HD Index traps_around(const Columns& c, Index i) {
  if (c.traps == 0) return kNone;
  if (const Index prop = prop_with_head(c, i); prop != kNone) return prop;
  for (Index o = c.owner[i]; o != kNone; o = c.owner[o])
    if (node_kind(c, o) == Node::Call) return o;
  return kNone;
}
// The number of such a node among all of them, which are listed in node order.
HD u32 traps_number(const Columns& c, Index call) {
  u32 low = 0, high = c.traps;
  while (high - low > 1) {
    const u32 middle = (low + high) / 2;
    (c.traps_node[middle] <= call ? low : high) = middle;
  }
  return low;
}
HD Region region_of(const Columns& c, Index i) {
  if (c.item_kind[c.item[i]] == ItemKind::Constant) return Region::Constants;
  return traps_around(c, i) == kNone ? Region::Functions : Region::Traps;
}

HD bool has_one_region(const Columns& c) { return c.traps == 0 && c.constant_items == 0; }

// Counts the instructions of a node.
struct CountSink {
  static constexpr SinkKind kKind = SinkKind::Count;
  u32 code = 0, constants = 0;
  bool needs_places = false;
  HD void op(Op, Scalar, u32 = 0, u32 = 0) { ++code; }
  HD void constant(Scalar, u64) { ++code, ++constants; }
  HD void text(Index, u32 count) { ++code, constants += count; }
  HD void constants_of(Scalar, Index, u32, u32) { ++code, needs_places = true; }
  HD void own_branch(u32) { ++code, needs_places = true; }
  HD void own_jump(u32, u32) { ++code, needs_places = true; }
  HD void own_loop(u32) { ++code, needs_places = true; }
  HD void own_end(u32) { ++code, needs_places = true; }
  HD void chain_loop(Index, u32) { ++code, needs_places = true; }
  HD void chain_end(Index, u32) { ++code, needs_places = true; }
  HD void branch(Index) { ++code, needs_places = true; }
  HD void loop(Index) { ++code, needs_places = true; }
  HD void end_loop(Index) { ++code, needs_places = true; }
  HD void second_arm(Index, u32) { ++code, needs_places = true; }
  HD void short_circuit(Op, Index) { ++code, needs_places = true; }
  HD void skip_guard(Index) { ++code, needs_places = true; }
  HD void jump_over(u32) { ++code, needs_places = true; }
  HD void next_arm(Index) { ++code, needs_places = true; }
  HD void end_arm(Index, u32) { ++code, needs_places = true; }
  HD void hole(Scalar, Index, u32) { ++code, ++constants; }
  HD void next_alternative(Index) { ++code, needs_places = true; }
  HD void end_alternative(Index, u32) { ++code, needs_places = true; }
};

// Writes the instructions of one node. Places elsewhere in the code are left open for PlaceSink.
struct WriteSink {
  static constexpr SinkKind kKind = SinkKind::Write;
  Columns& c;
  Index node;
  u32 at, constant_number;
  bool needs_places = false;

  HD void put(Op op, Scalar type, u32 a, u32 b) {
    c.instructions[at] = Instruction{op, type, static_cast<u16>(a), b};
    c.places[at++] = c.token_start[c.token[node]];
  }
  HD void put_open(Op op, Scalar type, u32 a) {
    put(op, type, a, 0);
    needs_places = true;
  }
  HD void op(Op op, Scalar type, u32 a = 0, u32 b = 0) { put(op, type, a, b); }
  HD void constant(Scalar type, u64 cell) {
    c.constants[constant_number] = cell;
    put(Op::LoadConst, type, 0, constant_number++);
  }
  HD void text(Index string, u32 count) {
    put(Op::LoadConsts, Scalar::U8, count, constant_number);
    (void)string_bytes(node_text(c, string), node_length(c, string),
                       [&](u8 byte) { c.constants[constant_number++] = byte; });
  }
  HD void constants_of(Scalar type, Index, u32, u32 count) {
    put_open(count == 1 ? Op::LoadConst : Op::LoadConsts, type, count == 1 ? 0 : count);
  }
  HD void own_branch(u32) { put_open(Op::JumpIfFalse, Scalar::None, 1); }
  HD void own_jump(u32 cells, u32) { put_open(Op::Jump, Scalar::None, cells); }
  HD void own_loop(u32) { put_open(Op::Loop, Scalar::None, 0); }
  HD void own_end(u32) { put_open(Op::End, Scalar::None, 0); }
  HD void chain_loop(Index, u32) { put_open(Op::Loop, Scalar::None, 0); }
  HD void chain_end(Index, u32) { put_open(Op::End, Scalar::None, 0); }
  HD void branch(Index i) {
    put_open(Op::JumpIfFalse, Scalar::None, node_context(c, c.end[i]) == Context::ElseBody);
  }
  HD void loop(Index) { put_open(Op::Loop, Scalar::None, 0); }
  HD void end_loop(Index) { put_open(Op::End, Scalar::None, 0); }
  HD void second_arm(Index, u32 cells) { put_open(Op::Jump, Scalar::None, cells); }
  HD void short_circuit(Op op, Index) { put_open(op, Scalar::None, 0); }
  HD void skip_guard(Index) { put_open(Op::JumpIfFalseOrPop, Scalar::None, 0); }
  HD void jump_over(u32) { put_open(Op::JumpIfFalse, Scalar::None, 0); }
  HD void next_arm(Index) { put_open(Op::JumpIfFalse, Scalar::None, 1); }
  HD void end_arm(Index, u32 cells) { put_open(Op::Jump, Scalar::None, cells); }
  // The code's position is that of the hole, wherever the hole is.
  HD void hole(Scalar type, Index hole, u32 alternative) {
    c.constants[constant_number] = 0;
    c.places[at] = c.token_start[c.token[hole]];
    c.instructions[at++] = {Op::LoadHole, type, static_cast<u16>(alternative), constant_number++};
  }
  HD void next_alternative(Index) { put_open(Op::JumpIfFalse, Scalar::None, 1); }
  HD void end_alternative(Index, u32 cells) { put_open(Op::Jump, Scalar::None, cells); }
};

// Goes over the instructions of one node again, and fills in the places. All places are known by now.
struct PlaceSink {
  static constexpr SinkKind kKind = SinkKind::Place;
  Columns& c;
  Index node;
  u32 at;
  u32 first = at;  // of the node's instructions

  HD void op(Op, Scalar, u32 = 0, u32 = 0) { ++at; }
  HD void constant(Scalar, u64) { ++at; }
  HD void text(Index, u32) { ++at; }
  HD void constants_of(Scalar, Index item, u32 number, u32) {
    fill(c.item_constant[item] + number);
  }
  HD void own_branch(u32 count) { jump_over(count); }
  HD void own_jump(u32, u32 count) { jump_over(count); }
  // Loops around `count` instructions.
  HD void own_loop(u32 count) { jump_over(count); }
  HD void own_end(u32 count) { fill(target(c.offset[node] + at - first - 1 - count)); }
  // Points to an instruction of another node: the one behind the first `before` instructions of that node.
  HD void chain_loop(Index last, u32 before) { fill(target(c.offset[last] + before)); }
  HD void chain_end(Index start, u32 before) { fill(target(c.offset[start] + before)); }
  // Jumps past the body. If the body is an alternative, what stands behind its value runs either way.
  HD void branch(Index i) {
    const Index body = c.end[i];
    fill(target(code_end(c, body) - code_behind_alternative(c, body)));
  }
  HD void loop(Index body) { fill(target(c.offset[body])); }
  HD void end_loop(Index body) {
    const Index head = c.left[body];
    fill(target(c.offset[node_kind(c, head) == Node::While ? head - 1 : head]));
  }
  // Jumps to where the value is complete. The own code of `else`, `&&` and `||` then handles the value.
  HD void second_arm(Index otherwise, u32) { fill(target(c.offset[otherwise])); }
  HD void short_circuit(Op, Index parent) { fill(target(c.offset[parent])); }

  HD void skip_guard(Index guard) { fill(target(c.offset[guard])); }
  HD void jump_over(u32 count) { fill(target(c.offset[node] + at - first + 1 + count)); }
  HD void next_arm(Index arm) { fill(target(code_end(c, arm))); }
  HD void end_arm(Index arm, u32) { fill(target(code_end(c, arms_block(c, arm)))); }
  HD void hole(Scalar, Index, u32) { ++at; }
  // Jumps behind the alternative's own jump: to the test for the next alternative, or to that alternative itself.
  HD void next_alternative(Index alternative) {
    fill(target(code_end(c, alternative) - code_behind_jump(c, alternative)));
  }
  HD void end_alternative(Index list, u32) { fill(target(c.offset[list])); }

 private:
  HD void fill(u32 b) {
    Instruction instruction = c.instructions[at];
    instruction.b = b;
    c.instructions[at++] = instruction;
  }
  // An instruction number in the region, counted from the start of its function.
  [[nodiscard]] HD u32 target(u32 in_region) const {
    const Index call = traps_around(c, node);
    if (call == kNone) return in_region - c.item_code[c.item[node]];
    return in_region - c.traps_code[traps_number(c, call)];
  }
};

struct CodeCounts {
  u32 functions = 0, traps = 0, constants = 0;
  u32 open = 0;  // nodes whose instructions need places
};
HD CodeCounts combine(CodeCounts a, CodeCounts b) {
  return {a.functions + b.functions, a.traps + b.traps, a.constants + b.constants, a.open + b.open};
}

// True for the `=` of a constant item, where its value goes to cells in the pool.
HD bool is_constant_value(const Columns& c, Index i) {
  return node_kind(c, i) == Node::Assign && node_context(c, i) == Context::ConstBody;
}

// The longest code of one node is `cmp` of lists of tuples whose cells change their types in turn: seven
// instructions for each of two cells, six to compare them, and the loop around it.
static_assert(kMaxOwnCode >= 20 * Spelling::kCapacity + 64);

// The place in memory of instruction `offset` of a region.
HD u32 in_memory(const Columns& c, Region region, u32 offset) {
  return region == Region::Traps ? c.traps_begin + offset : offset;
}

// Writes one node of post-order, for `expand`. Counts are passed by value, so that they stay in registers.
template <class G, bool kOneRegion>
struct WriteCode {
  G& g;
  Columns& c;

  HD CodeCounts count(u32 r) const {
    const Index i = c.live[r];
    const Region region = region_of_node(i);
    if (region == Region::Constants) return count_constant(i);
    const CodeRow& row = code_row(c.role[i]);
    const TypeId type = c.type[row.of_left != 0 ? Index{c.left[i]} : i];
    if (row.usual & (c.tails[i] == 0) && (row.code == 0 || is_scalar(type)))
      return counted(region, row.code, row.literal & 1, false);
    CountSink sink;
    emit_node<G>(c, sink, i);
    return counted(region, sink.code, sink.constants, sink.needs_places);
  }
  HD CodeCounts write(u32 r, CodeCounts before) const {
    const Index i = c.live[r];
    const Region region = region_of_node(i);
    const u32 offset = region == Region::Traps ? before.traps : before.functions;
    c.offset[i] = offset;
    const u32 most = offset > before.constants ? offset : before.constants;
    if (most + kMaxOwnCode > c.code_room) return leave_out(r);
    if (region == Region::Constants) return write_constant(r, before);
    const u32 first = in_memory(c, region, offset);
    const CodeRow& row = code_row(c.role[i]);
    const TypeId type = c.type[i ^ ((i ^ c.left[i]) & row.of_left)];
    if (!(row.usual & (c.tails[i] == 0) & ((row.code == 0) | is_scalar(type))))
      return write_general(r, region, first, before);
    const Index ref = c.ref[i] & row.local;
    const u32 slot = g.where(row.local, [&] { return u32{c.bind_value[ref]}; });
    const u64 cell = g.where(row.literal, [&] { return u64{c.cell[i]}; });
    g.store_if(row.literal != 0, c.constants[before.constants], cell);
    g.store_if(row.code != 0, c.instructions[first],
               Instruction{row.op, as_scalar(type), static_cast<u16>(slot),
                           before.constants & row.literal});
    g.store_if(row.code != 0, c.places[first], u32{c.token_start[c.token[i]]});
    c.own_code[i] = row.code;
    return counted(region, row.code, row.literal & 1, false);
  }

 private:
  HD Region region_of_node(Index i) const {
    return kOneRegion ? Region::Functions : region_of(c, i);
  }
  // Without room only the counts go on; they show how much room is needed.
  HD_COLD CodeCounts leave_out(u32 r) const {
    const CodeCounts own = count(r);
    c.own_code[c.live[r]] = static_cast<u16>(own.functions + own.traps);
    return own;
  }
  HD_COLD CodeCounts write_general(u32 r, Region region, u32 first, CodeCounts before) const {
    const Index i = c.live[r];
    if (c.role[i] == Role::Text) {  // one constant for each byte
      const u32 most = container_of(c, kTypeTuple + i).count + kMaxOwnCode;
      if (before.constants + most > c.code_room) return leave_out(r);
    }
    WriteSink sink{c, i, first, before.constants};
    emit_node<G>(c, sink, i);
    c.own_code[i] = static_cast<u16>(sink.at - first);
    if (sink.needs_places) c.listed[before.open] = i;
    return counted(region, sink.at - first, sink.constant_number - before.constants,
                   sink.needs_places);
  }
  HD static CodeCounts counted(Region region, u32 code, u32 constants, bool open) {
    return region == Region::Traps ? CodeCounts{0, code, constants, open}
                                   : CodeCounts{code, 0, constants, open};
  }
  HD_COLD CodeCounts count_constant(Index i) const {
    if (!is_constant_value(c, i)) return {};
    return {0, 0, type_cells(c, annotated_type(c, c.item_name[c.item[i]])), 0};
  }
  // Writes zeros, which evaluate_constants replaces. So the user of a constant in error finds something.
  HD_COLD CodeCounts write_constant(u32 r, CodeCounts before) const {
    const Index i = c.live[r];
    const CodeCounts own = count_constant(i);
    if (before.constants + own.constants > c.code_room) return leave_out(r);
    c.own_code[i] = 0;
    if (is_constant_value(c, i)) c.item_constant[c.item[i]] = before.constants;
    for (u32 k = 0; k < own.constants; ++k) c.constants[before.constants + k] = 0;
    return own;
  }
};

// Counts all code.
template <class G>
HD CodeCounts count_code(G& g, Columns& c) {
  const WriteCode<G, false> code{g, c};
  return g.scan(
      c.live_nodes, CodeCounts{}, [&](u32 r) { return code.count(r); },
      [](u32, const CodeCounts&, const CodeCounts&) {});
}

// Writes all code except its places. What does not fit into code_room is counted and not written.
template <class G>
HD CodeCounts write_code(G& g, Columns& c) {
  CodeCounts total;
  if (G::kSerial && has_one_region(c))
    total = g.expand(c.live_nodes, CodeCounts{}, WriteCode<G, G::kSerial>{g, c});
  else
    total = g.expand(c.live_nodes, CodeCounts{}, WriteCode<G, false>{g, c});
  c.open = total.open;
  return total;
}

// Swaps two stretches of instructions, [first, middle) and [middle, last): reverses each, then both together.
template <class G>
HD void swap_stretches(G& g, Columns& c, u32 first, u32 middle, u32 last) {
  const auto reverse = [&](u32 begin, u32 end) {
    g.for_each((end - begin) / 2, [&](u32 k) {
      const u32 a = begin + k, b = end - 1 - k;
      const Instruction instruction = c.instructions[a];
      c.instructions[a] = c.instructions[b];
      c.instructions[b] = instruction;
      const u32 place = c.places[a];
      c.places[a] = c.places[b];
      c.places[b] = place;
    });
  };
  reverse(first, middle);
  reverse(middle, last);
  reverse(first, last);
}

HD u32 own_code(const Columns& c, Index n) { return is_idle(c.role[n]) ? 0 : c.own_code[n]; }

// `while c limit N`: N is evaluated before the loop, but stands behind c. Swaps the two stretches of code.
template <class G>
HD void move_limits(G& g, Columns& c) {
  for (u32 b = 0; b < c.binds; ++b) {
    if (c.bind_kind[b] != BindKind::Limit) continue;
    const Index limit = c.bind_node[b], condition = c.left[limit], bound = c.right[limit];
    const Index loop_start = c.begin[limit] - 2;  // LoopStart, While, condition …
    u32 first = c.own_code[loop_start], second = c.own_code[limit];
    for (Index n = c.begin[condition]; n < c.end[condition]; ++n) first += own_code(c, n);
    for (Index n = c.begin[bound]; n < c.end[bound]; ++n) second += own_code(c, n);
    const u32 from = in_memory(c, region_of(c, limit), c.offset[loop_start]);
    swap_stretches(g, c, from, from + first, from + first + second);
    const auto shift = [&](Index n, u32 by) {
      if (!is_idle(c.role[n])) c.offset[n] += by;
    };
    g.for_each(c.end[condition] - c.begin[condition] + 1,
               [&](u32 k) { shift(k == 0 ? loop_start : c.begin[condition] + k - 1, second); });
    g.for_each(c.end[bound] - c.begin[bound] + 1,
               [&](u32 k) { shift(k == 0 ? limit : c.begin[bound] + k - 1, 0 - first); });
  }
}

// True if node n belongs to an argument of an operation before `call` in its chain. That argument has been hoisted
// by now.
HD_COLD bool was_hoisted(const Columns& c, Index call, Index n) {
  const Index first = chain_first(c, call);
  while (call != first) {
    count_work(c, 1);
    call = chain_source(c, call);
    if (call == first || !hoists_argument(operation_of(c, call))) continue;
    const Index argument = argument_at(c, call, 1, count_arguments(c, call));
    if (n >= c.begin[argument] && n < c.end[argument]) return true;
  }
  return false;
}
// The start value of `fold`, a value that is looked for, and a zipped sequence are evaluated before the loop, but
// stand behind steps of the chain.
template <class G>
HD_COLD void hoist_argument(G& g, Columns& c, Index call) {
  const Index argument = argument_at(c, call, 1, count_arguments(c, call));
  const Index start = chain_start(c, call);
  u32 second = 0;
  count_work(c, c.end[argument] - c.begin[argument]);
  for (Index n = c.begin[argument]; n < c.end[argument]; ++n) second += own_code(c, n);
  const u32 first = code_end(c, argument) - second - c.offset[start];
  const u32 from = in_memory(c, region_of(c, call), c.offset[start]);
  swap_stretches(g, c, from, from + first, from + first + second);
  const u32 rank = c.rank[start];
  g.for_each(c.rank[argument] - rank + 1, [&](u32 k) {
    const Index n = c.order[rank + k];
    if (is_idle(c.role[n]) || was_hoisted(c, call, n)) return;
    const bool moved = n >= c.begin[argument] && n < c.end[argument];
    c.offset[n] += moved ? 0 - first : second;
  });
}
template <class G>
HD_COLD void hoist_arguments(G& g, Columns& c) {
  for (u32 u = 0; u < c.uses; ++u) {
    const Index i = c.use_node[u], ref = c.ref[i];
    if (!hoists_argument(ref)) continue;
    const Index callee = parent_of(c, i);
    const Index call = node_kind(c, callee) == Node::Dot ? parent_of(c, callee) : callee;
    if (chain_first(c, call) != call) hoist_argument(g, c, call);
  }
}

// Finds where functions and entries start in their regions. Each ends where its last node does.
template <class G>
HD void find_entries(G& g, Columns& c) {
  g.once([&] {
    u32 at = 0;
    for (Index item = 0; item < c.items; ++item) {
      c.item_code[item] = at;
      if (c.item_function[item] != kNone) at = code_end(c, c.item_body[item]);
    }
    at = 0;
    for (u32 k = 0; k < c.traps; ++k) {
      c.traps_code[k] = at;
      const Index i = c.traps_node[k];
      at = code_end(c, node_kind(c, i) == Node::Prop ? i : Index{c.right[c.right[i]]});
    }
  });
}

// Fills in the places that write_code left open.
template <class G>
HD void fill_places(G& g, Columns& c) {
  g.for_each(c.open, [&](u32 k) {
    const Index i = c.listed[k];
    PlaceSink sink{c, i, in_memory(c, region_of(c, i), c.offset[i])};
    emit_node<G>(c, sink, i);
  });
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
