// SPDX-License-Identifier: Apache-2.0
#include "lsp/wire/message.h"

namespace komuz::lsp {
namespace {

Message invalid(ErrorCode code, std::string words, MessageId id = MessageId(kNoId)) {
  Message message;
  message.id = std::move(id);
  message.refusal = {code, std::move(words)};
  return message;
}

// An answer that is none of the protocol's errors is one nevertheless.
Refusal read_error(const Json& error) {
  Refusal refusal{ErrorCode::InternalError, "the client gave no reason", nullptr};
  if (!error.is_object()) return refusal;
  if (const auto code = error.find("code"); code != error.end() && code->is_number_integer())
    refusal.code = static_cast<ErrorCode>(code->get<i32>());
  if (const auto words = error.find("message"); words != error.end() && words->is_string())
    refusal.words = words->get<std::string>();
  return refusal;
}

bool is_id(const Json& value) { return value.is_number_integer() || value.is_string(); }

}  // namespace

Message read_message(std::string_view text) {
  ReadJson read = read_json(text);
  if (!read.problem.empty()) return invalid(ErrorCode::ParseError, std::move(read.problem));
  Json& value = read.value;
  if (value.is_array())
    return invalid(ErrorCode::InvalidRequest,
                   "a batch of messages is not part of this protocol; send them one by one");
  if (!value.is_object())
    return invalid(ErrorCode::InvalidRequest, "a message is an object with the member `jsonrpc`");
  Message message;
  const auto id = value.find("id");
  const bool has_id = id != value.end();
  if (has_id && is_id(*id)) message.id = json_text(*id);
  if (const auto version = value.find("jsonrpc"); version == value.end() || *version != "2.0")
    return invalid(ErrorCode::InvalidRequest, "`jsonrpc` is \"2.0\"", message.id);
  const auto method = value.find("method");
  if (method == value.end() && (value.contains("result") || value.contains("error"))) {
    message.kind = Message::Kind::Response;
    if (const auto result = value.find("result"); result != value.end())
      message.result = std::move(*result);
    if (const auto error = value.find("error"); error != value.end() && !error->is_null()) {
      message.has_failed = true;
      message.refusal = read_error(*error);
    }
    return message;
  }
  if (method == value.end() || !method->is_string())
    return invalid(ErrorCode::InvalidRequest, "`method` is missing, or no text", message.id);
  if (has_id && !is_id(*id))
    return invalid(ErrorCode::InvalidRequest, "`id` is an integer or a text");
  message.kind = has_id ? Message::Kind::Request : Message::Kind::Notification;
  message.method = method->get<std::string>();
  if (const auto params = value.find("params"); params != value.end()) {
    if (!params->is_structured() && !params->is_null())
      return has_id ? invalid(ErrorCode::InvalidRequest, "`params` is an object", message.id)
                    : message;
    message.params = std::move(*params);
  }
  return message;
}

namespace {

std::string written_result(const MessageId& id, const std::string& result) {
  return R"({"id":)" + id + R"(,"jsonrpc":"2.0","result":)" + result + "}";
}

}  // namespace

std::string result_text(const MessageId& id, const Json& result) {
  return written_result(id, json_text(result));
}
std::string refusal_text(const MessageId& id, const Refusal& refusal) {
  Json error = {{"code", static_cast<i32>(refusal.code)}, {"message", refusal.words}};
  if (!refusal.data.is_null()) error["data"] = refusal.data;
  return R"({"error":)" + json_text(error) + R"(,"id":)" + id + R"(,"jsonrpc":"2.0"})";
}
std::string outcome_text(const MessageId& id, const Outcome& outcome) {
  if (const auto* const refusal = std::get_if<Refusal>(&outcome)) return refusal_text(id, *refusal);
  if (const auto* const written = std::get_if<WrittenJson>(&outcome))
    return written_result(id, written->text);
  return result_text(id, std::get<Json>(outcome));
}
std::string notification_text(std::string_view method, Json params) {
  return json_text({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}
std::string request_text(const MessageId& id, std::string_view method, const Json& params) {
  std::string text = R"({"id":)" + id + R"(,"jsonrpc":"2.0","method":)" + json_text(method);
  // What there is has to be an object or an array.
  if (!params.is_null()) text += R"(,"params":)" + json_text(params);
  return text + "}";
}

}  // namespace komuz::lsp
