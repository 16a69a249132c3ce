// SPDX-License-Identifier: Apache-2.0
// JSON-RPC: the text of a message → what it is, and back. Knows no method.
#pragma once
#include <string>
#include <string_view>
#include <variant>

#include "lsp/wire/json_text.h"

namespace komuz::lsp {

enum class ErrorCode : i32 {
#define ERROR_CODE(Name, number, when) Name = number,
#include "lsp/wire/error_codes.def"
#undef ERROR_CODE
};

// Why a request has no result.
struct Refusal {
  ErrorCode code = ErrorCode::InvalidRequest;
  std::string words;
  Json data = nullptr;  // what a client reads of it
};

// The id of a request as it is written, `7`, `"a"`; `null` of what has none.
using MessageId = std::string;
inline constexpr std::string_view kNoId = "null";

struct Message {
  enum class Kind : u8 { Request, Notification, Response, Invalid } kind = Kind::Invalid;
  MessageId id{kNoId};
  std::string method;
  Json params;              // an object, an array, or null
  Json result;              // of a response
  bool has_failed = false;  // a response is an error
  Refusal refusal;          // of that error, or of what is invalid
};
[[nodiscard]] Message read_message(std::string_view text);

[[nodiscard]] std::string result_text(const MessageId& id, const Json& result);
[[nodiscard]] std::string refusal_text(const MessageId& id, const Refusal& refusal);
[[nodiscard]] std::string notification_text(std::string_view method, Json params);
// `params`: null, there are none.
[[nodiscard]] std::string request_text(const MessageId& id, std::string_view method,
                                       const Json& params);

// A result as its text: of many numbers, which are written faster than they are put into a Json.
struct WrittenJson {
  std::string text;
};
// What comes of a request.
using Outcome = std::variant<Json, WrittenJson, Refusal>;
[[nodiscard]] std::string outcome_text(const MessageId& id, const Outcome& outcome);

}  // namespace komuz::lsp
