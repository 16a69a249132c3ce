// SPDX-License-Identifier: Apache-2.0
// Files and folders that are about to get other names: those who use their modules name the new paths.
#include <algorithm>

#include "lsp/answers/params.h"
#include "lsp/answers/shapes.h"
#include "lsp/text/uri.h"
#include "services/apply_edits.h"
#include "services/editor/check_text.h"
#include "services/editor/use_links.h"
#include "services/refactor/move_module.h"

namespace komuz::lsp {
namespace {

constexpr std::string_view kEnding = ".komuz";

// Where each file of a module goes, by paths through all links.
using Moved = std::map<std::string, std::string>;

Moved moved_files(const Question& question, const Json& files) {
  Files& disk = question.workspace.files();
  Moved moved;
  for (const Json& file : files) {
    const Json &from_uri = member(file, "oldUri"), &to_uri = member(file, "newUri");
    if (!from_uri.is_string() || !to_uri.is_string()) continue;
    const auto from = path_of_uri(from_uri.get<std::string>());
    const auto to = path_of_uri(to_uri.get<std::string>());
    if (!from || !to) continue;
    const std::string old_path = disk.real_path(*from), new_path = disk.real_path(*to);
    if (old_path.ends_with(kEnding)) {
      moved[old_path] = new_path;
      continue;
    }
    for (const std::string& module : disk.list_modules(old_path))
      moved[disk.real_path(module_file(old_path, module))] = module_file(new_path, module);
  }
  return moved;
}

const std::string& new_place(const Moved& moved, const std::string& path) {
  const auto found = moved.find(path);
  return found == moved.end() ? path : found->second;
}

bool has_name_of(const Moved& moved, const std::vector<services::UseLink>& links) {
  return std::ranges::any_of(links, [&](const services::UseLink& link) {
    const std::string name = link.path.substr(link.path.rfind('.') + 1) + std::string(kEnding);
    return std::ranges::any_of(
        moved, [&](const auto& one) { return one.first.substr(one.first.rfind('/') + 1) == name; });
  });
}

std::vector<services::ModuleMove> moves_of(const Question& question, const Document& document,
                                           const std::vector<services::UseLink>& links,
                                           const Moved& moved) {
  Workspace& workspace = question.workspace;
  Document afterwards = document;
  afterwards.path = new_place(moved, document.path);
  std::vector<services::ModuleMove> moves;
  for (const services::UseLink& link : links) {
    const Module* const module = workspace.find_module(document, link.path);
    if (module == nullptr || module->file.starts_with('<')) continue;
    const std::string file = workspace.files().real_path(module->file);
    const std::string& file_afterwards = new_place(moved, file);
    if (file == file_afterwards && document.path == afterwards.path) continue;
    const auto path = workspace.module_path(afterwards, file_afterwards);
    if (path && *path != link.path) moves.push_back({link.path, *path});
  }
  return moves;
}

u64 count_errors(const services::CheckedText& checked) {
  return static_cast<u64>(std::ranges::count_if(checked.diagnostics, [](const Diagnostic& d) {
    return diagnostic_row(d.code()).severity == Severity::Error;
  }));
}

// Has the text no more errors when the files are where they go?
bool is_right_afterwards(const Question& question, const Document& document,
                         const std::vector<Edit>& edits, const Moved& moved) {
  const std::string after = services::with_edits(document.text, edits);
  std::map<std::string, std::string> texts;
  Workspace& workspace = question.workspace;
  for (const auto& [from, to] : moved) {
    const DocumentRef open = workspace.documents().find_path(from);
    const std::optional<std::string> text = open ? open->text : workspace.files().read(from);
    if (text) texts[to] = *text;
  }
  Document afterwards = document;
  afterwards.path = new_place(moved, document.path);
  const auto supposed = workspace.suppose(afterwards, std::move(texts));
  const services::CheckedText checked =
      services::check_text(after, supposed->loader, {}, question.stop);
  return !checked.was_stopped &&
         count_errors(checked) <= count_errors(workspace.check(document, question.stop));
}

}  // namespace

Outcome answer_renamed_files(const Question& question) {
  const Json& files = member(question.params, "files");
  if (!files.is_array())
    return Refusal{ErrorCode::InvalidParams, "`files` is a list of `{oldUri, newUri}`"};
  const Moved moved = moved_files(question, files);
  if (moved.empty()) return Json();
  std::vector<DocumentEdits> all;
  frontend::Compiler lexer;
  const auto may_use = [](std::string_view text) {
    return text.find("use ") != std::string_view::npos;
  };
  for (const DocumentRef& document :
       question.workspace.project_texts(*make_document("", "", 0, ""), may_use)) {
    if (question.stop.stop_requested()) return cancelled();
    static_cast<void>(lexer.identify(document->text));
    const std::vector<services::UseLink> links =
        services::list_use_links(lexer.columns(), document->text);
    if (!moved.contains(document->path) && !has_name_of(moved, links)) continue;
    const std::vector<services::ModuleMove> moves = moves_of(question, *document, links, moved);
    if (moves.empty()) continue;
    const std::vector<Edit> edits =
        services::move_modules(question.workspace.analyse(*document), moves);
    // A name that is taken there is for a person to change.
    if (edits.empty() || !is_right_afterwards(question, *document, edits, moved)) continue;
    Json list = Json::array();
    for (const Edit& edit : edits)
      list.push_back(text_edit_json(*document, edit, question.client.encoding));
    all.push_back({document, std::move(list)});
  }
  if (all.empty()) return Json();
  return project_edit_json(question, std::move(all));
}

}  // namespace komuz::lsp
