// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/linkage.h"

namespace komuz::frontend {

bool Linkage::link(const Options& options, std::span<const u32> heads, std::string_view text,
                   Compilation& out) {
  is_linked_ = options.harness != kNoModule || is_open(out.code.view());
  if (!is_linked_) return true;
  std::swap(out.code, unlinked_);
  const CodeView code = unlinked_.view();
  const LinkUnit program{code, heads};
  const Library& library = *options.library;
  if (options.harness == kNoModule) {
    // Interfaces are made of modules, so the code of a module has all that its interface shows. Linking can only
    // fail by a fault.
    if (linker_.link(program, library, out.code).empty()) return true;
    out.diagnostics.push_back(make_diagnostic(DiagnosticCode::InternalRefused));
    return false;
  }
  if (!fits_harness(library[options.harness], text, out)) return false;
  if (linker_.link_harness(options.harness, options.harness_entry, program, library, out.code)
          .empty())
    return true;
  out.diagnostics.push_back(make_diagnostic(DiagnosticCode::InternalRefused));
  return false;
}

Diagnostic Linkage::find_deep_harness(const Options& options, const Compilation& out) const {
  if (options.harness == kNoModule) return {};
  const u32 bytes = out.code.functions[0].stack_bytes;
  if (bytes <= options.stack_limit) return {};
  const CodeView code = unlinked_.view();
  const Function& f =
      code.functions[code.find_function((*options.library)[options.harness].open[0].name)];
  return make_diagnostic(DiagnosticCode::StackLimit, f.place, f.name_end - f.name_begin, bytes,
                         options.stack_limit);
}

bool Linkage::fits_harness(const Module& harness, std::string_view text, Compilation& out) const {
  const CodeView code = unlinked_.view(), wanted = harness.code.view();
  bool fits = true;
  // Words that a message quotes are appended to the text.
  const auto report = [&](DiagnosticCode what, u32 place, u32 length, const std::string& words) {
    if (out.text.empty()) out.text = text;
    const u32 at = static_cast<u32>(out.text.size()) + 4;
    out.text += "\n// " + words + "\n";
    out.diagnostics.push_back(
        make_diagnostic(what, place, length, at, static_cast<u32>(words.size())));
    fits = false;
  };
  for (const Module::OpenFunction& open : harness.open) {
    const size_t found = code.find_function(open.name);
    if (found == code.functions.size()) {
      report(DiagnosticCode::MissingOpen, 0, 0, open.text);
      continue;
    }
    const Function& f = code.functions[found];
    for (const Function& g : wanted.functions) {
      if (g.kind != FunctionKind::Open || g.owner != 0 || wanted.name(g) != open.name) continue;
      if (code.parameter_types(f) != wanted.parameter_types(g) ||
          code.result_type(f) != wanted.result_type(g))
        report(DiagnosticCode::OpenSignature, f.place, static_cast<u32>(open.name.size()),
               open.text);
    }
  }
  return fits;
}

}  // namespace komuz::frontend
