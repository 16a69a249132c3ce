// SPDX-License-Identifier: Apache-2.0
// Documents that come, change and go. A change that cannot be made leaves a text that nobody knows: all that would be said of the one
// before is wrong, and each change behind it makes it worse. So the document is as if it were not open, and the client is told once,
// until it opens the document anew or sends all of its text. (clangd does the same; who goes on with the text before, as gopls does,
// gives wrong answers in silence.)
#include "lsp/answers/params.h"
#include "lsp/session.h"
#include "lsp/text/uri.h"
#include "lsp/wire/framing.h"

namespace komuz::lsp {
namespace {

// No message is longer, so no text that was sent is refused; changes could make a longer one of it.
constexpr size_t kMostText = kMostBodyBytes;
constexpr std::string_view kTooLong = "a document has at most 64 MiB";

// A question is about the nearest place that there is; a change somewhere else than the client meant is none.
std::optional<PositionRange> read_changed_range(const Json& bounds) {
  constexpr u32 kMostLine = u32{1} << 31;
  const auto range = read_range(bounds);
  for (const char* const end : {"start", "end"})
    for (const char* const number : {"line", "character"})
      if (!member(member(bounds, end), number).is_number_unsigned()) return std::nullopt;
  const bool is_none = !range || range->end < range->begin || range->end.line > kMostLine;
  return is_none ? std::nullopt : range;
}

// The changes of a notification, as far as they count: what stands before one that is all of the text does not.
struct ReadChanges {
  std::vector<TextChange> list;
  std::string problem;  // why the text behind them is not known; empty: it is
};
// `size`: bytes of the text before; nothing: it is not known.
ReadChanges read_changes(const Json& list, std::optional<size_t> size) {
  ReadChanges read;
  if (!size) read.problem = "its text is not known";
  const auto lose = [&](std::string_view why) {
    if (read.problem.empty()) read.problem = why;
  };
  size_t most = size.value_or(0);
  for (const Json& change : list) {
    const Json& text = member(change, "text");
    const Json& bounds = member(change, "range");
    const auto range = read_changed_range(bounds);
    if (!text.is_string()) {
      lose("a change has no `text`");
      continue;
    }
    // Without one it is all of the text: none that cannot be read may stand for that.
    if (!range && !bounds.is_null()) {
      lose("the `range` of a change is none");
      continue;
    }
    TextChange next;
    next.text = text.get<std::string>();
    if (range) {
      next.range = TextChange::Span{range->begin, range->end};
      most += next.text.size();
    } else {
      read.list.clear();
      read.problem.clear();
      most = next.text.size();
    }
    if (most > kMostText) lose(kTooLong);
    read.list.push_back(std::move(next));
  }
  return read;
}

}  // namespace

void Session::put_document(DocumentRef document) {
  documents_.put(document);
  note_change();
  check_later(document);
  check_users_later(*document);
  rank_later(document);
  test_later(document);
}

void Session::open_document(const Message& message) {
  const Json& item = member(message.params, "textDocument");
  const Json& uri = member(item, "uri");
  const Json& text = member(item, "text");
  const Json& version = member(item, "version");
  if (!uri.is_string() || !text.is_string()) return log("`didOpen` has no `uri` or no `text`");
  std::string name = uri.get<std::string>();
  if (text.get_ref<const std::string&>().size() > kMostText)
    return lose_text(name, nullptr, std::string(kTooLong));
  lost_texts_.erase(uri_key(name));
  const std::optional<std::string> path = path_of_uri(name);
  ++files_stamp_;
  put_document(make_document(std::move(name), path ? files_.real_path(*path) : "",
                             version.is_number_integer() ? version.get<i64>() : 0,
                             text.get<std::string>()));
}

void Session::change_document(const Message& message) {
  const Json& name = member(message.params, "textDocument");
  const Json& uri = member(name, "uri");
  const Json& version = member(name, "version");
  const Json& list = member(message.params, "contentChanges");
  if (!uri.is_string()) return log("`didChange` has no `uri`");
  const std::string key = uri_key(uri.get_ref<const std::string&>());
  const DocumentRef document = documents_.find(uri.get_ref<const std::string&>());
  const auto lost = lost_texts_.find(key);
  if (document == nullptr && lost == lost_texts_.end())
    return log("`didChange` of " + uri.get<std::string>() + ", which is not open");
  ReadChanges changes =
      read_changes(list, document == nullptr ? std::nullopt : std::optional(document->text.size()));
  if (!list.is_array()) changes.problem = "`didChange` has no `contentChanges`";
  if (!changes.problem.empty()) return lose_text(uri.get<std::string>(), document, changes.problem);
  // A version that goes back is the client's affair: what it says is what it has.
  const i64 before = document == nullptr ? 0 : document->version;
  const i64 next = version.is_number_integer() ? version.get<i64>() : before + 1;
  DocumentRef base = document;
  if (base == nullptr) {
    base = make_document(uri.get<std::string>(), lost->second, before, "");
    lost_texts_.erase(lost);
    ++files_stamp_;
  }
  DocumentRef now = changed(*base, next, changes.list, client_->encoding);
  drop_stale(*now);
  put_document(std::move(now));
}

void Session::lose_text(const std::string& uri, const DocumentRef& document,
                        const std::string& why) {
  const auto path = path_of_uri(uri);
  const bool is_new =
      lost_texts_.try_emplace(uri_key(uri), path ? files_.real_path(*path) : "").second;
  if (document != nullptr) {
    drop_stale(*document);
    documents_.remove(document->uri);
    ++files_stamp_;
    note_change();
    forget_checks(*document);
    forget_ranking(*document);
    forget_tests(*document);
    check_users_later(*document);
  }
  if (!is_new) return;
  // MessageType of the protocol.
  constexpr u32 kError = 1;
  outside_.send(notification_text(
      "window/showMessage", {{"type", kError},
                             {"message", "komuz does not know the text of " + uri + " any more: " +
                                             why + "; close the document and open it again"}}));
}

std::string Session::lost_text_problem(const Message& message) const {
  if (lost_texts_.empty()) return {};
  const Json& uri = member(member(message.params, "textDocument"), "uri");
  if (!uri.is_string() || !lost_texts_.contains(uri_key(uri.get_ref<const std::string&>())))
    return {};
  return "the text of " + uri.get<std::string>() +
         " is not known any more; close the document and open it again";
}

void Session::close_document(const Message& message) {
  const Json& uri = member(member(message.params, "textDocument"), "uri");
  if (!uri.is_string()) return;
  const std::string key = uri_key(uri.get_ref<const std::string&>());
  lost_texts_.erase(key);
  sent_cases_.erase(key);
  const DocumentRef document = documents_.find(uri.get_ref<const std::string&>());
  if (document == nullptr) return;
  documents_.remove(document->uri);
  ++files_stamp_;
  note_change();
  forget_ranking(*document);
  forget_tests(*document);
  forget_checks(*document);
  check_users_later(*document);
}

}  // namespace komuz::lsp
