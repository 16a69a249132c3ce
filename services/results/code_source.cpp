// SPDX-License-Identifier: Apache-2.0
#include "services/results/code_source.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/values/value_text.h"
#include "frontend_gpu/frontend.h"
#include "lang/builtins.h"
#include "lang/nodes.h"
#include "services/format.h"

namespace komuz::services {
namespace {

// How an operation is written: an operator, or a call.
struct Spelling {
  std::string_view name;  // empty: it has none
  bool is_operator = false;
};

Spelling operator_of(Op op) {
  // In the order of nodes.def: `-` before `-` behind `**`.
  for (u32 n = 0; n < kNodeCount; ++n) {
    const NodeRow& row = node_row(static_cast<Node>(n));
    const bool computes =
        row.node_class == NodeClass::Arithmetic || row.node_class == NodeClass::Shift ||
        row.node_class == NodeClass::Compare || row.node_class == NodeClass::Unary;
    if (computes && row.op == op) return {row.spelling, true};
  }
  return {};
}
Spelling spelling_of(Instruction i) {
  if (const Spelling spelling = operator_of(i.op); !spelling.name.empty()) return spelling;
  for (const BuiltinRow& row : kBuiltins) {
    if (row.op != i.op || row.shape == BuiltinShape::Exact) continue;
    if (row.target == Scalar::None || row.target == i.type) return {row.name};
  }
  return {};
}

struct Piece {
  std::string text;
  Scalar type = Scalar::None;
  bool lacks_type = false;  // made of literals alone: its type is that of its place
  bool is_literal = false;  // one literal: nothing happens where it stands
};

// Is the result of the operands' type?
bool operands_keep_type(Instruction i) {
  const OpForm form = op_row(i.op).form;
  return form == OpForm::Unary || form == OpForm::Binary || form == OpForm::Ternary ||
         form == OpForm::Shift;
}

bool is_signed_text(std::string_view text) { return text[0] == '-' || text[0] == '!'; }

// Writes code from its start to its end. Statements go to `out_` as they come, values wait on a stack.
class Writer {
 public:
  Writer(const CodeView& code, std::span<const std::string> names)
      : code_(code),
        f_(code.functions[0]),
        instructions_(code.instructions.subspan(f_.code_begin, f_.code_end - f_.code_begin)) {
    for (u32 slot = 0; slot < f_.slots; ++slot) {
      std::string name = slot < names.size() ? names[slot] : "";
      if (name.empty() || std::ranges::find(names_, name) != names_.end())
        name = "v" + std::to_string(slot);
      names_.push_back(std::move(name));
    }
    stores_.resize(f_.slots);
    for (const Instruction i : instructions_)
      if (i.op == Op::StoreVar) ++stores_[i.a];
    for (u32 slot = 0; slot < f_.parameter_slots; ++slot) declared_.push_back(slot);
  }

  std::optional<std::string> write() {
    std::string head = "fn window(";
    for (u32 slot = 0; slot < f_.parameter_slots; ++slot)
      head += (slot == 0 ? "" : ", ") + names_[slot] + ": " + type_of_slot(slot);
    const Scalar result = static_cast<Scalar>(code_.result_type(f_)[0]);
    head += ") -> " + std::string(scalar_name(result)) + " { ";
    const std::optional<Piece> body = block(0, static_cast<u32>(instructions_.size()) - 1);
    if (!body) return {};
    return head + body->text + " }\n";
  }

 private:
  [[nodiscard]] std::string type_of_slot(u32 slot) const {
    return std::string(scalar_name(static_cast<Scalar>(code_.slot_types[f_.slots_begin + slot])));
  }

  // The statements and the value of code that leaves one value.
  std::optional<Piece> block(u32 begin, u32 end) {
    std::string outer_text = std::exchange(out_, {});
    std::vector<Piece> outer_stack = std::exchange(stack_, {});
    const size_t declared = declared_.size();
    bool is_written = true;
    for (u32 at = begin; at < end && is_written;) {
      const u32 next = step(at);
      is_written = next != at;
      at = next;
    }
    std::optional<Piece> value;
    if (is_written && stack_.size() == 1) {
      value = std::move(stack_[0]);
      value->text = out_ + value->text;
    }
    declared_.resize(declared);
    out_ = std::move(outer_text);
    stack_ = std::move(outer_stack);
    return value;
  }

  // Values that wait are computed before what is written next.
  void settle() {
    for (Piece& piece : stack_)
      if (!piece.is_literal) bind(piece);
  }
  void bind(Piece& piece) {
    const std::string name = "t" + std::to_string(temporaries_++);
    out_ += "let " + name + ": " + std::string(scalar_name(piece.type)) + " = " + piece.text + "; ";
    piece = {name, piece.type, false};
  }

