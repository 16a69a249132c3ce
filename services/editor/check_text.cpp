// SPDX-License-Identifier: Apache-2.0
#include "services/editor/check_text.h"

#include <algorithm>

#include "frontend_gpu/frontend.h"

namespace komuz::services {

CheckedText check_text(std::string_view text, engine::ModuleLoader& modules,
                       frontend::Compiler& compiler, const std::stop_token& stop,
                       frontend::Compilation& compilation) {
  modules.load(text);
  CheckedText out;
  compiler.stop_when(stop);
  compiler.compile(text, compilation);
  out.is_harness = std::ranges::any_of(compilation.diagnostics, [](const Diagnostic& d) {
    return d.code() == DiagnosticCode::MissingBody;
  });
  if (out.is_harness) {
    frontend::Compiler harness(
        {.examples = true, .library = &modules.library(), .is_harness = true});
    harness.stop_when(stop);
    harness.compile(text, compilation);
  }
  out.was_stopped = compilation.stopped;
  out.text = compilation.text.empty() ? std::string(text) : compilation.text;
  out.diagnostics = compilation.diagnostics;
  std::erase_if(out.diagnostics, [&](const Diagnostic& d) { return d.begin > text.size(); });
  return out;
}

CheckedText check_text(std::string_view text, engine::ModuleLoader& modules,
                       const std::stop_token& stop) {
  frontend::Compiler compiler({.examples = true, .library = &modules.library()});
  frontend::Compilation compilation;
  return check_text(text, modules, compiler, stop, compilation);
}

}  // namespace komuz::services
