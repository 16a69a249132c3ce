// SPDX-License-Identifier: Apache-2.0
// What is known of the documents of one client: modules, analyses, findings. Used by the thread that answers questions, and by no
// other. All of it follows from the documents and the files: it could be forgotten at any time.
#pragma once
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "lsp/client/settings.h"
#include "lsp/project/folder_modules.h"
#include "services/analysis.h"
#include "services/editor/function_costs.h"
#include "services/harness.h"
#include "services/quick/quick_check.h"
#include "services/quick/quick_tokens.h"
#include "services/session/live_session.h"
#include "services/variants/rank_sketch.h"

namespace komuz::lsp {

class Workspace {
 public:
  Workspace(Files& files, std::shared_ptr<const Project> project)
      : files_(files), project_(std::move(project)), folders_(project_->paths()) {}

  // From now on the project is this one.
  void look_at(const std::shared_ptr<const Project>& project);
  // From now on questions are about these. `files_stamp` is another one whenever files may have changed.
  void look_at(const Documents& documents, u64 files_stamp);

  // From now on a session is attached; null: none is (workspace_session.cpp).
  void look_at(const services::LiveRef& live);
  [[nodiscard]] const services::LiveRef& live() const { return live_; }

  // Of the text alone.
  [[nodiscard]] services::Analysis& analyse(const Document& document);
  // … and with all that the attached session has defined behind it: for questions about what names mean.
  [[nodiscard]] services::Analysis& analyse_names(const Document& document);
  // … for questions about what stands at a byte, which cost what its item costs as long as nobody asked about all of the text.
  [[nodiscard]] services::Analysis& analyse_around(const Document& document, u32 byte);
  // What the text names of the session, to be compiled behind it; empty: nothing.
  [[nodiscard]] const services::DefinitionText& items_of(const Document& document);
  // The text with these.
  [[nodiscard]] std::string compiled_text(const Document& document);
  // Where something is defined that analyse_names found behind the text: in the file that the session took it from, if that still
  // says it, else in a text of all definitions. Nothing: it cannot be kept as a file.
  struct SessionPlace {
    std::string path, text;
    u32 begin = 0, end = 0;
  };
  [[nodiscard]] std::optional<SessionPlace> session_place(const Document& document, u32 begin,
                                                          u32 end);

