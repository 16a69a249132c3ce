// SPDX-License-Identifier: Apache-2.0
// What an editor on a terminal wants to know of inputs: their colours, whether they go on, what can complete them, what they
// are. Changes nothing of the session.
#pragma once
#include "repl/editor/assistance.h"
#include "repl/input_reader.h"
#include "repl/session.h"
#include "repl/variants/variants.h"
#include "services/analysis.h"

namespace komuz::repl {

class Assistant {
 public:
  // The names of what is in a folder, those of folders with a `/` behind.
  using ListFiles = std::function<std::vector<std::string>(const std::string& folder)>;
  // The session and its variants outlive it.
  Assistant(Session& session, Variants& variants, ListFiles list_files)
      : session_(session),
        variants_(variants),
        list_files_(std::move(list_files)),
        analysis_(&session.modules().library()) {}

  [[nodiscard]] editor::Spans highlight(std::string_view text);
  [[nodiscard]] editor::Openness openness(std::string_view text);
  [[nodiscard]] editor::Completion complete(std::string_view text, size_t cursor);
  // Of what is still being typed nothing.
  [[nodiscard]] editor::Description describe(std::string_view text);

  // All of these; it holds as long as the assistant.
  [[nodiscard]] editor::Assistance assistance();

 private:
  // Reads the text as inputs; how many there are besides one that is open.
  size_t read(std::string_view text, InputReader& reader, std::string_view& last);
  // What an input is worth, and how many variants it has; false where it has errors.
  [[nodiscard]] bool check(std::string_view input, std::string& type, Answer& answer);
  // Is an input wrong, as `d` says, only because it does not go on?
  [[nodiscard]] bool lacks_rest(std::string_view input, const Diagnostic& d);
  void add_files(std::string_view path, editor::Completion& completion);
  // What can stand at a place of code, the likeliest first.
  void add_code(std::string_view code, size_t cursor, editor::Completion& completion);

  Session& session_;
  Variants& variants_;
  ListFiles list_files_;
  frontend::Compiler lexer_;
  services::Analysis analysis_;
};

}  // namespace komuz::repl
