// SPDX-License-Identifier: Apache-2.0
#include "services/editor/function_costs.h"

#include <algorithm>
#include <span>

#include "base/counts.h"
#include "frontend_gpu/frontend.h"
#include "lang/code.h"
#include "lang/source_places.h"
#include "lang/text/code_text.h"
#include "lang/type_codes.h"
#include "services/fuel/tick_bounds.h"
#include "services/item_text.h"
#include "services/items.h"

namespace komuz::services {
namespace {

// What a bound would depend on: `n`, the `while` in line 4, what `helper` takes.
class Dependence {
 public:
  Dependence(const CodeView& code, const Function& f, std::string_view text)
      : code_(code), function_(f), text_(text) {}

  [[nodiscard]] std::vector<std::string> list(const TickBound& bound) {
    if (bound.is_recursive) add("the recursion");
    for (const u32 place : bound.places) add_place(place);
    for (const u32 callee : bound.callees)
      add("`" + std::string(code_.name(code_.functions[callee])) + "`");
    return std::move(words_);
  }

 private:
  void add(std::string words) {
    if (std::ranges::find(words_, words) == words_.end()) words_.push_back(std::move(words));
  }
  void add_place(u32 place) {
    if (file_of(place) != 0 || offset_of(place) >= text_.size()) return add("a loop");
    const u32 begin = offset_of(place);
    u32 end = begin;
    while (end < text_.size() && is_word_byte(text_[end])) ++end;
    const std::string word(text_.substr(begin, end - begin));
    const size_t line = 1 + static_cast<size_t>(std::ranges::count(text_.substr(0, begin), '\n'));
    if (is_parameter(word)) return add("`" + word + "`");
    add((word.empty() ? "the loop" : "`" + word + "`") + " in line " + std::to_string(line));
  }
  [[nodiscard]] bool is_parameter(std::string_view word) const {
    const auto count = read_type_head(code_.parameter_types(function_), 0).elements;
    for (u32 k = 0; k < count; ++k) {
      const NameRange name = code_.parameter_names[function_.parameters_begin + k];
      if (code_.names.substr(name.begin, name.end - name.begin) == word) return true;
    }
    return false;
  }

  const CodeView& code_;
  const Function& function_;
  std::string_view text_;
  std::vector<std::string> words_;
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
  const std::vector<TickBound> bounds = tick_bounds(code);
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
    cost.ticks = bounds[k].most;
    if (!cost.ticks) cost.depends_on = Dependence(code, f, text).list(bounds[k]);
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
  if (cost.ticks) return text + " · fuel ≤ " + grouped(*cost.ticks);
  text += " · fuel depends on ";
  for (size_t k = 0; k < cost.depends_on.size(); ++k) {
    if (k != 0) text += k + 1 == cost.depends_on.size() ? " and " : ", ";
    text += cost.depends_on[k];
  }
  return text;
}

}  // namespace komuz::services
