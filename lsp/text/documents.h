// SPDX-License-Identifier: Apache-2.0
// The documents that a client has open, as its editor holds them. A document never changes: an edit makes another
// one. So who answers a question about a document keeps what was asked about, whatever is typed meanwhile.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "lsp/text/positions.h"

namespace komuz::lsp {

struct Document {
  std::string uri;   // as the client writes it
  std::string path;  // of its file, through all links; empty: it is none
  i64 version = 0;
  std::string text;
  LineTable lines;

  [[nodiscard]] Position position_of(u32 byte, Encoding encoding) const {
    return lines.position_of(text, byte, encoding);
  }
  [[nodiscard]] u32 byte_of(Position position, Encoding encoding) const {
    return lines.byte_of(text, position, encoding);
  }
};
using DocumentRef = std::shared_ptr<const Document>;

[[nodiscard]] DocumentRef make_document(std::string uri, std::string path, i64 version,
                                        std::string text);

// One change of a text: of a range of it, or all of it.
struct TextChange {
  struct Span {
    Position begin, end;
  };
  std::optional<Span> range;
  std::string text;
};
// What comes of them, each made to what came of the ones before. A range that lies outside of the text is cut to it,
// one whose end stands before its begin is turned around: of clients, such a one does not come here
// (session_documents.cpp).
[[nodiscard]] DocumentRef changed(const Document& document, i64 version,
                                  std::span<const TextChange> changes, Encoding encoding);

// A copy costs nothing, and stays what it is.
class Documents {
 public:
  // Null: it is not open.
  [[nodiscard]] DocumentRef find(std::string_view uri) const;
  [[nodiscard]] DocumentRef find_path(std::string_view path) const;
  // In the order of their keys.
  [[nodiscard]] std::vector<DocumentRef> all() const;
  void put(DocumentRef document);
  void remove(std::string_view uri);

 private:
  using Map = std::map<std::string, DocumentRef, std::less<>>;
  std::shared_ptr<const Map> by_key_ = std::make_shared<Map>();
};

}  // namespace komuz::lsp