  u32 step(u32 at) {
    const Instruction i = instructions_[at];
    switch (i.op) {
      case Op::LoadConst: {
        Piece piece{"", i.type, true, true};
        engine::print_scalar(piece.text, i.type, code_.constants[i.b], engine::ValueStyle::Source);
        stack_.push_back(std::move(piece));
        return at + 1;
      }
      case Op::LoadVar: stack_.push_back({names_[i.a], i.type, false}); return at + 1;
      case Op::StoreVar: return store(at, i);
      case Op::JumpIfFalse: return arms(at);
      case Op::JumpIfFalseOrPop: return lazy(at, "&&");
      case Op::JumpIfTrueOrPop: return lazy(at, "||");
      default: return is_pure_form(op_row(i.op).form) ? operation(at, i) : at;
    }
  }
  u32 store(u32 at, Instruction i) {
    Piece value = std::move(stack_.back());
    stack_.pop_back();
    settle();
    const bool is_declared = std::ranges::find(declared_, i.a) != declared_.end();
    if (!is_declared) {
      declared_.push_back(i.a);
      out_ += stores_[i.a] == 1 ? "let " : "var ";
      out_ += names_[i.a] + ": " + type_of_slot(i.a);
    } else {
      out_ += names_[i.a];
    }
    out_ += " = " + value.text + "; ";
    return at + 1;
  }
  u32 operation(u32 at, Instruction i) {
    const Spelling spelling = spelling_of(i);
    if (spelling.name.empty()) return at;
    const u32 count = operand_count(op_row(i.op).form);
    const auto operands = std::span(stack_).last(count);
    // The type of a literal is that of its neighbour; alone it is i64 or f64.
    const bool are_literals = std::ranges::all_of(operands, &Piece::lacks_type);
    const bool is_shift = op_row(i.op).form == OpForm::Shift;
    const auto has_no_type = [&](u32 k) {
      const Piece& piece = operands[k];
      // A conversion gives its literal the type that it converts to.
      const bool is_usual =
          piece.type == Scalar::Bool || (op_row(i.op).form != OpForm::Convert &&
                                         (piece.type == Scalar::I64 || piece.type == Scalar::F64));
      return piece.lacks_type && !is_usual && (are_literals || (is_shift && k == 1));
    };
    // Within a conversion literals take the type that it converts to.
    for (u32 k = 0; k < count; ++k)
      if (has_no_type(k))
        operands[k].text =
            std::string(scalar_name(operands[k].type)) + "(" + operands[k].text + ")";
    std::string text;
    if (spelling.is_operator) {
      // A sign binds more tightly than all but `**`.
      const bool is_tight = count == 1 || i.op == Op::Pow;
      if (is_tight && is_signed_text(operands[0].text))
        operands[0].text = "(" + operands[0].text + ")";
      text = count == 1 ? std::string(spelling.name) + operands[0].text
                        : "(" + operands[0].text + " " + std::string(spelling.name) + " " +
                              operands[1].text + ")";
    } else {
      text = std::string(spelling.name) + "(";
      for (u32 k = 0; k < count; ++k) text += (k == 0 ? "" : ", ") + operands[k].text;
      text += ")";
    }
    // Operations with a type of their own in the result: conversions, comparisons, counts.
    const bool is_untyped =
        operands_keep_type(i) && (is_shift ? operands[0].lacks_type : are_literals);
    stack_.resize(stack_.size() - count);
    stack_.push_back({std::move(text), result_type(op_row(i.op).form, i.type), is_untyped});
    return at + 1;
  }
  u32 arms(u32 at) {
    const Instruction branch = instructions_[at];
    const u32 jump = branch.b - 1, merge = instructions_[jump].b;
    const Piece condition = std::move(stack_.back());
    stack_.pop_back();
    const std::optional<Piece> first = block(at + 1, jump), second = block(branch.b, merge);
    if (!first || !second) return at;
    stack_.push_back(
        {"(if " + condition.text + " { " + first->text + " } else { " + second->text + " })",
         first->type, first->lacks_type && second->lacks_type});
    return merge;
  }
  u32 lazy(u32 at, std::string_view spelling) {
    const Piece left = std::move(stack_.back());
    stack_.pop_back();
    const u32 end = instructions_[at].b;
    const std::optional<Piece> right = block(at + 1, end);
    if (!right) return at;
    const bool is_block = right->text.find("; ") != std::string::npos;
    stack_.push_back({"(" + left.text + " " + std::string(spelling) + " " +
                          (is_block ? "{ " + right->text + " }" : right->text) + ")",
                      Scalar::Bool, false});
    return end;
  }
  const CodeView& code_;
  const Function& f_;
  std::span<const Instruction> instructions_;
  std::vector<std::string> names_;
  std::vector<u32> stores_;  // of each slot
  std::vector<u32> declared_;
  std::string out_;
  std::vector<Piece> stack_;
  u32 temporaries_ = 0;
};

}  // namespace

std::optional<std::string> source_of_code(const CodeView& lone,
                                          std::span<const std::string> names) {
  const std::optional<std::string> text = Writer(lone, names).write();
  if (!text) return {};
  frontend::Compiler compiler;
  Formatted formatted = format(compiler, *text);
  if (!formatted.ok) return {};
  return std::move(formatted.text);
}

std::optional<std::string> body_of_code(const CodeView& lone, std::span<const std::string> names,
                                        std::string_view margin) {
  const std::optional<std::string> text = source_of_code(lone, names);
  if (!text) return {};
  // Between the first brace and the last one; in lines of their own four blanks further in.
  const size_t begin = text->find(" {") + 2, end = text->rfind('}');
  std::string out;
  for (size_t at = begin; at < end;) {
    const size_t line_end = std::min(text->find('\n', at), end);
    std::string_view line = std::string_view(*text).substr(at, line_end - at);
    if (line.starts_with("    "))
      line.remove_prefix(4);
    else if (line.starts_with(" "))
      line.remove_prefix(1);
    while (line.ends_with(' ')) line.remove_suffix(1);
    if (!line.empty()) out.append(margin).append(line).append("\n");
    at = line_end + 1;
  }
  return out;
}

}  // namespace komuz::services
