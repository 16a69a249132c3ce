// SPDX-License-Identifier: Apache-2.0
#include "cli/programs/native_errors.h"

namespace komuz::cli {

std::nullopt_t NativeErrors::usage(const std::string& why) {
  exit_ = terminal_.usage_error(command_, why);
  return std::nullopt;
}

std::nullopt_t NativeErrors::missing(const std::string& what, const Problem& problem) {
  terminal_.error("no " + what + ": " + problem.message(), problem.remedy());
  exit_ = Exit::Device;
  return std::nullopt;
}

std::optional<std::string_view> NativeErrors::entry(const Args& args) {
  const std::vector<std::string_view> named = args.values("entry");
  if (named.empty()) return "";
  if (named.size() > 1)
    return usage("`--entry` names one function, and is given " + std::to_string(named.size()) +
                 " times");
  if (named[0].empty())
    return usage("`--entry` takes the name of a function, and is given an empty one");
  return named[0];
}

void NativeErrors::warn_of_holes(const std::string& path, const CodeView& code) {
  for (u32 k = 0; k < code.instructions.size(); ++k) {
    const Instruction i = code.instructions[k];
    if (i.op != Op::LoadHole && !(i.op == Op::TrapNow && i.a == static_cast<u16>(Trap::Hole)))
      continue;
    const Function& f = code.functions[code.function_at(k)];
    return terminal_.warning(
        path + ": `" + std::string(code.name(f)) +
            "` has a hole that nobody has decided: calls that reach it end with HOLE",
        "let `komuz search` decide, and build what it has found");
  }
}

Exit list_processors(Terminal& terminal) {
  const Result<const backend::Backend*> opened = backend::open_backend();
  if (opened.problem()) {
    terminal.error("no native code: " + opened.problem().message(), opened.problem().remedy());
    return Exit::Device;
  }
  terminal.out.write("native\n");
  for (const std::string& name : opened.value()->processors()) terminal.out.write(name + "\n");
  return Exit::Success;
}

}  // namespace komuz::cli
