// SPDX-License-Identifier: Apache-2.0
// What is known of documents that are open, by their URIs. Like documents, what is known never changes: another one
// takes its place. So who answers a question has what was known when it was asked.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "lsp/text/uri.h"

namespace komuz::lsp {

// A copy costs nothing, and stays what it is.
template <class Value>
class ByDocument {
 public:
  using Ref = std::shared_ptr<const Value>;
  // Null: nothing is known.
  [[nodiscard]] Ref find(std::string_view uri) const {
    const auto found = by_key_->find(uri_key(uri));
    return found == by_key_->end() ? nullptr : found->second;
  }
  void put(std::string_view uri, Ref value) {
    auto next = std::make_shared<Map>(*by_key_);
    (*next)[uri_key(uri)] = std::move(value);
    by_key_ = std::move(next);
  }
  void remove(std::string_view uri) {
    auto next = std::make_shared<Map>(*by_key_);
    next->erase(uri_key(uri));
    by_key_ = std::move(next);
  }

 private:
  using Map = std::map<std::string, Ref, std::less<>>;
  std::shared_ptr<const Map> by_key_ = std::make_shared<Map>();
};

}  // namespace komuz::lsp
