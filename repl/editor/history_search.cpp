// SPDX-License-Identifier: Apache-2.0
#include "repl/editor/history_search.h"

#include "repl/editor/clusters.h"

namespace komuz::editor {

void HistorySearch::start() {
  is_open_ = true;
  has_failed_ = false;
  query_.clear();
  matched_.clear();
  at_ = History::kNone;
}

// The found entry stays as long as it contains the longer words, too.
void HistorySearch::search(size_t from) {
  has_failed_ = false;
  if (query_.empty()) {
    at_ = History::kNone;
    matched_.clear();
    return;
  }
  last_query_ = query_;
  go_to(history_.earlier_with(from, query_, {}));
}

void HistorySearch::go_to(size_t next) {
  has_failed_ = next == History::kNone;
  if (has_failed_) return;
  at_ = next;
  matched_ = query_;
}

void HistorySearch::add(std::string_view text) {
  query_ += text;
  search(at_ == History::kNone ? history_.size() : at_ + 1);
}
void HistorySearch::erase() {
  if (query_.empty()) return;
  query_.resize(previous_cluster(query_, query_.size()));
  search(history_.size());
}

void HistorySearch::go_earlier() {
  if (query_.empty()) {
    query_ = last_query_;
    search(history_.size());
    return;
  }
  const std::string* const now = found();
  go_to(history_.earlier_with(at_ == History::kNone ? history_.size() : at_, query_,
                              now == nullptr ? std::string_view() : *now));
}
void HistorySearch::go_later() {
  const std::string* const now = found();
  if (now == nullptr) return;
  go_to(history_.later_with(at_, query_, *now));
}

const std::string* HistorySearch::found() const {
  return at_ < history_.size() ? &history_[at_] : nullptr;
}
size_t HistorySearch::match_begin() const {
  const std::string* const entry = found();
  const size_t at = entry == nullptr ? std::string::npos : entry->find(matched_);
  return at == std::string::npos ? 0 : at;
}

StyledLine HistorySearch::line() const {
  return {{has_failed_ ? "search, not found: " : "search: ",
           has_failed_ ? Style::Problem : Style::Detail},
          {query_, Style::Plain}};
}

}  // namespace komuz::editor
