// SPDX-License-Identifier: Apache-2.0
// komuz doc: documents built-in names and modules.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/commands/command.h"
#include "cli/files/json_line.h"
#include "lang/standard_modules.h"
#include "mend/builtin_words.h"
#include "services/display_text.h"
#include "services/doc_finder.h"
#include "services/files/project.h"

namespace komuz::cli {
namespace {

constexpr OptionRow kOptions[] = {
    {"json", "", "one object for each name, one a line"},
};

constexpr std::string_view kStandard = "std";

// Names that need no path: built-in names, and the modules of the standard library.
std::vector<std::string> names_without_module() {
  std::vector<std::string> names;
  for (const BuiltinWord& word : builtin_words())
    if (word.spelling == word.meant && word.kind != BuiltinWord::Kind::Type)
      names.emplace_back(word.spelling);
  for (const StandardModule& module : standard_modules())
    names.push_back(std::string(kStandard) + "." + std::string(module.name));
  std::ranges::sort(names);
  const auto repeated = std::ranges::unique(names);
  names.erase(repeated.begin(), repeated.end());
  return names;
}

// The modules of the standard library, one on each line.
std::string modules_text(bool is_json) {
  std::string text;
  size_t width = 0;
  for (const StandardModule& module : standard_modules())
    width = std::max(width, kStandard.size() + 1 + module.name.size());
  for (const StandardModule& module : standard_modules()) {
    const std::string path = std::string(kStandard) + "." + std::string(module.name);
    const std::string summary = services::module_summary(module.text);
    if (is_json) {
      text += json_line(
          services::doc_json({std::string(module.name), path, "use " + path + ";", summary}));
    } else {
      text += path + std::string(width + 2 - path.size(), ' ') + summary;
    }
  }
  return text;
}

Exit run(Args& args, Terminal& terminal) {
  if (args.has_rest) return terminal.usage_error("doc", "`--` has no meaning here");
  const bool is_json = args.has("json");
  if (args.positional.empty()) args.positional.push_back(kStandard);
  services::ProjectFiles files;
  services::DocFinder docs(
      [&](std::string_view path) -> std::optional<std::string> {
        std::optional<engine::ModuleText> module = files.read(path);
        return module ? std::optional(std::move(module->text)) : std::nullopt;
      },
      [&files] { return files.list(); });
  std::string text;
  for (const std::string_view name : args.positional) {
    if (name == kStandard) {
      text += modules_text(is_json);
      continue;
    }
    const std::vector<services::DocEntry> found = docs.find(name);
    if (found.empty()) {
      const std::string near = docs.nearest(name);
      return terminal.usage_error("doc",
                                  "nothing is called `" + std::string(name) + "`" +
                                      (near.empty() ? "" : "; did you mean `" + near + "`?"));
    }
    for (const services::DocEntry& entry : found) {
      if (is_json)
        text += json_line(services::doc_json(entry));
      else if (found.size() > 2)
        text += services::render_doc_line(entry);
      else
        text += (text.empty() ? "" : "\n") + services::render_doc(entry);
    }
  }
  const services::RenderStyle style = terminal.out.style();
  terminal.out.write(style.wraps && !is_json ? services::wrapped_paragraphs(text, style.width)
                                             : text);
  return Exit::Success;
}

}  // namespace

constinit const Command kDocCommand = {
    .name = "doc",
    .summary = "show the documentation of built-in names and modules",
    .usage =
        "  komuz doc [NAMES…] [--json]\n"
        "NAMES are built-in functions and constants, modules (`std.math`), and names in modules\n"
        "(`math.lerp`). A module below the current folder is found by the end of its path:\n"
        "`money.split` finds src/lib/money.komuz. One word alone finds a module in the current\n"
        "folder or in a folder directly below it. Without names, or with `std`, the modules of\n"
        "the standard library are listed.\n",
    .examples =
        "  komuz doc clamp\n"
        "  komuz doc std.math\n"
        "  komuz doc math.lerp --json\n",
    .arguments = {one_of(names_without_module)},
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli
