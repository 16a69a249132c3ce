// SPDX-License-Identifier: Apache-2.0
// Checks from the root down that every node stands where the grammar allows it and has the children that it needs.
// A node learns its context from its parent. A row of grammar.def says which contexts its children get.
#pragma once
#include "frontend_gpu/columns/absent.h"
#include "frontend_gpu/columns/name_role.h"
#include "frontend_gpu/text/name_hash.h"
#include "frontend_gpu/tree/lists.h"
#include "frontend_gpu/tree/real_word.h"
#include "frontend_gpu/tree/traps_call.h"
#include "frontend_gpu/tree/tree.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

HD bool is_closed_string(const Columns& c, Index string) {
  const u32 length = node_length(c, string);
  return length >= 2 && node_text(c, string)[length - 1] == '"';
}

// The types that have brackets behind their names.
enum class ContainerWord : u8 { None, List, Bytes, Option };
HD ContainerWord container_word(const Columns& c, Index name) {
  constexpr u64 kList = 0x7473'694C, kBytes = 0x73'6574'7942, kOption = 0x6E6F'6974'704F;
  const u32 length = node_length(c, name);
  const u64 text = length <= 6 ? load_text(node_text(c, name), length) : 0;
  return text == kList     ? ContainerWord::List
         : text == kBytes  ? ContainerWord::Bytes
         : text == kOption ? ContainerWord::Option
                           : ContainerWord::None;
}

// Stores the nodes of a signature in columns of the item, where later passes look for them.
HD void note_item(Columns& c, Index i, Context context, Node kind) {
  const Index item = c.item[i];
  if (context == Context::Item &&
      (kind == Node::Const || kind == Node::Body || kind == Node::Type || kind == Node::Fn ||
       kind == Node::Space || kind == Node::Use))
    c.item_body[item] = i;
  if (context == Context::Item && kind == Node::Example) c.item_body[item] = c.item_name[item] = i;
  if (context == Context::TypeBody) c.item_result[item] = c.right[i];
  if (context == Context::FnSignature || context == Context::FnArrow ||
      context == Context::SpaceSignature) {
    if (kind == Node::Rec) c.item_bound[item] = c.right[i];
    if (kind == Node::Arrow) c.item_result[item] = c.right[i];
  }
  if (context == Context::FnName || context == Context::ConstName || context == Context::TestName ||
      context == Context::PropName || context == Context::TypeItemName)
    c.item_name[item] = i;
}

// How deep a space may nest.
inline constexpr u32 kMaxSpaceDepth = 16;

HD DiagnosticCode chain_error(Node kind) {
  return node_row(kind).node_class == NodeClass::Compare ? DiagnosticCode::ChainedComparison
                                                         : DiagnosticCode::ChainedOperator;
}

template <class G>
struct CheckShape {
  G& g;
  Columns& c;
  const Tables& t;
  u8 unusual;  // the bits of `shape` that ask for more

  HD void operator()(Index i) const {
    const GrammarRule rule = t.grammar[c.context[i]][c.kind[i]];
    c.role[i] = rule.role;
    c.type[i] = rule.type;
    const Index left = c.left[i], right = c.right[i];
    // The bits of `shape` that are not met, computed without a branch on any of them. A node that has no left child
    // starts its subtree.
    const u32 key = c.key[i];
    const bool chained = (c.key[or_absent(c, left)] == key) | (c.key[or_absent(c, right)] == key);
    const u32 without_left = left >> 31, without_right = right >> 31;
    const u32 lacks = kStartsSubtree + without_left * kNeedsLeft - without_left * kStartsSubtree +
                      without_right * kNeedsRight + static_cast<u32>(chained) * kIsLone + unusual;
    const u32 unmet = (rule.shape & lacks) | rule.error | c.error[i];
    if ((unmet | rule.detail) != 0 && (unmet != 0 || !is_plain(i, rule.closer_look())))
      return examine(i);
    const Index own = c.owner[i], owns = static_cast<u32>(i32{rule.owns});
    const Index owner = own ^ ((own ^ i) & owns);
    hand_down(left, rule.left, owner);
    hand_down(right, rule.right, owner);
  }

  // Checks a node without children, which hands nothing down.
  HD void leaf(Index i) const {
    const GrammarRule rule = t.grammar[c.context[i]][c.kind[i]];
    c.role[i] = rule.role;
    c.type[i] = rule.type;
    const u32 lacks = kNeedsLeft | kNeedsRight | unusual;
    const u32 unmet = (rule.shape & lacks) | rule.error | c.error[i];
    if (unmet != 0 || (rule.detail != 0 && !is_plain(i, rule.closer_look()))) examine(i);
  }

