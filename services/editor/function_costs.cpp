// SPDX-License-Identifier: Apache-2.0
#include "services/editor/function_costs.h"

#include <algorithm>
#include <span>

#include "base/counts.h"
#include "frontend_gpu/frontend.h"
#include "lang/code.h"
#include "lang/source_places.h"
#include "lang/text/code_text.h"
#include "services/items.h"

namespace komuz::services {
namespace {

constexpr u64 kMostTicks = u64{1} << 62;

// The most ticks of each function. All jumps but those of loops go forward, so what is left from an instruction on
// follows from those behind it.
class TickBounds {
 public:
  explicit TickBounds(const CodeView& code)
      : code_(code), bounds_(code.functions.size()), states_(code.functions.size(), State::New) {
    for (u32 f = 0; f < bounds_.size(); ++f) settle(f);
  }
  [[nodiscard]] std::optional<u64> of(size_t function) const { return bounds_[function]; }

 private:
  enum class State : u8 { New, Open, Settled };

  // What it calls comes first. One that is open then calls itself by way of this one, and neither has a bound.
  void settle(u32 first) {
    std::vector<u32> open{first};
    while (!open.empty()) {
      const u32 f = open.back();
      if (states_[f] == State::New) states_[f] = State::Open;
      const auto callee = states_[f] == State::Open ? new_callee(f) : std::nullopt;
      if (callee) {
        open.push_back(*callee);
        continue;
      }
      if (states_[f] == State::Open) bounds_[f] = bound(f);
      states_[f] = State::Settled;
      open.pop_back();
    }
  }
  [[nodiscard]] std::span<const Instruction> code_of(u32 function) const {
    const Function& f = code_.functions[function];
    return code_.instructions.subspan(f.code_begin, f.code_end - f.code_begin);
  }
  [[nodiscard]] std::optional<u32> new_callee(u32 function) const {
    for (const Instruction& at : code_of(function))
      if (static_cast<Op>(at.op) == Op::Call && states_[at.a] == State::New) return u32{at.a};
    return std::nullopt;
  }
  [[nodiscard]] std::optional<u64> bound(u32 function) const {
    if (code_.functions[function].cycle != 0) return std::nullopt;
    const auto code = code_of(function);
    std::vector<u64> left(code.size() + 1, 0);
    for (size_t i = code.size(); i-- > 0;) {
      const Instruction& at = code[i];
      left[i] = left[i + 1];
      switch (static_cast<Op>(at.op)) {
        case Op::Loop: return std::nullopt;
        case Op::Return:
        case Op::TrapNow: left[i] = 0; break;
        case Op::Jump: left[i] = left[at.b]; break;
        case Op::JumpIfFalse:
        case Op::JumpIfFalseOrPop:
        case Op::JumpIfTrueOrPop: left[i] = std::max(left[i + 1], left[at.b]); break;
        case Op::Tick: ++left[i]; break;
        case Op::Ticks: {
          if (i == 0 || static_cast<Op>(code[i - 1].op) != Op::LoadConst) return std::nullopt;
          const auto ticks = static_cast<i64>(code_.constants[code[i - 1].b]);
          left[i] += ticks > 0 ? static_cast<u64>(ticks) : 0;
          break;
        }
        case Op::Call: {
          const std::optional<u64> callee = bounds_[at.a];
          if (!callee) return std::nullopt;
          left[i] += *callee + 1;
          break;
        }
        default: break;
      }
      if (left[i] > kMostTicks) return std::nullopt;
    }
    return left[0];
  }

  const CodeView& code_;
  std::vector<std::optional<u64>> bounds_;
  std::vector<State> states_;
};

// The text of each function: it begins on a line of its own, and what belongs to it is indented or a label.
std::vector<std::string> texts_of(const CodeView& code) {
  const std::string all = disassemble(code);
  std::vector<std::string> texts;
  const auto begins = [&](std::string_view line) {
    return !line.empty() && line.front() != ' ' && line.find(" place=") != std::string_view::npos;
  };
  for (size_t at = 0; at < all.size();) {
    const size_t end = std::min(all.find('\n', at), all.size() - 1) + 1;
    const std::string_view line = std::string_view(all).substr(at, end - at);
    if (begins(line)) texts.emplace_back();
    if (!texts.empty()) texts.back() += line;
    at = end;
  }
  return texts;
}

}  // namespace

std::vector<FunctionCost> list_function_costs(std::string_view text,
                                              engine::ModuleLoader& modules) {
  modules.load(text);
  frontend::Compiler compiler({.library = &modules.library()});
  frontend::Compilation compilation;
  compiler.compile(text, compilation);
  std::vector<FunctionCost> out;
  if (!compilation.ok) return out;
  const CodeView code = compilation.code.view();
  const TickBounds bounds(code);
  const std::vector<std::string> texts = texts_of(code);
  const std::vector<TextItem> items = list_items(compiler, text);
  for (size_t k = 0; k < code.functions.size(); ++k) {
    const Function& f = code.functions[k];
    if (f.kind != FunctionKind::Function || file_of(f.place) != 0) continue;
    const auto item = std::ranges::find_if(items, [&](const TextItem& one) {
      return one.form == ItemForm::Function && one.name_begin == offset_of(f.place);
    });
    if (item == items.end()) continue;
    FunctionCost& cost = out.emplace_back();
    cost.name = item->name;
    cost.begin = item->begin;
    cost.end = item->end;
    cost.name_begin = item->name_begin;
    cost.name_end = item->name_begin + static_cast<u32>(item->name.size());
    cost.code_bytes = (f.code_end - f.code_begin) * static_cast<u32>(sizeof(Instruction));
    cost.stack_bytes = f.stack_bytes;
    cost.depth = f.rec;
    cost.ticks = bounds.of(k);
    if (texts.size() == code.functions.size())
      cost.text = texts[k].substr(0, texts[k].find_last_not_of('\n') + 1) + "\n";
  }
  std::ranges::sort(out, {}, &FunctionCost::name_begin);
  return out;
}

std::string cost_text(const FunctionCost& cost) {
  std::string text =
      counted(cost.code_bytes, "byte") + " of code · stack " + counted(cost.stack_bytes, "byte");
  if (cost.depth != 0) text += " · depth at most " + grouped(cost.depth);
  text += cost.ticks ? " · at most " + counted(*cost.ticks, "tick") : " · ticks bounded by fuel";
  return text;
}

}  // namespace komuz::services
