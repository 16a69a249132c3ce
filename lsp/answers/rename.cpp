// SPDX-License-Identifier: Apache-2.0
// Another name in all texts of the project that use what is renamed. What comes of it is compiled before it is
// answered.
#include "services/editor/rename.h"

#include <algorithm>
#include <map>
#include <memory>

#include "lsp/answers/params.h"
#include "lsp/answers/project_names.h"
#include "lsp/answers/shapes.h"

namespace komuz::lsp {
namespace {

using services::FoundName;
using services::TextRename;

// Candidates of a harness are files, as it is itself.
Result<FoundName> name_at(const Question& question, const Document& document, u32 byte) {
  return services::prepare_rename(document.text, question.workspace.modules_of(document).library(),
                                  byte,
                                  document.path.empty() ? services::HarnessCandidates::Unknown
                                                        : services::HarnessCandidates::Known);
}

Refusal refused(std::string words) { return {ErrorCode::RequestFailed, std::move(words)}; }

// A text, and what becomes of it.
struct Renamed {
  DocumentRef document;
  std::unique_ptr<TextRename> rename;
  bool is_home = false;  // it defines the name
};

std::string shown_path(const Document& document) {
  return document.path.empty() ? document.uri : document.path;
}
Refusal refused_in(const Document& document, const Problem& problem) {
  InputPlace place = problem.place();
  if (place.line != 0) place.file = shown_path(document);
  return refused(Problem(ProblemKind::Input, place, problem.message(), problem.remedy()).text());
}

class ProjectRename {
 public:
  ProjectRename(const Question& question, DocumentRef document, u32 byte,
                const std::string& new_name)
      : question_(question), document_(std::move(document)), byte_(byte), new_name_(new_name) {}

  Outcome operator()() {
    const Result<FoundName> found = name_at(question_, *document_, byte_);
    if (found.problem()) return refused_in(*document_, found.problem());
    const FoundName& target = found.value();
    if (Problem problem = services::check_new_name(new_name_)) return refused(problem.text());
    if (target.name == new_name_) return edits();
    // What is no file is used by no other text.
    const bool is_of_many = target.shared && (!target.shared->module.empty() ||
                                              (target.is_shown && !document_->path.empty()) ||
                                              fills_open(question_, *document_, *target.shared));
    const auto failed = is_of_many ? find_in_project(target) : find_here(target);
    if (failed) return *failed;
    if (const auto wrong = check()) return *wrong;
    return edits();
  }

 private:
  std::optional<Refusal> find_here(const FoundName& target) {
    auto rename = std::make_unique<TextRename>(document_->text, target.name, new_name_);
    const Library& library =
        question_.workspace.modules_for(*document_, rename->kept_text()).library();
    services::Analysis analysis(&library, services::Examples::Tests);
    if (Problem problem = rename->find(analysis, target.begin))
      return refused_in(*document_, problem);
    texts_.push_back({document_, std::move(rename), true});
    return std::nullopt;
  }
  std::optional<Refusal> find_in_project(const FoundName& target) {
    if (const std::string folder = question_.workspace.large_folder(*document_); !folder.empty())
      return refused("`" + target.name + "` may be used in files that are not looked at, since " +
                     folder + " has too many of them; open the folder of the project alone");
    auto found = texts_naming(question_, *document_, *target.shared, {target.name, new_name_});
    if (!found) return cancelled();
    if (!found->has_home)
      return refused(
          "`" + target.name + "` is defined in " + found->home +
          ", which is in none of the folders of the workspace; open the file, or its folder");
    for (NamingText& text : found->list) {
      if (question_.stop.stop_requested()) return cancelled();
      auto rename = std::make_unique<TextRename>(text.document->text, std::move(text.kept),
                                                 target.name, new_name_);
      static_cast<void>(question_.workspace.modules_for(*text.document, rename->kept_text()));
      if (Problem problem = rename->find(*text.analysis, std::move(text.names)))
        return refused_in(*text.document, problem);
      texts_.push_back({text.document, std::move(rename), text.document->path == found->home});
    }
    return std::nullopt;
  }

  // Compiles what comes of it, with the modules as they are then.
  std::optional<Refusal> check() {
    std::map<std::string, std::string> changed;
    for (const Renamed& text : texts_)
      if (!text.document->path.empty() && !text.rename->uses().empty())
        changed[text.document->path] = text.rename->renamed();
    struct Afterwards {
      std::unique_ptr<Workspace::Supposed> modules;
      std::unique_ptr<services::Analysis> analysis;
    };
    std::map<std::string, Afterwards> by_folder;
    // Where it is defined first: what is wrong there is wrong with all others.
    std::stable_partition(texts_.begin(), texts_.end(),
                          [](const Renamed& text) { return text.is_home; });
    for (const Renamed& text : texts_) {
      if (question_.stop.stop_requested()) return cancelled();
      const std::string& path = text.document->path;
      Afterwards& then = by_folder[path.substr(0, path.rfind('/') + 1) + "\n" +
                                   question_.workspace.harness_of(*text.document)];
      if (then.modules == nullptr) {
        then.modules = question_.workspace.suppose(*text.document, changed);
        then.analysis = std::make_unique<services::Analysis>(&then.modules->loader.library(),
                                                             services::Examples::Tests);
      }
      then.modules->loader.load(text.rename->checked_text());
      if (Problem problem = text.rename->check(*then.analysis))
        return refused_in(*text.document, problem);
    }
    return std::nullopt;
  }

  [[nodiscard]] Json edits() const {
    std::vector<DocumentEdits> all;
    for (const Renamed& text : texts_) {
      Json edits = Json::array();
      for (const services::NameUse& use : text.rename->uses())
        edits.push_back(
            {{"range", range_json(*text.document, {use.begin, use.end}, question_.client.encoding)},
             {"newText", new_name_}});
      if (!edits.empty()) all.push_back({text.document, std::move(edits)});
    }
    return project_edit_json(question_, std::move(all));
  }

  const Question& question_;
  DocumentRef document_;
  u32 byte_;
  const std::string& new_name_;
  std::vector<Renamed> texts_;
};

}  // namespace

Outcome answer_prepare_rename(const Question& question) {
  const Read<Spot> spot = read_spot(question);
  if (!spot) return *spot.refusal;
  const Document& document = *spot.value.document;
  const Result<FoundName> found = name_at(question, document, spot.value.byte);
  if (found.problem()) return refused_in(document, found.problem());
  const FoundName& name = found.value();
  return Json{{"range", range_json(document, {name.begin, name.end}, question.client.encoding)},
              {"placeholder", name.name}};
}

Outcome answer_rename(const Question& question) {
  const Read<Spot> spot = read_spot(question);
  if (!spot) return *spot.refusal;
  const Json& name = member(question.params, "newName");
  if (!name.is_string())
    return Refusal{ErrorCode::InvalidParams, "`newName` is missing, or no text"};
  return ProjectRename(question, spot.value.document, spot.value.byte,
                       name.get_ref<const std::string&>())();
}

}  // namespace komuz::lsp
