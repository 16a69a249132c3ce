// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/frontend.h"

#include <algorithm>

#include "base/group/serial.h"
#include "frontend_gpu/assemble.h"
#include "frontend_gpu/collect.h"
#include "frontend_gpu/pipeline.h"
#include "frontend_gpu/source_text.h"
#include "frontend_gpu/workspace.h"
#include "lang/check_code.h"

namespace komuz::frontend {

inline constexpr u32 kMaxTokens = 1u << 21;

void Compilation::clear() {
  code.clear();
  diagnostics.clear();
  identity = {};
  ok = false;
}

namespace {

// The passes of the serial group, each set in one function. `flatten` forces the functors in: left out of line, each
// costs a call an element, and nothing warns of it. The columns are copied because a store of a byte may change any
// memory that has escaped: of a local copy the optimiser knows better, and keeps it in registers.
__attribute__((flatten, noinline)) void analyse_serial(SerialGroup& g, Columns& shared, const Tables& t) {
  Columns c = shared;
  analyse(g, c, t);
  shared = c;
}
__attribute__((flatten, noinline)) HashSum classify_serial(SerialGroup& g, Columns& shared, const Tables& t) {
  Columns c = shared;
  return classify_tokens(g, c, t);
}
__attribute__((flatten, noinline)) CodeCounts place_serial(SerialGroup& g, Columns& shared) {
  Columns c = shared;
  return place_code(g, c);
}
__attribute__((flatten, noinline)) void write_serial(SerialGroup& g, Columns& shared, Code& code,
                                                     const CodeCounts& counts) {
  Columns c = shared;
  write_code(g, c,
             WriteSink{c, code.instructions.data(), code.places.data(), code.constants.data(), counts.functions});
}

}  // namespace

struct Compiler::Workspace {
  Options options;
  Columns columns{};
  ColumnMemory memory;
  SerialGroup serial;
  CodeChecker checker;
  ByteMasksFunction byte_masks = best_byte_masks();
  const Tables& t = tables();

  bool lex(std::string_view source, TextHash& identity) {
    Columns& c = columns;
    memory.begin(c, source);
    byte_masks(c.source, c.blocks, c.masks);
    if (!find_tokens(serial, c, std::min(kMaxTokens, c.bytes))) return false;
    const HashSum sum = classify_serial(serial, c, t);
    identity = {sum.low, sum.high ^ c.tokens};
    return true;
  }

  // Code for a program without errors; what only shows in code is checked here.
  void generate(Compilation& out) {
    Columns& c = columns;
    Code& code = out.code;
    const CodeCounts counts = place_serial(serial, c);
    code.constants.resize(counts.constants);
    evaluate_constants(serial, c, code.constants.data(), c.item_known);
    bound_recursion(serial, c, code.constants.data());
    if (c.flags[kFailed] != 0) return;
    move_limits(serial, c);
    find_entries(serial, c);
    const u32 size = counts.functions + counts.traps;
    code.instructions.resize(size);
    code.places.resize(size);
    write_serial(serial, c, code, counts);
    assemble_functions(c, counts.functions, size, code);
    check(out);
  }

  void check(Compilation& out) {
    Columns& c = columns;
    const CodeError error = checker.check(out.code.view(), out.code.functions, ~0u);
    if (error) {
      out.diagnostics.push_back(make_diagnostic(DiagnosticCode::InternalRefused));
      c.flags[kFailed] = 1;
      return;
    }
    for (Index item = 0; item < c.items; ++item) {
      if (c.item_function[item] == kNone) continue;
      const u32 bytes = out.code.functions[c.item_function[item]].stack_bytes;
      if (bytes > options.stack_limit)
        report(serial, c, c.item_name[item], DiagnosticCode::StackLimit, bytes,
               options.stack_limit);
    }
  }
};

Compiler::Compiler(Options options) : workspace_(std::make_unique<Workspace>()) {
  workspace_->options = options;
}
Compiler::~Compiler() = default;
Compiler::Compiler(Compiler&&) noexcept = default;
Compiler& Compiler::operator=(Compiler&&) noexcept = default;

const Columns& Compiler::columns() const { return workspace_->columns; }

TextHash Compiler::identify(std::string_view source) {
  TextHash identity;
  if (check_text(source).code() == DiagnosticCode::None) workspace_->lex(source, identity);
  return identity;
}

void Compiler::compile(std::string_view source, Compilation& out) {
  out.clear();
  Workspace& w = *workspace_;
  w.columns.tokens = w.columns.nodes = 0;
  const Diagnostic text_error = check_text(source);
  if (text_error.code() != DiagnosticCode::None) {
    out.diagnostics.push_back(text_error);
    return;
  }
  Columns& c = w.columns;
  if (!w.lex(source, out.identity)) {
    out.diagnostics.push_back(make_diagnostic(DiagnosticCode::TooManyTokens));
    return;
  }
  if (c.tokens == 0) {
    out.diagnostics.push_back(make_diagnostic(DiagnosticCode::EmptyProgram));
    return;
  }
  w.memory.reserve_nodes(c);
  analyse_serial(w.serial, c, w.t);
  if (c.flags[kFailed] == 0) w.generate(out);
  if ((c.flags[kFailed] | c.flags[kNoted]) != 0) collect_diagnostics(c, out.diagnostics);
  out.ok = c.flags[kFailed] == 0;
  if (!out.ok) out.code.clear();
}

}  // namespace komuz::frontend
