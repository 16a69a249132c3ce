// SPDX-License-Identifier: Apache-2.0
#include "neural/tokens/decoding.h"

#include <algorithm>
#include <vector>

#include "neural/tokens/words_on_types.h"

namespace komuz::neural {
namespace {

// No word makes what is left longer by more than this; then lengths are not looked at.
constexpr u32 kAmple = 24;

// Operations that leave the same: so many cells less, and one of a type.
struct OperationGroup {
  WordSet words;
  u32 pops = 0;
  Scalar result = Scalar::None;  // None: that of the operand below the top, or of the only one
};

std::vector<OperationGroup> make_operation_groups() {
  std::vector<OperationGroup> groups;
  for (u32 w = word_of(WordKind::Operation); w < word_count(); ++w) {
    const Word& row = word_row(static_cast<u8>(w));
    const OpForm form = op_row(row.op).form;
    const u32 pops = operand_count(form);
    const Scalar result = form == OpForm::Convert ? row.type : op_form_row(form).result;
    auto group = std::ranges::find_if(
        groups, [&](const OperationGroup& g) { return g.pops == pops && g.result == result; });
    if (group == groups.end()) group = groups.insert(groups.end(), {{}, pops, result});
    group->words.add(static_cast<u8>(w));
  }
  return groups;
}
const std::vector<OperationGroup>& operation_groups() {
  static const std::vector<OperationGroup> groups = make_operation_groups();
  return groups;
}

}  // namespace

Decoding::Decoding(const Source& source, u32 limit)
    : source_(&source),
      checker_(source.program(), 0),
      closing_(source.result()),
      limit_(static_cast<u16>(std::min(limit, kMostTargetWords))) {
  find_allowed();
}

Instruction Decoding::instruction(u8 word) const {
  const Word& row = word_row(word);
  const Scalar top = checker_.cell(0);
  switch (row.kind) {
    case WordKind::Store: return {Op::StoreVar, top, static_cast<u16>(local_slot(row.number)), 0};
    case WordKind::Load: {
      const u32 slot = local_slot(row.number);
      return {Op::LoadVar, checker_.slot_type(slot), static_cast<u16>(slot), 0};
    }
    case WordKind::Operation: return operation_on(row, top, checker_.cell(1));
    default: return source_->leaf(word);
  }
}

bool Decoding::take(u8 word, PrefixChecker& checker) const {
  switch (word_row(word).kind) {
    case WordKind::End: return checker.finish();
    case WordKind::If: return checker.open_first_arm();
    case WordKind::Else: return checker.open_second_arm();
    case WordKind::And: return checker.open_lazy(Op::JumpIfFalseOrPop);
    case WordKind::Or: return checker.open_lazy(Op::JumpIfTrueOrPop);
    case WordKind::EndIf:
    case WordKind::EndLazy: return checker.close();
    case WordKind::Input:
    case WordKind::Store:
    case WordKind::Load:
    case WordKind::Constant:
    case WordKind::Literal:
    case WordKind::Operation: return checker.take(instruction(word));
    case WordKind::Pad:
    case WordKind::Begin:
    case WordKind::None: break;
  }
  return false;
}

bool Decoding::checker_takes(u8 word) const {
  if (is_done_) return false;
  const Word& row = word_row(word);
  PrefixChecker next = checker_;
  switch (row.kind) {
    case WordKind::Input:
    case WordKind::Constant:
      if (!source_->leaves().has(word)) return false;
      break;
    case WordKind::Store:  // of a slot that there is, or of the next one
      if (row.number > locals_ || checker_.cells() == 0) return false;
      if (row.number == locals_) next.declare(local_slot(row.number), checker_.cell(0));
      break;
    case WordKind::Load:
      if (row.number >= locals_) return false;
      break;
    case WordKind::EndIf:
    case WordKind::EndLazy:
      if (row.kind != closing_.closer()) return false;
      break;
    default: break;
  }
  return take(word, next);
}

bool Decoding::feed(u8 word) {
  if (!allowed_.has(word)) return false;
  const Word& row = word_row(word);
  const bool is_new_local = row.kind == WordKind::Store && row.number == locals_;
  if (is_new_local) {
    checker_.declare(local_slot(row.number), checker_.cell(0));
    ++locals_;
  }
  // The checker leaves the region before it is known how much was left to do in it.
  if (row.kind == WordKind::If)
    closing_.open_first_arm(checker_);
  else if (row.kind == WordKind::Else)
    closing_.open_second_arm(checker_);
  else if (row.kind == WordKind::And || row.kind == WordKind::Or)
    closing_.open_lazy(checker_);
  else if (row.kind == WordKind::EndIf || row.kind == WordKind::EndLazy)
    closing_.close();
  static_cast<void>(take(word, checker_));  // as allowed_ says
  ++size_;
  is_done_ = row.kind == WordKind::End;
  if (!is_done_ && checker_.cells() > 0) closing_.pushed(checker_);
  find_allowed();
  return true;
}

void Decoding::find_allowed() {
  allowed_ = {};
  if (is_done_) return;
  const Scalar top = checker_.cell(0);
  allowed_ = words_on(top, checker_.cell(1), checker_.cell(2));
  allowed_.add(source_->leaves());
  for (u8 k = 0; k < locals_; ++k) {
    if (checker_.is_written(local_slot(k))) allowed_.add(word_of(WordKind::Load, k));
    if (top != Scalar::None && checker_.slot_type(local_slot(k)) == top)
      allowed_.add(word_of(WordKind::Store, k));
  }
  // Slots are numbered in the order of their first stores.
  if (top != Scalar::None && locals_ < kMostLocalWords)
    allowed_.add(word_of(WordKind::Store, locals_));
  if (checker_.cells() == 1) {
    const u8 closer = word_of(closing_.closer());
    PrefixChecker next = checker_;
    if (take(closer, next)) allowed_.add(closer);
  }
  const u32 left = limit_ - size_ - 1u;  // behind the next word
  if (words_to_close() + kAmple > left) keep_short(left);
}

// Drops words behind which the end would come too late.
void Decoding::keep_short(u32 left) {
  const auto keep = [&](u8 word, u32 words_behind) {
    if (words_behind > left) allowed_.remove(word);
  };
  const auto keep_all = [&](const WordSet& words, u32 pops, Scalar type) {
    if (allowed_.has_any(words) && closing_.after_push(checker_, pops, type) > left)
      allowed_.remove(words);
  };
  for (u32 t = 1; t < kScalarCount; ++t)
    keep_all(source_->leaves(static_cast<Scalar>(t)), 0, static_cast<Scalar>(t));
  for (u8 k = 0; k < locals_; ++k) {
    const u8 load = word_of(WordKind::Load, k);
    if (allowed_.has(load))
      keep(load, closing_.after_push(checker_, 0, checker_.slot_type(local_slot(k))));
  }
  // What is allowed finds its operands, of which two or three of one type have that of the topmost ones.
  for (const OperationGroup& group : operation_groups()) {
    const Scalar operand = checker_.cell(group.pops == 2 ? 1 : 0);
    keep_all(group.words, group.pops, group.result == Scalar::None ? operand : group.result);
  }
  const u8 branch = word_of(WordKind::If);
  if (allowed_.has(branch)) keep(branch, closing_.after_if(checker_));
  for (const WordKind lazy : {WordKind::And, WordKind::Or})
    if (allowed_.has(word_of(lazy))) keep(word_of(lazy), closing_.after_lazy(checker_));
  const u8 second_arm = word_of(WordKind::Else);
  if (allowed_.has(second_arm)) keep(second_arm, closing_.after_else(checker_));
  if (checker_.cells() > 0) {
    const u32 behind = closing_.after_pop(checker_, 1);
    for (u8 k = 0; k < kMostLocalWords; ++k) keep(word_of(WordKind::Store, k), behind);
  }
  // END, FI and FIL take away one of the words to close.
}

}  // namespace komuz::neural