  [[nodiscard]] const services::CheckedText& check(const Document& document,
                                                   const std::stop_token& stop);
  // Nothing where it has errors.
  [[nodiscard]] const std::vector<services::FunctionCost>& function_costs(const Document& document);
  [[nodiscard]] const std::vector<services::KnownToken>& list_tokens(const Document& document);
  // Of those that were listed last: what has become of them since it was marked.
  [[nodiscard]] services::QuickTokens& listed_tokens(const Document& document) {
    return *know(document).tokens;
  }
  // The semantic tokens that the client has of a document, as they were sent, and the id by which it knows them.
  struct SentTokens {
    std::string id;  // empty: it has none
    std::vector<u32> numbers;
    // An answer may be dropped when it is made already: then the client has those before, in which these stood instead.
    struct Before {
      std::string id;  // empty: that is not known
      size_t first = 0, added = 0;
      std::vector<u32> removed;
    } before;
    // They are these again. False: the id is not theirs.
    bool go_back_to(std::string_view known_id) {
      if (before.id.empty() || before.id != known_id) return false;
      const auto at = numbers.begin() + static_cast<std::ptrdiff_t>(before.first);
      const auto behind = numbers.erase(at, at + static_cast<std::ptrdiff_t>(before.added));
      numbers.insert(behind, before.removed.begin(), before.removed.end());
      id = before.id;
      before = {};
      return true;
    }
  };
  [[nodiscard]] SentTokens& sent_tokens(const Document& document) {
    return know(document).sent_tokens;
  }
  // The modules that it uses, by themselves or by way of others: paths of files.
  [[nodiscard]] std::vector<std::string> files_used(const Document& document);
  // May what it uses be, or come to be, one of the files? By paths through all links.
  [[nodiscard]] bool may_use(const Document& document, const std::vector<std::string>& paths);
  // The same with their texts, also of what else is compiled with it, by their paths as modules.
  [[nodiscard]] services::KeptModules kept_modules(const Document& document, std::string_view also);
  // The file of a module that a document uses, or of a text that stands for one of the standard library; empty: there is none.
  [[nodiscard]] std::string file_of_module(const Document& document, std::string_view module);
  [[nodiscard]] const Module* find_module(const Document& document, std::string_view module);
  // How a document names the module that is, or will be, a file; nothing: it cannot.
  [[nodiscard]] std::optional<std::string> module_path(const Document& document,
                                                       const std::string& file);
  // The modules of the document's folder, among them all that its text needs.
  [[nodiscard]] engine::ModuleLoader& modules_of(const Document& document) {
    return modules_for(document, document.text);
  }
  // … all that another text would need in its place.
  [[nodiscard]] engine::ModuleLoader& modules_for(const Document& document, std::string_view text);
  // The same as they would be if files held other texts, by their paths through all links. None is loaded yet.
  struct Supposed {
    Supposed(Files& files, std::vector<std::string> folders)
        : modules(files, std::move(folders)), loader(&modules) {}
    FolderModules modules;
    engine::ModuleLoader loader;
  };
  [[nodiscard]] std::unique_ptr<Supposed> suppose(const Document& document,
                                                  std::map<std::string, std::string> texts);
  // The file of the harness whose candidate a document is, through all links; empty: it is none.
  [[nodiscard]] std::string harness_of(const Document& document) {
    return folder_of(document)->harness;
  }
  // What that leaves open; null: the document is no candidate.
  [[nodiscard]] const std::vector<Module::OpenFunction>* open_functions_of(
      const Document& document);
  // … as its settings name it; empty: its head does, or it is no candidate.
  [[nodiscard]] std::string harness_of_settings(const Document& document);
  // The harnesses of the project that leave something open which the document defines, and whose candidate it could be without
  // errors: paths.
  [[nodiscard]] std::vector<std::string> fitting_harnesses(const Document& document,
                                                           const std::stop_token& stop);
  // The texts of the project, those that are open before those in files: all documents, and the files below the folders of the
  // workspace, or, where there are none, below the document's own. A file with a text that is not wanted is left out.
  using IsWanted = std::function<bool(std::string_view text)>;
  [[nodiscard]] std::vector<DocumentRef> project_texts(const Document& document,
                                                       const IsWanted& is_wanted);
  // A folder of the project that is too large for all of its texts to be among them; empty: there is none.
  [[nodiscard]] std::string large_folder(const Document& document);
  // What lies where a document may name files (lsp/project/named_files.h), in a folder below these; empty: in themselves.
  [[nodiscard]] std::vector<std::string> list_files(const Document& document,
                                                    const std::string& folder);
  // What is wrong with the harness that the head of a document names, in words; empty: nothing, or it names none.
  [[nodiscard]] std::string harness_problem(const Document& document);
  [[nodiscard]] const Settings& settings_of(const Document& document) const {
    return project_->settings_of(document.path);
  }
  [[nodiscard]] const Documents& documents() const { return documents_; }
  [[nodiscard]] Files& files() { return files_; }
  // The URIs of the pages that explain codes, of those that have been asked for; empty: the page cannot be kept.
  using CodePages = std::map<std::string, std::string, std::less<>>;
  [[nodiscard]] CodePages& code_pages() { return code_pages_; }

