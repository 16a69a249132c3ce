// SPDX-License-Identifier: Apache-2.0
// Files that the head of a document names: cases, a harness. They lie beside the document or in a folder of the
// workspace, in none outside of these, also by no link; they are regular files of limited size.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/project/files.h"
#include "lsp/text/documents.h"

namespace komuz::lsp {

struct NamedFile {
  std::string path;     // through all links
  std::string problem;  // in words, with what can be done; empty: here is what it says
  // What it says. It is the same object as long as it says the same.
  std::shared_ptr<const std::string> bytes;
};

// Why a file is not looked at.
[[nodiscard]] std::string too_large_text(std::string_view name);

// Used by one thread.
class NamedFiles {
 public:
  NamedFiles(Files& files, std::vector<std::string> folders)
      : files_(files), folders_(std::move(folders)) {}

  static constexpr size_t kMostBytes = size_t{16} << 20;
  // `stamp` is another one whenever files may have changed: it is not read again before.
  [[nodiscard]] NamedFile read(const Document& document, const std::string& name, u64 stamp);

 private:
  struct Known {
    u64 stamp = 0;
    NamedFile file;
  };
  [[nodiscard]] NamedFile look_for(const Document& document, const std::string& name) const;

  Files& files_;
  std::vector<std::string> folders_;
  static constexpr size_t kMostKnown = 8;
  std::map<std::string, Known> known_;  // by the document's folder and the name
};

}  // namespace komuz::lsp
