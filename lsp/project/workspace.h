// SPDX-License-Identifier: Apache-2.0
// What is known of the documents of one client: modules, analyses, findings. Used by the thread that answers questions, and by no
// other. All of it follows from the documents and the files: it could be forgotten at any time.
#pragma once
#include <list>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "lsp/project/folder_modules.h"
#include "services/analysis.h"
#include "services/editor/quick_check.h"
#include "services/editor/quick_tokens.h"

namespace komuz::lsp {

class Workspace {
 public:
  Workspace(Files& files, std::vector<std::string> folders)
      : files_(files), folders_(std::move(folders)) {}

  // From now on questions are about these. `files_stamp` is another one whenever files may have changed.
  void look_at(const Documents& documents, u64 files_stamp);

  [[nodiscard]] services::Analysis& analyse(const Document& document);
  [[nodiscard]] const services::CheckedText& check(const Document& document,
                                                   const std::stop_token& stop);
  [[nodiscard]] const std::vector<services::KnownToken>& list_tokens(const Document& document);
  // The semantic tokens that the client has of a document, as they were sent, and the id by which it knows them.
  struct SentTokens {
    std::string id;  // empty: it has none
    std::vector<u32> numbers;
  };
  [[nodiscard]] SentTokens& sent_tokens(const Document& document) {
    return know(document).sent_tokens;
  }
  // The modules that it uses, by themselves or by way of others: paths of files.
  [[nodiscard]] std::vector<std::string> files_used(const Document& document);
  // The file of a module that a document uses, or of a text that stands for one of the standard library; empty: there is none.
  [[nodiscard]] std::string file_of_module(const Document& document, std::string_view module);
  [[nodiscard]] const Module* find_module(const Document& document, std::string_view module);
  [[nodiscard]] const Documents& documents() const { return documents_; }
  [[nodiscard]] Files& files() { return files_; }

 private:
  // Of all documents of a folder.
  struct Folder {
    explicit Folder(Files& files, std::vector<std::string> folders)
        : modules(files, std::move(folders)), loader(&modules) {}
    FolderModules modules;
    engine::ModuleLoader loader;
    u64 changes = 0;  // how often its modules have become others
    u64 files_stamp = 0;
  };
  // Columns take much memory: those of the documents that were asked about last are kept.
  struct Known {
    std::string key;
    std::shared_ptr<Folder> folder;
    u64 changes = 0;
    std::unique_ptr<services::Analysis> analysis;
    std::unique_ptr<services::QuickCheck> check;
    std::unique_ptr<services::QuickTokens> tokens;
    SentTokens sent_tokens;
  };
  static constexpr size_t kMostKnown = 8;

  [[nodiscard]] Known& know(const Document& document);
  [[nodiscard]] Folder& refresh(Known& known, const Document& document);

  Files& files_;
  std::vector<std::string> folders_;
  Documents documents_;
  u64 files_stamp_ = 0;
  std::map<std::string, std::shared_ptr<Folder>> by_folder_;
  std::list<Known> known_;  // the last one that was asked about first
};

}  // namespace komuz::lsp
