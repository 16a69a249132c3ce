// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <utility>

#include "lang/slot_use.h"
#include "neural/windows/targets.h"
#include "neural/windows/windows.h"

namespace komuz::neural {
namespace {

// What reads windows calls itself for each arm.
constexpr u32 kMostArms = 32;

// The first and the last instruction that uses a slot.
struct Uses {
  u32 first = ~0u, last = 0;
  void add(u32 at) {
    first = std::min(first, at);
    last = std::max(last, at);
  }
};

// Reads the code of a function from one instruction on, as far as it is that of a window.
class WindowReader {
 public:
  WindowReader(const CodeView& code, const Function& function)
      : code_(code.instructions.subspan(function.code_begin,
                                        function.code_end - function.code_begin)),
        first_source_(code_.size() + 1, ~0u),
        uses_(function.slots),
        state_(function.slots, Slot::Untouched) {
    for (u32 at = 0; at < code_.size(); ++at) {
      if (has_target(code_[at].op))
        first_source_[code_[at].b] = std::min(first_source_[code_[at].b], at);
      for_each_slot_use(code_[at], [&](u32 slot, bool) { uses_[slot].add(at); });
    }
  }

  // The end of the longest window that begins here; none if there is none.
  std::optional<u32> read(u32 begin) {
    begin_ = begin;
    words_ = 1;  // the end of the code
    height_ = inputs_ = 0;
    has_operation_ = false;
    stored_.clear();
    for (const u32 slot : touched_) state_[slot] = Slot::Untouched;
    touched_.clear();
    std::optional<u32> end;
    for (u32 at = begin; at < code_.size();) {
      // Control that comes from before the window meets it here: what stands behind is not of the window alone.
      if (at != begin && first_source_[at] < begin) break;
      const u32 next = step(at);
      if (next == at || words_ > kMostWindowWords) break;
      at = next;
      if (height_ == 1 && has_operation_ && keeps_its_slots(at)) end = at;
    }
    return end;
  }

 private:
  // What the window has done with a slot so far.
  enum class Slot : u8 {
    Untouched,
    Input,    // read, and not written before
    Written,  // written on all ways
    Lost,     // written in an arm that has ended: to be read no more
  };

  // Are the slots that are stored used in the window alone?
  bool keeps_its_slots(u32 end) const {
    return std::ranges::all_of(
        stored_, [&](u32 slot) { return uses_[slot].first >= begin_ && uses_[slot].last < end; });
  }

  bool touch(u32 slot, Slot as, u32& count, u32 most) {
    if (count == most) return false;
    ++count;
    state_[slot] = as;
    touched_.push_back(slot);
    return true;
  }
  bool load(u32 slot) {
    switch (state_[slot]) {
      case Slot::Untouched: return touch(slot, Slot::Input, inputs_, kMostInputs);
      case Slot::Input:
      case Slot::Written: return true;
      case Slot::Lost: return false;
    }
    return false;
  }
  bool store(u32 slot) {
    if (state_[slot] == Slot::Input) return false;
    if (std::ranges::find(stored_, slot) == stored_.end()) {
      if (stored_.size() == kMostLocals) return false;
      stored_.push_back(slot);
      touched_.push_back(slot);
    }
    if (state_[slot] != Slot::Written) written_.push_back(slot);
    state_[slot] = Slot::Written;
    return true;
  }

  // Reads what starts at an instruction: the instruction behind it, or the same one if it is none of a window.
  u32 step(u32 at) {
    const Instruction i = code_[at];
    switch (i.op) {
      case Op::LoadConst:
      case Op::LoadVar:
        if (is_reference(i.type) || (i.op == Op::LoadVar && !load(i.a))) return at;
        ++height_;
        break;
      case Op::StoreVar:
        if (is_reference(i.type) || height_ == 0 || !store(i.a)) return at;
        --height_;
        break;
      case Op::JumpIfFalse: return arms(at);
      case Op::JumpIfFalseOrPop:
      case Op::JumpIfTrueOrPop: return lazy(at);
      default: {
        const OpForm form = op_row(i.op).form;
        if (!is_pure_form(form) || height_ < operand_count(form)) return at;
        height_ -= operand_count(form) - 1;
        has_operation_ = true;
        break;
      }
    }
    ++words_;
    return at + 1;
  }

  // Reads the code [begin, end) of an arm, which leaves one value. What it writes first is lost behind it.
  bool arm(u32 begin, u32 end) {
    if (arms_ == kMostArms) return false;
    ++arms_;
    const u32 height = std::exchange(height_, 0);
    const size_t written = written_.size();
    u32 at = begin;
    while (at < end && words_ <= kMostWindowWords) {
      const u32 next = step(at);
      if (next == at || next > end) break;
      at = next;
    }
    --arms_;
    const bool is_value = at == end && height_ == 1;
    height_ = height;
    for (; written_.size() > written; written_.pop_back()) state_[written_.back()] = Slot::Lost;
    return is_value;
  }
  u32 arms(u32 at) {
    const Instruction branch = code_[at];
    if (branch.a == 0 || height_ == 0) return at;
    const u32 jump = branch.b - 1;
    if (code_[jump].a != 1) return at;
    words_ += 3;
    has_operation_ = true;
    const u32 merge = code_[jump].b;
    return arm(at + 1, jump) && arm(branch.b, merge) ? merge : at;
  }
  u32 lazy(u32 at) {
    if (height_ == 0) return at;
    words_ += 2;
    has_operation_ = true;
    return arm(at + 1, code_[at].b) ? code_[at].b : at;
  }

  std::span<const Instruction> code_;
  std::vector<u32> first_source_;  // by instruction: the first one that jumps there
  std::vector<Uses> uses_;         // by slot
  std::vector<Slot> state_;        // by slot
  std::vector<u32> touched_;       // slots that are not Untouched
  std::vector<u32> stored_;        // slots of its own
  std::vector<u32> written_;       // in the order of the first writes in each arm
  u32 begin_ = 0, words_ = 0, height_ = 0, inputs_ = 0, arms_ = 0;
  bool has_operation_ = false;
};

}  // namespace

u32 count_words(std::span<const Instruction> code) {
  u32 words = 0;
  for (const Instruction i : code) {
    // The JUMP between two arms is a word, and so is their end; a lazy operator has an end, too.
    const OpForm form = op_row(i.op).form;
    words += form == OpForm::Jump || form == OpForm::ShortCircuit ? 2 : 1;
  }
  return words;
}

std::vector<CodeWindow> find_code_windows(const CodeView& code, u32 function) {
  const Function& f = code.functions[function];
  std::vector<CodeWindow> windows;
  WindowReader reader(code, f);
  for (u32 at = 0; at < f.code_end - f.code_begin;) {
    const std::optional<u32> end = reader.read(at);
    if (end) windows.push_back({function, at, *end});
    at = end.value_or(at + 1);
  }
  return windows;
}

}  // namespace komuz::neural
