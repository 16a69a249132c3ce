// SPDX-License-Identifier: Apache-2.0
#include "tests/lsp/session_harness.h"

#include <algorithm>
#include <filesystem>

#include "lsp/wire/framing.h"
#include "services/items.h"

namespace komuz::lsp_test {

using lsp::Json;

std::optional<std::string> MemoryFiles::read(const std::string& path) {
  const auto found = texts.find(real_path(path));
  return found == texts.end() ? std::nullopt : std::optional(found->second);
}
std::string MemoryFiles::real_path(const std::string& path) {
  constexpr std::string_view kLink = "/link/";
  const std::string real = path.starts_with(kLink) ? "/w/" + path.substr(kLink.size()) : path;
  return std::filesystem::path(real).lexically_normal().string();
}
std::vector<std::string> MemoryFiles::list_modules(const std::string& folder) {
  constexpr std::string_view kEnding = ".komuz";
  std::vector<std::string> paths;
  for (const auto& [path, text] : texts) {
    if (!path.starts_with(folder + "/") || !path.ends_with(kEnding)) continue;
    std::string below = path.substr(folder.size() + 1);
    below.resize(below.size() - kEnding.size());
    std::ranges::replace(below, '/', '.');
    paths.push_back(std::move(below));
  }
  return paths;
}
bool MemoryFiles::lists_all(const std::string& folder) { return !large.contains(folder); }
std::vector<std::string> MemoryFiles::list_folder(const std::string& folder) {
  const std::string above = real_path(folder + "/");
  std::set<std::string> names;
  for (const auto& [path, text] : texts)
    if (path.starts_with(above))
      names.insert(path.substr(above.size(), path.find('/', above.size()) + 1 - above.size()));
  return {names.begin(), names.end()};
}
std::string MemoryFiles::keep(const std::string& name, std::string_view text) {
  texts["/kept/" + name] = text;
  return "/kept/" + name;
}

SessionHarness::SessionHarness()
    : server_(files, "0.0.0",
              [this](u32 /*client*/, std::string_view message) {
                messages_.push_back(Json::parse(message));
              }),
      client_(server_.connect()) {
  server_.set_take_input([this](std::string text) {
    if (is_session_busy) return false;
    messages_.push_back({{"jsonrpc", "2.0"}, {"toSession", std::move(text)}});
    return true;
  });
}

std::vector<Json> SessionHarness::take_messages() { return std::exchange(messages_, {}); }
void SessionHarness::send(const Json& message) { send_bytes(lsp::framed(message.dump())); }
void SessionHarness::send_bytes(std::string_view bytes) { server_.receive(client_, bytes); }
void SessionHarness::run_jobs() {
  while (const lsp::JobRef job = server_.take()) {
    job->progress->attach([this, number = job->number](Json value) {
      server_.tell_progress(number, std::move(value));
    });
    job->run();
    static_cast<void>(server_.finish(job));
  }
}

Json request(i64 id, std::string_view method, Json params) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}};
}
Json notification(std::string_view method, Json params) {
  return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
}
Json opened(std::string_view uri, i64 version, std::string_view text) {
  return notification(
      "textDocument/didOpen",
      {{"textDocument",
        {{"uri", uri}, {"languageId", "komuz"}, {"version", version}, {"text", text}}}});
}

std::shared_ptr<services::LiveSession> live_session(const std::string& items) {
  auto live = std::make_shared<services::LiveSession>();
  live->name = "8940";
  frontend::Compiler compiler;
  frontend::Compilation compiled;
  compiler.compile(items, compiled);
  for (const services::TextItem& item : services::list_items(compiler, items))
    live->definitions.add(
        {item.form, item.name, items.substr(item.begin, item.end - item.begin), "<stdin>", 1});
  return live;
}

std::string laid_out(const Json& value, size_t indent) {
  constexpr size_t kMost = 100;
  const std::string flat = value.dump();
  if (!value.is_structured() || value.empty() || flat.size() + indent <= kMost) return flat;
  const std::string blanks(indent + 2, ' ');
  const char open = value.is_object() ? '{' : '[';
  std::string out(1, open);
  bool is_first = true;
  for (const auto& [name, part] : value.items()) {
    out += (is_first ? "\n" : ",\n") + blanks;
    is_first = false;
    if (value.is_object()) out += Json(name).dump() + ": ";
    out += laid_out(part, indent + 2);
  }
  return out + "\n" + std::string(indent, ' ') + (value.is_object() ? "}" : "]");
}

}  // namespace komuz::lsp_test
