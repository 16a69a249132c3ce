// SPDX-License-Identifier: Apache-2.0
// A text that questions are asked about: compiled once, for all of them. What the front end's passes left in their columns is
// kept, of items with errors, too; items that it could make nothing of are mended first (mend_text.h). Places are bytes of
// the text.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend_gpu/frontend.h"
#include "frontend_gpu/view.h"
#include "services/snippet.h"

namespace komuz::services {

// Where an answer points to.
enum class PlaceIn : u8 {
  Text,    // what was asked about
  Items,   // the items of a snippet
  Module,  // the text of a module
};
struct TextPlace {
  PlaceIn in = PlaceIn::Text;
  std::string module;  // its path, `std.math`; else empty
  u32 begin = 0, end = 0;
  bool operator==(const TextPlace&) const = default;
};

class Analysis {
 public:
  // `library`: the modules that texts may use; whoever asks loads them before (engine/candidates/load_modules.h). It outlives this.
  explicit Analysis(const Library* library = nullptr);

  // Does nothing where the text is the one that was read last.
  void read(std::string_view text);
  // Questions are asked about the text of the snippet.
  void read(const Snippet& snippet);
  // The program of another, with `words` in place of its bytes [begin, end).
  void read_edited(const Analysis& other, u32 begin, u32 end, std::string_view words);
  // One for questions about a text that is nearly this one; made when it is first asked for.
  [[nodiscard]] Analysis& scratch();

  // What the services look at; those of a text that is none have no tokens, or no nodes.
  [[nodiscard]] const frontend::Columns& columns() const { return compiler_.columns(); }
  [[nodiscard]] const Library* library() const { return library_; }
  // The program that the text is (part of), as it was given: not mended, without modules.
  [[nodiscard]] std::string_view program() const { return program_.text; }
  [[nodiscard]] std::string_view text() const {
    return std::string_view(program_.text).substr(program_.begin, program_.end - program_.begin);
  }
  // Does it compile as it is?
  [[nodiscard]] bool is_sound() const { return compilation_.ok && !is_mended_; }
  // Are the columns those of a text of the same length, with other tokens?
  [[nodiscard]] bool is_mended() const { return is_mended_; }
  // Columns with the tokens as they are written, and nothing else; and how many of them are the program's.
  [[nodiscard]] const frontend::Columns& written() const;
  [[nodiscard]] frontend::Index written_tokens() const;

  // Bytes of the text as bytes of the program.
  [[nodiscard]] u32 in_program(u32 place) const;
  // The token around a byte of the program, or the one that ends there; kNone: there is none.
  [[nodiscard]] frontend::Index token_around(u32 byte) const;
  // Tokens before this one are those of the program, all others of modules.
  [[nodiscard]] frontend::Index own_tokens() const { return own_tokens_; }
  // The node that a token stands for: its name where it is one. kNone: there is none.
  [[nodiscard]] frontend::Index node_of(frontend::Index token) const;
  [[nodiscard]] frontend::TokenRange tokens_of(frontend::Index item) const {
    return frontend::tokens_of(columns(), first_nodes_, item);
  }

  // The module of an item that is not the program's own; null: it is, or nobody knows it.
  [[nodiscard]] const Module* module_of(frontend::Index item) const;
  [[nodiscard]] const Module* find_module(u32 number) const;
  // Where the token of a node stands for whoever asked; nothing: in what a snippet is put into.
  [[nodiscard]] std::optional<TextPlace> place_of(frontend::Index node) const;
  // The text that a place of an item's node speaks of, and the first byte of its item there: for the comment above it.
  struct ItemPlace {
    std::string_view text;
    u32 begin = 0;
  };
  [[nodiscard]] std::optional<ItemPlace> item_place(frontend::Index item) const;

 private:
  void read_program();
  void index_nodes();

  const Library* library_;
  u32 library_size_ = 0;  // when the text was read
  bool has_read_ = false, is_mended_ = false, has_written_ = false;
  SnippetProgram program_, next_;
  frontend::Compiler compiler_, lexer_;
  frontend::Compilation compilation_;
  frontend::Index own_tokens_ = 0;
  std::vector<frontend::Index> node_of_, first_nodes_;
  std::unique_ptr<Analysis> scratch_;
};

}  // namespace komuz::services