 private:
  // True if a node that lacks nothing needs no closer look.
  HD bool is_plain(Index i, CloserLook look) const {
    switch (look) {
      case CloserLook::No: return true;
      case CloserLook::Notes: note_item(c, i, node_context(c, i), node_kind(c, i)); return true;
      case CloserLook::Traps: return c.left[i] != kNone && !may_spell_traps(c, c.left[i]);
      case CloserLook::InTraps:  // only calls inside of `traps` own nodes
        return c.owner[i] == kNone || node_kind(c, c.owner[i]) != Node::Call;
      case CloserLook::Yes: return false;
    }
    return false;
  }
  HD_COLD void examine(Index i) const {
    const GrammarRule& rule = t.grammar[c.context[i]][c.kind[i]];
    const Node kind = node_kind(c, i);
    const Context context = node_context(c, i);
    const bool sound =
        context != Context::Skipped && c.error[i] == 0 && stands(i, kind, context, rule);
    Context left = sound ? rule.left : Context::Skipped,
            right = sound ? rule.right : Context::Skipped;
    if (!sound) {
      c.context[i] = static_cast<u8>(Context::Skipped);
      c.role[i] = Role::Skipped;
    }
    if (sound && rule.detail != 0) note_item(c, i, context, kind);
    if (sound && context == Context::PropParams && kind == Node::Colon && has_range(c.right[i]))
      right = Context::PropBounded;
    if (kind == Node::ItemEnd && c.item_broken[c.item[i]] != 0) right = Context::Skipped;
    const Index owner = c.owner[i];
    if (sound && makes_elements(kind, context)) g.raise(c.flags[kContainers]);
    if (sound && context == Context::TypeArgs && kind == Node::Bracket) right = type_argument(i);
    if (sound && kind == Node::Name && is_in_arm(context)) name_in_pattern(i, context);
    if (sound && kind == Node::Body && left != Context::Skipped && is_match(i)) {
      c.role[i] = Role::MatchBody;
      right = Context::MatchBlock;
    }
    if (sound && kind == Node::Body && context == Context::Item && is_space_head(c.left[i]))
      right = Context::SpaceOpen;
    if (sound && is_hole(c.left[i]) && (kind == Node::Index || kind == Node::Call) &&
        left != Context::Skipped)
      fill_hole(i, kind, left, right);
    if (sound && context == Context::Args && kind == Node::Comma && owner != kNone &&
        is_traps_call(c, owner) && c.right[c.right[owner]] == i) {
      left = Context::Value, right = Context::TrapName;
      if (c.right[i] == kNone) {  // the trap is the last part
        report(g, c, i, DiagnosticCode::MissingRight);
        left = Context::Skipped;
      }
    }
    const bool is_open = (kind == Node::Fn || kind == Node::Space) && context == Context::Item;
    const bool owns = (rule.shape & kOwnsChildren) != 0 || is_open || is_traps_call(c, i);
    hand_down(c.left[i], left, owns ? i : owner);
    hand_down(c.right[i], right, owns ? i : owner);
  }
  HD void hand_down(Index child, Context context, Index owner) const {
    const Index at = or_absent(c, child);
    g.store_if(child != kNone, c.context[at], static_cast<u8>(context));
    g.store_if(child != kNone, c.owner[at], owner);
  }
  HD bool fail(Index i, DiagnosticCode code, u32 a = 0, u32 b = 0) const {
    report(g, c, i, code, a, b);
    return false;
  }
  // True if such a node shows that the program has containers, or chains.
  HD static bool makes_elements(Node kind, Context context) {
    switch (kind) {
      case Node::Bracket:
      case Node::String: return true;
      case Node::Lambda: return context == Context::Args;
      case Node::Range:
      case Node::RangeInclusive: return context == Context::Tuple;
      default: return false;
    }
  }
  HD bool is_hole(Index i) const { return i != kNone && node_kind(c, i) == Node::Hole; }
  HD bool is_space_head(Index i) const { return i != kNone && node_kind(c, i) == Node::Space; }
  // Handles `?n[a, b]`, `?n(a..b, steps: 8)` and `?n(real)`. `?s(x)` is a call.
  HD_COLD void fill_hole(Index i, Node kind, Context& left, Context& right) const {
    const Index inside = c.right[c.right[i]];
    if (kind == Node::Index && (left == Context::PathBase)) {
      left = Context::ChoiceName;
      right = Context::ChoiceOpen;
      c.role[i] = Role::Choice;
      if (inside != kNone) return;
      right = Context::Skipped;
      report(g, c, c.left[i], DiagnosticCode::EmptyChoice);
    } else if (kind == Node::Call && left == Context::Callee &&
               (starts_with_range(inside) || real_word(c, inside) != kNone)) {
      left = Context::GridName;
      right = Context::GridOpen;
      c.role[i] = Role::Grid;
    }
  }
  HD_COLD bool starts_with_range(Index arguments) const {
    while (arguments != kNone && node_kind(c, arguments) == Node::Comma)
      arguments = c.left[arguments];
    if (arguments == kNone) return false;
    const Node kind = node_kind(c, arguments);
    return kind == Node::Range || kind == Node::RangeInclusive;
  }
  // The context of what stands between the brackets behind a type's name.
  HD_COLD Context type_argument(Index bracket) const {
    const Index name = c.left[bracket - 1];
    if (name == kNone || node_kind(c, name) != Node::Name) return Context::Skipped;
    switch (container_word(c, name)) {
      case ContainerWord::List: return Context::ListArgs;
      case ContainerWord::Bytes: return Context::Length;
      case ContainerWord::Option: return Context::Type;
      case ContainerWord::None: break;
    }
    report(g, c, bracket, DiagnosticCode::TypeBrackets);
    return Context::Skipped;
  }
  // A capitalised name in a pattern binds nothing; it names a constructor or a constant.
  HD_COLD void name_in_pattern(Index i, Context context) const {
    const u8 first = node_text(c, i)[0];
    const bool binds = first < 'A' || first > 'Z';
    if (!binds) c.context[i] = static_cast<u8>(Context::PatternUse);
    if (context == Context::ArmPattern)
      c.role[i] = binds ? Role::ArmName : Role::ArmUse;
    else
      c.role[i] = binds ? Role::Bind : Role::Callee;
  }
  HD bool is_match(Index body) const {
    const Index head = c.left[body];
    return head != kNone && node_kind(c, head) == Node::Match;
  }
  HD bool touches_assert(Index i) const {
    const Index at = c.token[i];
    return token_at(c, static_cast<i64>(at) - 1) == Token::Assert &&
           c.token_start[at - 1] + c.token_length[at - 1] == c.token_start[at];
  }
  // True for a range behind the `:` of a property's parameter: `T in 0..9`, or a range without a type.
  HD_COLD bool has_range(Index right) const {
    const Node kind = node_kind(c, right);
    return kind == Node::In || kind == Node::Range || kind == Node::RangeInclusive;
  }
  HD static bool may_hold_traps(ItemKind kind) {
    return kind == ItemKind::Test || kind == ItemKind::Example;
  }
  // Checks the head of a space. Its name and its parameters are used even if the head is wrong.
  HD_COLD void check_space_head(Index i, Node kind) const {
    if (kind == Node::Arrow)
      report(g, c, i, DiagnosticCode::SpaceForm);
    else if (node_kind(c, c.right[i]) == Node::Int && !is_space_depth(c.right[i]))
      report(g, c, c.right[i], DiagnosticCode::SpaceDepth);
  }
  HD_COLD bool is_space_depth(Index i) const {
    const u8* const text = node_text(c, i);
    const u32 length = node_length(c, i);
    u32 depth = 0;
    for (u32 k = 0; k < length && depth <= kMaxSpaceDepth; ++k) {
      if (text[k] < '0' || text[k] > '9') return false;
      depth = depth * 10 + (text[k] - '0');
    }
    return depth <= kMaxSpaceDepth;
  }
  HD bool stands(Index i, Node kind, Context context, const GrammarRule& rule) const {
    if (rule.error != 0) return fail(i, static_cast<DiagnosticCode>(rule.error), rule.detail);
    const u8 may = t.children[c.kind[i]];
    const Index left = c.left[i], right = c.right[i];
    const Side side = node_row(kind).side;
    const bool prefix = side == Side::Prefix || side == Side::Open;
    if ((prefix && c.begin[i] != i) || (kind == Node::While && c.begin[i] + 1 != i))
      return fail(i, DiagnosticCode::PrefixAfterTighter);
    if (left == kNone && (may & kMustLeft) != 0) return fail(i, DiagnosticCode::MissingLeft);
    if (right == kNone && (may & kMustRight) != 0) return fail(i, DiagnosticCode::MissingRight);
    // True for `[e; n]`, `[T; n]` and `List[T, n]`.
    const bool counted =
        (kind == Node::Semi && (context == Context::Elements || context == Context::ArrayType)) ||
        (kind == Node::Comma && context == Context::ListArgs);
    if (counted && left == kNone) return fail(i, DiagnosticCode::MissingLeft);
    if (counted && right == kNone) return fail(i, DiagnosticCode::MissingRight);
    if (side == Side::None) {
      const bool chained = (left != kNone && c.key[left] == c.key[i]) ||
                           (right != kNone && c.key[right] == c.key[i]);
      if (chained) return fail(i, chain_error(kind));
    }
    // Only the last comma may end a list.
    const bool gap =
        kind == Node::Comma && node_kind(c, left) == Node::Comma && c.right[left] == kNone;
    if (gap) return fail(i, DiagnosticCode::MissingLeft);
    if (kind == Node::Pub && c.item_kind[c.item[i]] != ItemKind::Function &&
        is_entry(c.item_kind[c.item[i]]))
      return fail(i, DiagnosticCode::Unexpected);
    if (context == Context::SpaceOpen && right == kNone) return fail(i, DiagnosticCode::SpaceForm);
    if (context == Context::SpaceSignature) check_space_head(i, kind);
    if (context == Context::PropParamsOpen && right == kNone)
      return fail(i, DiagnosticCode::PropParameters);
    if (context == Context::Item && kind == Node::Test && is_closed_string(c, right))
      return fail(i, DiagnosticCode::Unexpected);
    if (context == Context::Item && kind == Node::Fn && c.item_public[c.item[i]] == 0)
      return fail(i, DiagnosticCode::MissingBody);
    if (context == Context::Item && kind == Node::Space && c.item_public[c.item[i]] == 0)
      return fail(i, DiagnosticCode::SpaceForm);
    if ((context == Context::TestName || context == Context::PropName) && !is_closed_string(c, i))
      return fail(i, DiagnosticCode::UnclosedString);
    // `assert!(c)` would mean the contrary of what it means in other languages, so it is an error. `assert !c` is
    // fine.
    if (context == Context::AssertValue && kind == Node::Not && touches_assert(i))
      return fail(i, DiagnosticCode::AssertMacro);
    // The comma behind an arm may be left out if the arm ends in a block. Then, too, an arm stands on either side.
    if (context == Context::MatchArms && kind == Node::Semi &&
        (token_at(c, c.token[i]) == Token::Semi ||
         token_at(c, static_cast<i64>(c.token[i]) - 1) != Token::RBrace))
      report(g, c, i, DiagnosticCode::ArmComma);
    if (kind == Node::Return && right == kNone) return fail(i, DiagnosticCode::ReturnWithoutValue);
    if (is_traps_call(c, i) &&
        (context != Context::AssertValue || !may_hold_traps(c.item_kind[c.item[i]])))
      return fail(i, DiagnosticCode::TrapsOutsideTest);
    return true;
  }
};

