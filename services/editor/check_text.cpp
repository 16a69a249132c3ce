// SPDX-License-Identifier: Apache-2.0
#include "services/editor/check_text.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "frontend_gpu/frontend.h"

namespace komuz::services {
namespace {

void compile(frontend::Options options, std::string_view text, const std::stop_token& stop,
             frontend::Compilation& out) {
  frontend::Compiler compiler(std::move(options));
  compiler.stop_when(stop);
  compiler.compile(text, out);
}

// The errors of a candidate without its harness may only say that.
void find_missing_harness(std::string_view text, const Library& library, const FindHarness& find,
                          CheckedText& out) {
  const auto find_none = [](const std::string& /*name*/) { return std::string(); };
  out.used_harness = find_used_harness(text, library, find ? find : FindHarness(find_none));
  const auto is_about_it = [&](const Diagnostic& d) {
    return is_about_harness(d, text, out.used_harness);
  };
  std::ranges::copy_if(out.diagnostics, std::back_inserter(out.harness_diagnostics), is_about_it);
  std::erase_if(out.diagnostics, is_about_it);
}

}  // namespace

CheckedText check_text(std::string_view text, engine::ModuleLoader& modules,
                       const CheckOptions& how, const std::stop_token& stop) {
  modules.load(text);
  CheckedText out;
  frontend::Options options{.examples = true, .library = &modules.library()};
  frontend::Compilation compilation;
  compile(options, text, stop, compilation);
  const bool is_candidate = how.harness != kNoModule;
  out.is_harness = !is_candidate && lacks_bodies(compilation.diagnostics);
  if (out.is_harness) {
    options.is_harness = true;
    compile(options, text, stop, compilation);
  }
  if (is_candidate && !compilation.stopped) {
    // A program without errors keeps its warnings, which are about its own tests, too.
    options.harness = how.harness;
    options.harness_entry = how.harness_entry;
    frontend::Compilation candidate;
    compile(options, text, stop, candidate);
    if (!candidate.ok) std::swap(compilation, candidate);
  }
  out.was_stopped = compilation.stopped;
  out.text = compilation.text.empty() ? std::string(text) : std::move(compilation.text);
  out.diagnostics = std::move(compilation.diagnostics);
  std::erase_if(out.diagnostics, [&](const Diagnostic& d) { return d.begin > text.size(); });
  if (!compilation.ok && !is_candidate && !out.was_stopped)
    find_missing_harness(text, modules.library(), how.find_harness, out);
  return out;
}

}  // namespace komuz::services
