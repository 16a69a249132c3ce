// SPDX-License-Identifier: Apache-2.0
// Counts the answers of a server that survive damage to a document: one token is deleted by an edit, and questions about all that lies
// outside of its item must have the same answers as before, moved by the edit. tests/services/damage.h asks the services the same.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "tests/lsp/session_harness.h"
#include "tests/services/program_parts.h"

namespace komuz::lsp_test {

struct Share {
  u64 asked = 0, survived = 0;
  [[nodiscard]] double value() const {
    return asked == 0 ? 1 : static_cast<double>(survived) / static_cast<double>(asked);
  }
};

// A document that is open in a session whose client counts columns in bytes. Its text lasts longer.
class DamagedDocument {
 public:
  DamagedDocument(SessionHarness& harness, std::string uri, std::string_view text);
  ~DamagedDocument();
  DamagedDocument(const DamagedDocument&) = delete;
  DamagedDocument& operator=(const DamagedDocument&) = delete;

  // Adds to `shares`, by method, what survives the loss of a token. Of the places in `names`, which lie outside of `damaged`, hover,
  // definition and highlights are asked; of the document its symbols and tokens, each of which counts. `told`: gets a line for each
  // answer that is lost; null: not wanted. The token is there again behind it.
  void lose(test::Stretch token, test::Stretch damaged, const std::vector<u32>& names,
            std::map<std::string, Share>& shares, std::vector<std::string>* told);
  // Has the document its first answers again?
  [[nodiscard]] bool is_as_before();

 private:
  struct Answer {
    std::string method, words;
    std::vector<test::Stretch> places;
  };
  using Answers = std::vector<Answer>;

  [[nodiscard]] lsp::Json ask(std::string_view method, lsp::Json params);
  // `label`: tells the answers of one name from those of others.
  [[nodiscard]] Answers answers_at(u32 place, u32 label);
  [[nodiscard]] Answers answers_of_all();
  void add_symbols(const lsp::Json& symbols, const std::string& path, Answers& answers) const;
  void edit(u32 begin, u32 end, std::string_view words, std::string now);
  [[nodiscard]] lsp::Json position_of(u32 byte) const;
  [[nodiscard]] u32 byte_of(const lsp::Json& position) const;
  [[nodiscard]] test::Stretch stretch_of(const lsp::Json& range) const;
  void read_lines();

  SessionHarness& harness_;
  std::string uri_;
  std::string_view first_text_;
  std::string text_;
  std::vector<u32> lines_;  // where they begin
  i64 version_ = 1, id_ = 0;
  Answers of_all_;
  std::map<u32, Answers> at_;  // by place, as far as they were asked for
};

}  // namespace komuz::lsp_test