// The first words of an item decide what it is.
template <class G>
HD void note_words(G& g, Columns& c, Index item) {
  Index k = c.token[c.item_node[item]];
  c.item_public[item] = token_at(c, k) == Token::Pub;
  if (c.item_public[item] != 0) ++k;
  const Token word = token_at(c, k);
  // A space is compiled as a function; the holes that take expressions from it call it.
  c.item_kind[item] = word == Token::Fn || word == Token::Space ? ItemKind::Function
                      : word == Token::Test                     ? ItemKind::Test
                      : word == Token::Example                  ? ItemKind::Example
                      : word == Token::Prop                     ? ItemKind::Prop
                      : word == Token::Const                    ? ItemKind::Constant
                      : word == Token::Type                     ? ItemKind::Type
                      : word == Token::Use
                          ? c.item_public[item] != 0 ? ItemKind::Module : ItemKind::Use
                          : ItemKind::Other;
  const ItemKind kind = c.item_kind[item];
  if (c.item_public[item] != 0 && is_entry(kind) && kind != ItemKind::Function)
    g.raise(c.flags[kIrregular]);
  if (word == Token::Type) g.raise(c.flags[kTypes]);
  if (word == Token::Use) g.raise(c.flags[kModules]);
  c.item_body[item] = c.item_name[item] = c.item_result[item] = c.item_bound[item] = kNone;
}

