// SPDX-License-Identifier: Apache-2.0
// What a session does when files may have changed: it looks at them again, and checks the documents that depend on
// them.
#include <algorithm>

#include "lsp/answers/findings.h"
#include "lsp/answers/params.h"
#include "lsp/session.h"
#include "lsp/text/uri.h"

namespace komuz::lsp {

void Session::register_methods() {
  Json registrations = Json::array();
  if (client_->registers.watched_files)
    registrations.push_back(
        {{"id", "komuz-files"},
         {"method", "workspace/didChangeWatchedFiles"},
         {"registerOptions",
          {{"watchers", {{{"globPattern", "**/*.{komuz,csv,jsonl,ndjson}"}}}}}}});
  if (client_->registers.configuration)
    registrations.push_back({{"id", "komuz-settings"},
                             {"method", "workspace/didChangeConfiguration"},
                             {"registerOptions", {{"section", "komuz"}}}});
  if (registrations.empty()) return;
  ask_client("client/registerCapability", {{"registrations", std::move(registrations)}},
             [this](const Outcome& outcome) {
               if (const auto* const refusal = std::get_if<Refusal>(&outcome))
                 log("the editor does not say which files change: " + refusal->words +
                     "; save a document to have files looked at again");
             });
}

// A client that watches says of files itself what has changed.
void Session::save_document(const Message& /*message*/) {
  ++files_stamp_;
  note_change();
  if (client_->registers.watched_files) return;
  check_all_later();
  rank_all_later();
  test_all_later();
}

void Session::change_files(const Message& message) {
  const Json& changes = member(message.params, "changes");
  if (!changes.is_array()) return log("`didChangeWatchedFiles` has no `changes`");
  look_at_files(changes, {"uri"});
}
void Session::create_files(const Message& message) {
  look_at_files(member(message.params, "files"), {"uri"});
}
void Session::delete_files(const Message& message) { create_files(message); }
void Session::rename_files(const Message& message) {
  look_at_files(member(message.params, "files"), {"oldUri", "newUri"});
}

void Session::look_at_files(const Json& files, const std::vector<std::string_view>& names) {
  std::vector<std::string> paths;
  bool has_folder = false;
  for (const Json& file : files) {
    for (const std::string_view name : names) {
      const Json& uri = member(file, name);
      const auto path = uri.is_string() ? path_of_uri(uri.get<std::string>()) : std::nullopt;
      if (!path) continue;
      paths.push_back(files_.real_path(*path));
      has_folder |= path->substr(path->rfind('/') + 1).find('.') == std::string::npos;
    }
  }
  if (paths.empty()) return;
  ++files_stamp_;
  note_change();
  // Whatever lies in a folder may be meant.
  if (has_folder)
    check_all_later();
  else
    check_users_later(std::move(paths));
  rank_all_later();
  test_all_later();
}

void Session::check_users_later(std::vector<std::string> paths) {
  if (paths.empty()) return;
  if (has_pulled_) return check_all_later();
  // None takes the place of another: each is about files of its own.
  add_job(MessageId(kNoId), "", {}, [paths = std::move(paths)](const Question& question) {
    std::vector<std::string> messages;
    for (const DocumentRef& user : question.workspace.documents().all()) {
      if (question.stop.stop_requested()) break;
      Json findings;
      if (question.workspace.may_use(*user, paths) && list_findings(question, *user, findings))
        messages.push_back(push_text(question.client, *user, std::move(findings)));
    }
    return messages;
  });
}

}  // namespace komuz::lsp