 private:
  // What all documents of a folder share, or those of them that are candidates of one harness.
  struct Folder {
    explicit Folder(Files& files, std::vector<std::string> folders)
        : modules(files, std::move(folders)), loader(&modules) {}
    std::string harness;  // its file, through all links; empty: none
    u32 harness_number = kNoModule;
    services::HarnessProblem problem;  // of the harness
    FolderModules modules;
    engine::ModuleLoader loader;
    u64 changes = 0;  // how often its modules have become others
    u64 files_stamp = 0;
    u64 looks = 0;  // when its files were compared last
  };
  // Columns take much memory: those of the documents that were asked about last are kept. Of files that are not open there is one at
  // most, so that a question about all texts of a project leaves what is known of those that are edited.
  struct Known {
    std::string key;
    std::shared_ptr<Folder> folder;
    u64 changes = 0;
    std::unique_ptr<services::Analysis> analysis, around;
    std::unique_ptr<services::QuickCheck> check;
    std::unique_ptr<services::QuickTokens> tokens;
    SentTokens sent_tokens;
    std::string head_text;   // the text whose harness was looked for
    u64 head_looks = 0;      // … and when
    DocumentRef costed;      // what `costs` are of
    u64 costed_changes = 0;  // … and with which modules
    std::vector<services::FunctionCost> costs;
    // What it has of the session, and of which text that is.
    services::LiveRef live;
    std::string items_text;
    services::DefinitionText named, all;
    std::unique_ptr<services::Analysis> with_all;
    services::CheckedText checked_with_items, checked_with_all;
  };
  static constexpr size_t kMostKnown = 8;
  // Each has the modules that its documents use, compiled: those of a whole project are not kept.
  static constexpr size_t kMostFolders = 64;

  void read_items(Known& known, const Document& document);
  [[nodiscard]] const services::CheckedText& check_with_items(Known& known, Folder& folder,
                                                              const Document& document,
                                                              const services::CheckOptions& how,
                                                              const std::stop_token& stop);
  // What was found, with names of the session that are near to those that are unknown.
  [[nodiscard]] const services::CheckedText& with_near_names(Known& known, Folder& folder,
                                                             const Document& document,
                                                             const services::CheckedText& found,
                                                             const services::CheckOptions& how,
                                                             const std::stop_token& stop);
  [[nodiscard]] Known& know(const Document& document);
  void make_room(const Document& document);
  // Where the modules of a document are looked for.
  [[nodiscard]] std::vector<std::string> folders_of(const Document& document) const;
  // Where the texts of its project are.
  [[nodiscard]] std::vector<std::string> project_of(const Document& document) const;
  [[nodiscard]] std::shared_ptr<Folder>& folder_of(const Document& document);
  void refresh(Folder& folder, std::string_view text);
  [[nodiscard]] Folder& refresh(Known& known, const Document& document);

  // Whose candidate a document is (workspace_harness.cpp).
  [[nodiscard]] std::string harness_file(const Document& document);
  [[nodiscard]] std::string find_file(const Document& document, const std::string& name);
  [[nodiscard]] std::shared_ptr<Folder>& folder_of(const Document& document,
                                                   const std::string& harness);
  void load_harness(Folder& folder);
  // Does its head, or its settings, name one of the files, though none is there?
  [[nodiscard]] bool named_harness_may_be(const Document& document,
                                          const std::vector<std::string>& paths);
  // Numbers of the modules that it uses, by themselves or by way of others, without the standard library's.
  [[nodiscard]] std::vector<u32> modules_used(const Folder& folder, const Document& document) const;
  // The texts of the project with functions that they leave open. They are looked for again when files may have changed.
  struct OpeningFile {
    std::string path;
    std::vector<std::string> open;
  };
  [[nodiscard]] const std::vector<OpeningFile>& opening_files(const Document& document);
  [[nodiscard]] std::string find_harness_above(const Document& document, const std::string& name);

  Files& files_;
  std::shared_ptr<const Project> project_;
  std::vector<std::string> folders_;
  Documents documents_;
  services::LiveRef live_;
  u64 files_stamp_ = 0;
  u64 looks_ = 0;  // how often questions have become about others
  CodePages code_pages_;
  struct OpeningFiles {
    u64 files_stamp = 0;
    std::vector<OpeningFile> list;
  };
  std::map<std::string, OpeningFiles> opening_files_;  // by the first folder of a project
  std::map<std::string, std::shared_ptr<Folder>> by_folder_;
  std::list<Known> known_;  // the last one that was asked about first
};

}  // namespace komuz::lsp
