// SPDX-License-Identifier: Apache-2.0
#include "cli/programs/harness.h"

#include <filesystem>

#include "cli/programs/findings.h"
#include "engine/candidates/harness_names.h"
#include "services/files/files.h"
#include "services/files/open_harness.h"

namespace komuz::cli {
namespace {

namespace fs = std::filesystem;

bool is_harness_file(const std::string& path) {
  std::string source;
  if (!services::exists(path) || services::read_file(path, source, services::kMostSourceBytes))
    return false;
  services::Project project(path);
  return services::is_harness(source, project.modules());
}

}  // namespace

bool Harness::is_file(const std::string& other) const {
  std::error_code ignored;
  return fs::equivalent(path, other, ignored);
}

Exit open_harness(const std::string& path, std::string_view entry, engine::ModuleLoader& modules,
                  Terminal& terminal, u32& number) {
  const Result<services::OpenedHarness> opened = services::open_harness(path, entry, modules);
  if (const Problem& error = opened.problem())
    return terminal.input_error(error.message(), error.remedy());
  number = opened.value().number;
  const Library& library = modules.library();
  if (opened.value().needs_too_many) {
    terminal.error(path + ": " + std::string(engine::ModuleLoader::kTooMany),
                   "leave some out, or join some into one");
    return Exit::Failure;
  }
  using Kind = services::HarnessProblem::Kind;
  const services::HarnessProblem& problem = opened.value().fault;
  switch (problem.kind) {
    case Kind::None: return Exit::Success;
    case Kind::HasErrors:
      terminal.err.write(render_findings(module_findings(library), terminal.err.style()));
      return Exit::Failure;
    case Kind::OpensNothing:
    case Kind::OpenEntry:
    case Kind::NoEntry: break;
  }
  terminal.error(problem.message, problem.remedy + problem.by_option);
  // Another entry than the usual one was named by the user.
  const bool is_usage = problem.kind == Kind::OpenEntry ||
                        (problem.kind == Kind::NoEntry && entry != engine::kScoreFunction);
  return is_usage ? Exit::Usage : Exit::Failure;
}

Exit open_harness(const Args& args, std::string_view command, Terminal& terminal,
                  std::optional<Harness>& out) {
  const auto path = args.value("harness");
  if (!path) {
    if (args.value("entry"))
      return terminal.usage_error(command, "`--entry` names a function of a `--harness`");
    return Exit::Success;
  }
  Harness harness{std::string(*path),
                  std::string(args.value("entry").value_or(engine::kScoreFunction)),
                  std::make_shared<services::Project>(std::string(*path))};
  harness.project->files().add_folder_of(std::string(args.positional[0]));
  const Exit opened = open_harness(harness.path, harness.entry, harness.project->modules(),
                                   terminal, harness.number);
  out = std::move(harness);
  return opened;
}

services::UsedHarness find_used_harness(const std::string& path, std::string_view source,
                                        const Library& library) {
  const fs::path above = fs::path(path).parent_path() / "..";
  return services::find_used_harness(source, library, [&](const std::string& name) {
    std::string file = (above / (name + ".komuz")).lexically_normal().string();
    return is_harness_file(file) ? file : std::string();
  });
}

}  // namespace komuz::cli
