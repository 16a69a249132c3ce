// SPDX-License-Identifier: Apache-2.0
// A text that questions are asked about, compiled once for all of them. The columns of the front end's passes are
// kept, even for items with errors. Items from which the front end could make nothing are mended first (mend_text.h).
// Places are bytes of the text.
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

// The text that an answer points into.
enum class PlaceIn : u8 {
  Text,    // the text in question
  Items,   // the items of a snippet, or behind the text
  Module,  // the text of a module
};
struct TextPlace {
  PlaceIn in = PlaceIn::Text;
  std::string module;  // its path, `std.math`; else empty
  u32 begin = 0, end = 0;
  bool operator==(const TextPlace&) const = default;
};

// What doc examples, `/// >>> f(1) == 2`, are: comments, or tests, whose names mean something.
enum class Examples : u8 { Comments, Tests };
class TextParts;  // services/quick/text_parts.h

class Analysis {
 public:
  // `library`: the modules that texts may use. The caller loads them before (engine/candidates/load_modules.h), and
  // the library outlives this.
  explicit Analysis(const Library* library = nullptr, Examples examples = Examples::Comments);
  ~Analysis();

  // Does nothing if this text was read last.
  void read(std::string_view text);
  // … a part of a text, which has errors elsewhere or has none: what is said only where a text has none is not said of such a part.
  void read_part(std::string_view part, bool has_errors);
  // … behind which items are compiled (services/session/session_items.h).
  void read(std::string_view text, std::string_view items);
  // Questions are then about the text of the snippet.
  void read(const Snippet& snippet);
  // Reads the program of another analysis, with `words` in place of its bytes [begin, end). Bodies of other functions may be missing:
  // questions about this place need their heads alone.
  void read_edited(const Analysis& other, u32 begin, u32 end, std::string_view words);
  // An analysis for questions about a slightly changed text; made on first use.
  [[nodiscard]] Analysis& scratch();

  // The columns that the services look at. If the text is not valid, they have no tokens, or no nodes.
  [[nodiscard]] const frontend::Columns& columns() const { return compiler_.columns(); }
  [[nodiscard]] const Library* library() const { return library_; }
  // The program that contains the text, as it was given: not mended, without modules.
  [[nodiscard]] std::string_view program() const { return program_.text; }
  [[nodiscard]] std::string_view text() const {
    return std::string_view(program_.text).substr(program_.begin, program_.end - program_.begin);
  }
  // The items behind the text.
  [[nodiscard]] std::string_view items() const {
    return std::string_view(program_.text)
        .substr(program_.items_begin < program_.text.size() ? program_.items_begin
                                                            : program_.text.size());
  }
  // True if the text compiles as it is.
  [[nodiscard]] bool is_sound() const {
    return compilation_.ok && !is_mended_ && !has_errors_elsewhere_;
  }
  // A sound program in the form in which it needs no space of a module (frontend.h).
  [[nodiscard]] std::optional<WrittenOut> written_out() const {
    return compiler_.written_out(program_.text);
  }
  // What the front end says of the text as it is analysed, mended or not; modules included.
  [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const {
    return compilation_.diagnostics;
  }
  // The text that these speak of: the program, and behind it what its modules say of themselves.
  [[nodiscard]] std::string_view told_text() const {
    return compilation_.text.empty() ? std::string_view(program_.text) : compilation_.text;
  }
  // True if the columns are those of a text of the same length with other tokens.
  [[nodiscard]] bool is_mended() const { return is_mended_; }
  // Columns with only the tokens, as they are written, and how many of them belong to the program.
  [[nodiscard]] const frontend::Columns& written() const;
  [[nodiscard]] frontend::Index written_tokens() const;

  // Converts bytes of the text to bytes of the program.
  [[nodiscard]] u32 in_program(u32 place) const;
  // The token around a byte of the program, or the one that ends there; kNone if there is none.
  [[nodiscard]] frontend::Index token_around(u32 byte) const;
  // Tokens before this one belong to the program, all others to modules.
  [[nodiscard]] frontend::Index own_tokens() const { return own_tokens_; }
  // The node of a token; for a name, the name's node. kNone if there is none.
  [[nodiscard]] frontend::Index node_of(frontend::Index token) const;
  [[nodiscard]] frontend::TokenRange tokens_of(frontend::Index item) const {
    return frontend::tokens_of(columns(), first_nodes_, item);
  }

  // The module of an item that is not the program's own; null if it is, or if the module is unknown.
  [[nodiscard]] const Module* module_of(frontend::Index item) const;
  [[nodiscard]] const Module* find_module(u32 number) const;
  // The place of a node's token in terms of the question; nothing inside the frame around a snippet.
  [[nodiscard]] std::optional<TextPlace> place_of(frontend::Index node) const;
  // The text that an item's node belongs to, and the first byte of the item there, for the comment above it.
  struct ItemPlace {
    std::string_view text;
    u32 begin = 0;
  };
  [[nodiscard]] std::optional<ItemPlace> item_place(frontend::Index item) const;

 private:
  void read_program();
  void cut_bodies(const Analysis& other, u32 begin, u32 end);
  void index_nodes();

  const Library* library_;
  u32 library_size_ = 0;  // at the time of reading
  bool has_errors_elsewhere_ = false;
  bool has_read_ = false, is_mended_ = false, has_written_ = false;
  SnippetProgram program_, next_;
  frontend::Compiler compiler_, lexer_;
  frontend::Compilation compilation_;
  frontend::Index own_tokens_ = 0;
  std::vector<frontend::Index> node_of_, first_nodes_;
  std::unique_ptr<Analysis> scratch_;
  // Of the program that was edited last, while it is another one's.
  std::unique_ptr<TextParts> parts_;
  std::string parts_text_;
};

}  // namespace komuz::services
