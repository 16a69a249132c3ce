// SPDX-License-Identifier: Apache-2.0
// A session of `komuz repl` that is attached (docs/lsp.md): what it has defined counts in all documents, and documents may define
// something in it.
#include "lsp/answers/params.h"
#include "lsp/answers/session_input.h"
#include "lsp/session.h"

namespace komuz::lsp {

void Session::look_at(const services::LiveRef& live) {
  if (live == live_) return;
  live_ = live;
  if (state_ != State::Ready) return;
  note_change();
  check_all_later();
  rank_all_later();
  test_all_later();
  tell_behind_answers([this] { refresh_all(); }, "refresh");
}

void Session::refresh_all() {
  if (client_->refreshes_hints) refresh("workspace/inlayHint/refresh");
  if (client_->refreshes_lenses) refresh("workspace/codeLens/refresh");
  if (client_->refreshes_tokens) refresh("workspace/semanticTokens/refresh");
}

bool Session::takes_input(const Message& message) {
  if (message.method != "workspace/executeCommand" ||
      member(message.params, "command") != "komuz.toSession")
    return false;
  const auto refuse = [&](ErrorCode code, std::string words) {
    outside_.send(refusal_text(message.id, {code, std::move(words)}));
    return true;
  };
  const Json& arguments = member(message.params, "arguments");
  const bool has_document = arguments.is_array() && !arguments.empty() && arguments[0].is_string();
  const DocumentRef document =
      has_document ? documents_.find(arguments[0].get_ref<const std::string&>()) : nullptr;
  if (document == nullptr)
    return refuse(ErrorCode::InvalidParams,
                  "the first argument of `komuz.toSession` is the URI of a document that is open");
  if (live_ == nullptr)
    return refuse(
        ErrorCode::RequestFailed,
        "no session is attached; say `:lsp` in `komuz repl`, and connect to the port that "
        "it names");
  if (!live_->takes_input)
    return refuse(ErrorCode::RequestFailed,
                  "the session takes nothing from editors; say `:lsp input` there to allow it");
  ByteRange range{0, static_cast<u32>(document->text.size())};
  if (arguments.size() > 1) {
    const auto read = read_range(arguments[1]);
    if (!read)
      return refuse(ErrorCode::InvalidParams,
                    "the second argument of `komuz.toSession` is a range of the document");
    range = {document->byte_of(read->begin, client_->encoding),
             document->byte_of(read->end, client_->encoding)};
  }
  const SessionInput input = input_of(*document, range);
  if (input.text.empty())
    return refuse(ErrorCode::RequestFailed, "no function, constant or type stands there");
  if (!outside_.send_input(input.text))
    return refuse(ErrorCode::RequestFailed,
                  "the session is busy with what was sent before; send it again in a moment");
  outside_.send(result_text(message.id, {{"defines", input.names}}));
  return true;
}

}  // namespace komuz::lsp
