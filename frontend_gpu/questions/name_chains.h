// SPDX-License-Identifier: Apache-2.0
// Finds bindings by their names, in two ways. Chains: bindings whose hashes share a slot of a table hang in one
// chain, in any order, and a walk takes at most kLongestWalk steps. That is not enough if one name is bound a
// thousand times, or if a thousand names are made to share a slot. Then OpenNames takes bindings and uses in the
// order of the source.
#pragma once
#include "frontend_gpu/columns/columns.h"
#include "frontend_gpu/text/name_hash.h"
#include "frontend_gpu/tree/tree.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

inline constexpr u32 kLongestWalk = 64;

HD u32 global_hash(const Columns& c, Index node) { return c.token_hash[c.token[node]]; }
HD u32 local_hash(u32 global, Index item) { return global ^ (item + 1) * 0x85EB'CA6Bu; }
// Functions and constructors, spaces, types and constants have names apart.
HD u32 function_hash(u32 global) { return global ^ 0x5555'5555u; }
HD u32 expansion_hash(u32 global) { return global ^ 0x4444'4444u; }
HD u32 type_hash(u32 global) { return global ^ 0x3333'3333u; }

// The name that a node spells. In the hole of a space, the name stands behind the `?`.
struct SpelledName {
  const u8* text;
  u32 length;
};
HD SpelledName spelled_name(const Columns& c, Index node) {
  const u32 hole = node_kind(c, node) == Node::Hole;
  return {node_text(c, node) + hole, node_length(c, node) - hole};
}
HD bool same_text(const Columns& c, Index a, Index b) {
  const SpelledName own = spelled_name(c, a), other = spelled_name(c, b);
  const u32 n = own.length;
  if (n != other.length) return false;
  const u8 *p = own.text, *q = other.text;
  for (u32 k = 0; k < n; k += 8)
    if (load_text(p + k, n - k) != load_text(q + k, n - k)) return false;
  return true;
}

HD bool is_global(BindKind kind) {
  switch (kind) {
    case BindKind::Function:
    case BindKind::Constant:
    case BindKind::Type:
    case BindKind::Constructor:
    case BindKind::Import:
    case BindKind::Module: return true;
    case BindKind::Parameter:
    case BindKind::Let:
    case BindKind::Var:
    case BindKind::For:
    case BindKind::Pattern:
    case BindKind::Lambda:
    case BindKind::Limit:
    case BindKind::Match: return false;
  }
  return false;
}
HD bool is_imported(BindKind kind) { return kind == BindKind::Import || kind == BindKind::Module; }
// True for a lambda; the arm of a `match` is none.
HD bool is_lambda(const Columns& c, Index i) {
  return node_kind(c, i) == Node::Lambda && node_context(c, i) == Context::Args;
}
HD bool is_local(BindKind kind) { return !is_global(kind) && !is_hidden(kind); }
// True for the constructor of a record: the only one of its type, with the type's name.
HD_COLD bool is_record_constructor(const Columns& c, Index b) {
  const Index i = c.bind_node[b], item = c.item[i];
  const Index type = c.item_name[item], right = c.item_result[item];
  return c.bind_kind[b] == BindKind::Constructor && type != kNone && right != kNone &&
         c.left[right] == i && same_text(c, type, i);
}
HD bool is_blank(const Columns& c, Index node) {
  return node_length(c, node) == 1 && node_text(c, node)[0] == '_';
}
HD const BuiltinRow& builtin_row(Index ref) { return kBuiltins[ref - kBuiltinRef]; }
// The kind of a built-in name follows from the reference that find_builtin gives.
HD bool is_builtin_function(Index ref) {
  return ref >= kBuiltinRef && ref - kBuiltinRef < kBuiltinCount;
}
// References to operations on collections follow the references to built-in constants.
inline constexpr Index kFirstCollection = kBuiltinRef + kBuiltinCount + kConstantCount;
HD bool is_collection(Index ref) {
  return ref >= kFirstCollection && ref - kFirstCollection < kCollectionCount;
}
HD bool names_collection(Index ref, Collection operation) {
  return ref == kFirstCollection + static_cast<u32>(operation);
}
// References to operations of chains follow those.
inline constexpr Index kFirstChain = kFirstCollection + kCollectionCount;
HD bool is_chain(Index ref) { return ref >= kFirstChain && ref - kFirstChain < kChainCount; }
HD bool names_chain(Index ref, ChainOp operation) {
  return ref == kFirstChain + static_cast<u32>(operation);
}
HD bool is_option_constructor(Index ref) {
  return names_collection(ref, Collection::Some) || names_collection(ref, Collection::None);
}
// True if two names of one pattern stand on different sides of a `|`.
HD_COLD bool are_alternatives(const Columns& c, Index a, Index b) {
  constexpr u32 kMaxClimb = 1024;  // a pattern of more nodes is too large anyway
  const Index first = a < b ? a : b, last = a < b ? b : a;
  Index above = first;
  for (u32 step = 0; above != kNone && c.end[above] <= last; ++step) {
    if (step == kMaxClimb) return true;
    above = parent_of(c, above);
  }
  return above != kNone && above > first && above < last && node_kind(c, above) == Node::BitOr;
}
// True if two bindings of one name may not stand beside each other.
HD bool are_twice(const Columns& c, Index a, Index b) {
  // Two globals of one hash and one text belong to the same name space and module.
  const BindKind kind = c.bind_kind[a], other = c.bind_kind[b];
  if (kind == BindKind::Pattern && other == kind &&
      c.owner[c.bind_node[a]] == c.owner[c.bind_node[b]] &&
      same_text(c, c.bind_node[a], c.bind_node[b]) &&
      are_alternatives(c, c.bind_node[a], c.bind_node[b]))
    return false;
  // Two records of one name are reported where their types are bound.
  if (is_global(kind))
    return is_global(other) && !(is_record_constructor(c, a) && is_record_constructor(c, b));
  return kind == other && c.owner[c.bind_node[a]] == c.owner[c.bind_node[b]];
}
template <class G>
HD_COLD void report_twice(G& g, Columns& c, Index b) {
  report(g, c, c.bind_node[b],
         is_imported(c.bind_kind[b]) ? DiagnosticCode::DuplicateImport
         : is_global(c.bind_kind[b]) ? DiagnosticCode::DuplicateFunction
                                     : DiagnosticCode::DuplicateName);
}

// The chain of a hash, by its high bits: in these, hashes of one-letter names differ most.
HD u32 chain_of(const Columns& c, u32 hash) {
  return static_cast<u32>(u64{hash} * (c.head_mask + 1) >> 32);
}

struct Chains {
  // On one lane, the newest binding of a chain stands first.
  static constexpr bool kNewestFirst = true;

  const Columns& c;

  // The binding of `hash` that node i sees, or kNone. Chains are used only if none is too long for a walk.
  HD Index find(Index i, u32 hash) const {
    Index best = kNone;
    for (Index b = c.heads[chain_of(c, hash)]; b != kNone; b = c.bind_next[b])
      if ((c.bind_hash[b] == hash) & (c.bind_from[b] <= i) & (i < c.bind_until[b]) &
              (b + 1 > best + 1) &&
          same_text(c, i, c.bind_node[b]))
        best = b;
    return best;
  }
};

// The bindings whose intervals hold the current position in the source, for one lane. Intervals of one name are
// nested or disjoint. So the open ones form a stack, and one that has ended is dropped for good. There is a stack
// for each name, and the tops of the stacks hang in chains. Which names share a chain depends on all names of the
// program, so nobody can write many that do.
class OpenNames {
 public:
  static constexpr bool kNewestFirst = false;

  HD explicit OpenNames(Columns& c) : c_(c) {
    for (u32 h = 0; h <= c.head_mask; ++h) c.heads[h] = kNone;
    for (u32 b = 0; b < c.binds; ++b)
      salt_ = fold_multiply(salt_ ^ key_of(c.bind_node[b]), 0xA076'1D64'78BD'642Fu) + b;
  }

  // Adds a binding. All bindings and uses before it have been taken; functions and constants are added first.
  // Returns true if there is a binding of the same name beside which this one may not stand.
  HD bool add(Index b) {
    const Index i = c_.bind_node[b];
    const u32 hash = c_.bind_hash[b], head = head_of(i, hash);
    const Index top = open(i, hash, head);
    // The new binding replaces one that has ended, or that stands in the same pattern.
    const bool twice = top != kNone && are_twice(c_, top, b);
    const bool hides = top != kNone && (c_.bind_until[top] <= i || twice);
    c_.bind_slot[b] = hides ? below(top) : top;
    if (top == kNone) {
      c_.bind_next[b] = c_.heads[head];
      c_.heads[head] = b;
    } else {
      replace_top(head, top, b);
    }
    return twice;
  }
  // The binding that node i sees, or kNone. The node stands behind all bindings that have been added.
  HD Index find(Index i, u32 hash) {
    Index b = open(i, hash, head_of(i, hash));
    // The initialiser of a binding sees the bindings before it.
    while (b != kNone && i < c_.bind_from[b]) {
      b = below(b);
      count_work(c_, 1);
    }
    return b != kNone && i < c_.bind_until[b] ? b : kNone;
  }

 private:
  // The next binding of the same stack, kept in the column of slots, which are given out later.
  [[nodiscard]] HD Index below(Index b) const { return c_.bind_slot[b]; }

  [[nodiscard]] HD u64 key_of(Index node) const {
    const SpelledName name = spelled_name(c_, node);
    return text_key(name.text, name.length);
  }
  // The chain of a node's name.
  [[nodiscard]] HD u32 head_of(Index node, u32 hash) const {
    return static_cast<u32>(fold_multiply(key_of(node) ^ salt_, 0xE703'7ED1'A0B4'28DBu ^ hash)) &
           c_.head_mask;
  }

  // Drops bindings that have ended before node i, and returns the top of the rest. The last one stays even if it
  // has ended.
  HD Index open(Index i, u32 hash, u32 head) {
    Index top = c_.heads[head];
    while (top != kNone && !(c_.bind_hash[top] == hash && same_text(c_, i, c_.bind_node[top]))) {
      top = c_.bind_next[top];
      count_work(c_, 1);
    }
    if (top == kNone) return kNone;
    Index left = top;
    while (c_.bind_until[left] <= i && below(left) != kNone) {
      left = below(left);
      count_work(c_, 1);
    }
    if (left != top) replace_top(head, top, left);
    return left;
  }
  HD void replace_top(u32 head, Index old, Index top) {
    c_.bind_next[top] = c_.bind_next[old];
    Index before = c_.heads[head];
    if (before == old) {
      c_.heads[head] = top;
      return;
    }
    while (c_.bind_next[before] != old) {
      before = c_.bind_next[before];
      count_work(c_, 1);
    }
    c_.bind_next[before] = top;
  }

  Columns& c_;
  u64 salt_ = 0;
};

}  // namespace komuz::frontend::inline KOMUZ_PASSES
