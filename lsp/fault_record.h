// SPDX-License-Identifier: Apache-2.0
// What leads to a fault of the server, as a record that `komuz lsp --replay` plays again (record.h): how the client
// began, its documents as they were, and what was asked. Not all that was said before: a fault follows from these.
#pragma once
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "lsp/project/files.h"
#include "lsp/text/documents.h"
#include "lsp/wire/message.h"

namespace komuz::lsp {

struct FaultScene {
  std::shared_ptr<const Json> initialize;  // parameters
  Documents documents;
  std::shared_ptr<const Message>
      asked;  // without a method: nobody asked, and a document was to be checked
};
// Does it again, with all that is found of the documents, and keeps the record of that as a file: its path; empty: it cannot be kept,
// or was stopped.
[[nodiscard]] std::string keep_fault(Files& files, std::string_view version,
                                     const FaultScene& scene, const std::stop_token& stop);

}  // namespace komuz::lsp
