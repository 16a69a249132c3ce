// SPDX-License-Identifier: Apache-2.0
// komuz doc: what built-in names and modules offer.
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/json_line.h"
#include "cli/project.h"
#include "lang/near_miss.h"
#include "lang/standard_modules.h"
#include "services/doc.h"

namespace komuz::cli {
namespace {

constexpr OptionRow kOptions[] = {
    {"json", "", "an object for each, a line each"},
};

// What the words of a command line may mean.
class Docs {
 public:
  // All that has the name: `clamp`, `lerp`, `math.lerp`, `std.math.lerp`, and of `std.math` all that it has.
  std::vector<services::DocEntry> find(std::string_view name) {
    std::vector<services::DocEntry> found = services::builtin_docs(name);
    for (const StandardModule& module : standard_modules()) {
      const std::string path = "std." + std::string(module.name);
      const bool is_whole = name == path || name == module.name;
      for (services::DocEntry& entry : entries(path, module.text))
        if (is_whole || is_named(entry, name)) found.push_back(std::move(entry));
    }
    if (found.empty()) find_in_project(name, found);
    return found;
  }
  [[nodiscard]] std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const std::string_view name : services::builtin_names()) all.emplace_back(name);
    for (const StandardModule& module : standard_modules()) {
      const std::string path = "std." + std::string(module.name);
      all.push_back(path);
      for (const services::DocEntry& entry : entries(path, module.text)) all.push_back(entry.name);
    }
    return all;
  }

 private:
  std::vector<services::DocEntry> entries(std::string_view path, std::string_view text) {
    return services::module_docs(compiler_, path, text);
  }
  static bool is_named(const services::DocEntry& entry, std::string_view name) {
    const std::string whole = entry.module + "." + entry.name;
    return entry.name == name || whole == name || whole.ends_with("." + std::string(name));
  }
  // A module of the project, or something in one.
  void find_in_project(std::string_view name, std::vector<services::DocEntry>& found) {
    ProjectFiles files;
    if (const auto module = files.read(name)) {
      found = entries(name, module->text);
      return;
    }
    const size_t dot = name.rfind('.');
    if (dot == std::string_view::npos) return;
    const auto module = files.read(name.substr(0, dot));
    if (!module) return;
    for (services::DocEntry& entry : entries(name.substr(0, dot), module->text))
      if (entry.name == name.substr(dot + 1)) found.push_back(std::move(entry));
  }

  frontend::Compiler compiler_;
};

std::string modules_text() {
  std::string text;
  for (const StandardModule& module : standard_modules()) {
    std::string name = "std." + std::string(module.name);
    name.resize(std::max<size_t>(name.size() + 2, 12), ' ');
    text += name + services::module_summary(module.text);
  }
  return text;
}

Exit run(Args& args, Terminal& terminal) {
  if (args.has_rest) return terminal.usage_error("doc", "`--` has no meaning here");
  if (args.positional.empty()) {
    terminal.out.write(modules_text());
    return Exit::Success;
  }
  Docs docs;
  std::string text;
  for (const std::string_view name : args.positional) {
    const std::vector<services::DocEntry> found = docs.find(name);
    if (found.empty()) {
      const std::vector<std::string> names = docs.names();
      const std::vector<std::string_view> choices(names.begin(), names.end());
      const std::string_view near = nearest_word(name, choices);
      return terminal.usage_error(
          "doc", "nothing is called `" + std::string(name) + "`" +
                     (near.empty() ? "" : "; did you mean `" + std::string(near) + "`?"));
    }
    for (const services::DocEntry& entry : found) {
      if (args.has("json"))
        text += json_line(services::doc_json(entry));
      else if (found.size() > 2)
        text += services::render_doc_line(entry);
      else
        text += (text.empty() ? "" : "\n") + services::render_doc(entry);
    }
  }
  terminal.out.write(text);
  return Exit::Success;
}

}  // namespace

constinit const Command kDocCommand = {
    .name = "doc",
    .summary = "show what built-in names and modules offer",
    .usage =
        "  komuz doc [NAMES…] [--json]\n"
        "NAMES are built-in functions and constants, modules (`std.math`), and what these have\n"
        "(`math.lerp`). Without names the modules of the standard library are listed.\n",
    .examples =
        "  komuz doc clamp\n"
        "  komuz doc std.math\n"
        "  komuz doc math.lerp --json\n",
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli
