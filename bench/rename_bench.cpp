// SPDX-License-Identifier: Apache-2.0
// Questions of an editor about a whole project: a hundred files of a thousand lines, of which some use what is asked about. From a message
// to its answer, without a stream; files are in memory.
#include <benchmark/benchmark.h>

#include <map>
#include <string>

#include "lsp/project/files.h"
#include "lsp/server.h"
#include "lsp/wire/framing.h"
#include "lsp/wire/json_text.h"

namespace komuz::lsp {
namespace {

constexpr u32 kFiles = 100, kLines = 1000;

class ProjectFiles final : public Files {
 public:
  std::map<std::string, std::string> texts;

  [[nodiscard]] std::optional<std::string> read(const std::string& path) override {
    const auto found = texts.find(path);
    return found == texts.end() ? std::nullopt : std::optional(found->second);
  }
  [[nodiscard]] std::string real_path(const std::string& path) override { return path; }
  [[nodiscard]] std::vector<std::string> list_modules(const std::string& folder) override {
    constexpr std::string_view kEnding = ".komuz";
    std::vector<std::string> paths;
    for (const auto& [path, text] : texts)
      paths.push_back(
          path.substr(folder.size() + 1, path.size() - folder.size() - 1 - kEnding.size()));
    return paths;
  }
  [[nodiscard]] bool lists_all(const std::string& /*folder*/) override { return true; }
  [[nodiscard]] std::string keep(const std::string& /*name*/, std::string_view /*text*/) override {
    return {};
  }
};

// Functions that call each other; the last one uses the module, if the file does.
std::string text_of_file(u32 number, bool uses) {
  std::string text = uses ? "use core;\n\n" : "";
  const std::string file = std::to_string(number);
  u32 lines = 2, k = 0;
  for (; lines + 12 < kLines; lines += 7, ++k) {
    const std::string own = std::to_string(k);
    text += "/// Number " + own + ".\nfn item" + file + "_" + own +
            "(x: f64, y: f64) -> f64 {\n    let a = x * " + own +
            ".5 + y;\n    let b = if a > 1.0 { sqrt(abs(a)) } else { a * a };\n    b + a";
    if (k != 0) text += " + item" + file + "_" + std::to_string(k - 1) + "(a, b)";
    text += "\n}\n\n";
  }
  if (uses)
    text += "pub fn user" + file + "(x: f64) -> f64 {\n    core.wanted(x) + item" + file +
            "_0(x, core.wanted(1.0))\n}\n";
  return text;
}

class Project {
 public:
  explicit Project(u32 users) {
    files_.texts["/w/core.komuz"] =
        "/// Wanted.\n/// >>> wanted(1.0) == 2.0\npub fn wanted(x: f64) -> f64 { x + 1.0 }\n\n" +
        text_of_file(0, false);
    for (u32 k = 1; k < kFiles; ++k)
      files_.texts["/w/file" + std::to_string(k) + ".komuz"] = text_of_file(k, k <= users);
    client_ = server_.connect();
    send({{"id", 0},
          {"method", "initialize"},
          {"params",
           {{"rootUri", "file:///w"},
            {"capabilities", {{"workspace", {{"workspaceEdit", {{"documentChanges", true}}}}}}}}}});
    send({{"method", "textDocument/didOpen"},
          {"params",
           {{"textDocument",
             {{"uri", "file:///w/core.komuz"},
              {"languageId", "komuz"},
              {"version", 1},
              {"text", files_.texts["/w/core.komuz"]}}}}}});
  }
  // How long the answer is.
  size_t ask(std::string_view method, Json more) {
    more["textDocument"] = {{"uri", "file:///w/core.komuz"}};
    more["position"] = {{"line", 2}, {"character", 8}};
    send({{"id", 1}, {"method", method}, {"params", std::move(more)}});
    return answer_.size();
  }

 private:
  void send(Json message) {
    message["jsonrpc"] = "2.0";
    server_.receive(client_, framed(message.dump()));
    while (const JobRef job = server_.take()) {
      job->run();
      static_cast<void>(server_.finish(job));
    }
  }

  ProjectFiles files_;
  std::string answer_;
  Server server_{files_, "0.0.0",
                 [this](u32 /*client*/, std::string_view message) { answer_ = message; }};
  u32 client_ = 0;
};

void ask_project(benchmark::State& state, std::string_view method, const Json& more) {
  Project project(static_cast<u32>(state.range(0)));
  size_t bytes = 0;
  for (auto _ : state) bytes = project.ask(method, more);
  state.counters["answer_bytes"] = static_cast<f64>(bytes);
}

void rename(benchmark::State& state) {
  ask_project(state, "textDocument/rename", {{"newName", "another"}});
}
BENCHMARK(rename)->Arg(10)->Arg(99)->Unit(benchmark::kMillisecond);
void references(benchmark::State& state) {
  ask_project(state, "textDocument/references", {{"context", {{"includeDeclaration", true}}}});
}
BENCHMARK(references)->Arg(10)->Arg(99)->Unit(benchmark::kMillisecond);
void symbols(benchmark::State& state) {
  ask_project(state, "workspace/symbol", {{"query", "want"}});
}
BENCHMARK(symbols)->Arg(99)->Unit(benchmark::kMillisecond);
void hints(benchmark::State& state) {
  ask_project(state, "textDocument/inlayHint",
              {{"range",
                {{"start", {{"line", 0}, {"character", 0}}},
                 {"end", {{"line", kLines}, {"character", 0}}}}}});
}
BENCHMARK(hints)->Arg(0)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace komuz::lsp

BENCHMARK_MAIN();
