// SPDX-License-Identifier: Apache-2.0
#include "services/editor/check_text.h"

#include <algorithm>

#include "frontend_gpu/frontend.h"

namespace komuz::services {
namespace {

void compile(frontend::Options options, std::string_view text, const std::stop_token& stop,
             frontend::Compilation& out) {
  frontend::Compiler compiler(std::move(options));
  compiler.stop_when(stop);
  compiler.compile(text, out);
}

}  // namespace

CheckedText check_text(std::string_view text, engine::ModuleLoader& modules,
                       const std::stop_token& stop) {
  modules.load(text);
  CheckedText out;
  frontend::Options options{.examples = true, .library = &modules.library()};
  frontend::Compilation compilation;
  compile(options, text, stop, compilation);
  out.is_harness = std::ranges::any_of(compilation.diagnostics, [](const Diagnostic& d) {
    return d.code() == DiagnosticCode::MissingBody;
  });
  if (out.is_harness) {
    options.is_harness = true;
    compile(options, text, stop, compilation);
  }
  out.was_stopped = compilation.stopped;
  out.text = compilation.text.empty() ? std::string(text) : std::move(compilation.text);
  out.diagnostics = std::move(compilation.diagnostics);
  std::erase_if(out.diagnostics, [&](const Diagnostic& d) { return d.begin > text.size(); });
  return out;
}

}  // namespace komuz::services
