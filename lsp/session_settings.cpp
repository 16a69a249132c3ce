// SPDX-License-Identifier: Apache-2.0
// What a session does when folders of the workspace come and go, and when settings change: what a client can be asked
// for is asked, of others what they send counts.
#include <algorithm>

#include "lsp/answers/params.h"
#include "lsp/session.h"
#include "lsp/text/uri.h"

namespace komuz::lsp {
namespace {

constexpr std::string_view kSection = "komuz";

}  // namespace

void Session::take_project(Project project) {
  if (project_ != nullptr && *project_ == project) return;
  const bool is_first = project_ == nullptr;
  project_ = std::make_shared<const Project>(std::move(project));
  if (is_first) return;
  ++files_stamp_;
  note_change();
  named_files_ = std::make_shared<NamedFiles>(files_, project_->paths());
  check_all_later();
  rank_all_later();
  test_all_later();
}

Settings Session::read_section(const Json& section) {
  std::vector<std::string> problems;
  Settings settings;
  read_settings(client_->first_settings, settings, problems);
  read_settings(section, settings, problems);
  // Clients send all of it again and again.
  for (std::string& problem : problems)
    if (told_problems_.insert(problem).second) log(std::move(problem));
  return settings;
}

void Session::begin_project() {
  Project project;
  project.settings = read_section(nullptr);
  for (const std::string& path : client_->folders)
    project.folders.push_back({path, project.settings});
  take_project(std::move(project));
}

void Session::ask_settings() {
  if (!client_->has_settings) return;
  Json items = Json::array({{{"section", kSection}}});
  const std::vector<std::string> paths = project_->paths();
  for (const std::string& path : paths)
    items.push_back({{"scopeUri", uri_of_path(path)}, {"section", kSection}});
  ask_client("workspace/configuration", {{"items", std::move(items)}},
             [this, paths](const Outcome& outcome) {
               // A client that says no has none.
               const Json* const answer = std::get_if<Json>(&outcome);
               if (answer == nullptr || !answer->is_array() || answer->empty()) return;
               Project project = *project_;
               project.settings = read_section(answer->at(0));
               for (Project::Folder& folder : project.folders) {
                 const auto at =
                     static_cast<size_t>(std::ranges::find(paths, folder.path) - paths.begin());
                 if (at + 1 < answer->size()) folder.settings = read_section(answer->at(at + 1));
               }
               take_project(std::move(project));
             });
}

void Session::change_configuration(const Message& message) {
  if (client_->has_settings) return ask_settings();
  const Json& sections = member(message.params, "settings");
  Project project = *project_;
  project.settings = read_section(member(sections, kSection));
  for (Project::Folder& folder : project.folders) folder.settings = project.settings;
  take_project(std::move(project));
}

void Session::change_folders(const Message& message) {
  const Json& event = member(message.params, "event");
  Project project = *project_;
  const auto paths_of = [&](std::string_view which) {
    std::vector<std::string> paths;
    for (const Json& folder : member(event, which)) {
      std::string path = folder_path(member(folder, "uri"));
      if (!path.empty()) paths.push_back(std::move(path));
    }
    return paths;
  };
  for (const std::string& path : paths_of("removed"))
    std::erase_if(project.folders,
                  [&](const Project::Folder& folder) { return folder.path == path; });
  for (std::string& path : paths_of("added"))
    if (std::ranges::find(project.folders, path, &Project::Folder::path) == project.folders.end())
      project.folders.push_back({std::move(path), project.settings});
  take_project(std::move(project));
  ask_settings();
}

}  // namespace komuz::lsp