// The nodes without children. They are listed behind the others.
template <class G>
HD void check_leaves(G& g, Columns& c, const CheckShape<G>& check, u32 inner) {
  const u32 leaves = c.nodes - kept_head(c).ranks - inner;
  g.for_each(leaves, [&](u32 k) { check.leaf(c.listed[c.nodes - 1 - k]); });
}

// `listed` is what build_tree has returned.
template <class G>
HD void check_shape(G& g, Columns& c, const Tables& t, u32 listed) {
  if (c.nodes == 0) return;
  const u32 first = kept_head(c).bytes != 0;  // the item of a kept head is known
  g.for_each(c.items - first, [&](u32 n) { note_words(g, c, first + n); });
  g.once([&] {
    const Index root = c.order[c.nodes - 1];
    c.context[root] = static_cast<u8>(Context::Item);
    c.owner[root] = kNone;
    c.key[c.nodes] = 0xFFFF;  // the key of an absent child
  });
  const u32 unusual = kUnusual | (c.flags[kIrregular] != 0 ? kMayBeIrregular : 0u) |
                      ((c.flags[kMatches] | c.flags[kHoles]) != 0 ? kMayMatch : 0u);
  const u32 inner = G::kShortcuts ? listed : list_inner(g, c);
  const CheckShape<G> check{g, c, t, static_cast<u8>(unusual)};
  g.down(inner, c.listed, check, NeedsParent{c});
  check_leaves(g, c, check, inner);
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
