// SPDX-License-Identifier: Apache-2.0
// What a request asks, and who knows: parameters as they came, the client, the documents at the time of the request.
#pragma once
#include <stop_token>

#include "lsp/client/client.h"
#include "lsp/client/progress.h"
#include "lsp/project/rankings.h"
#include "lsp/project/workspace.h"
#include "lsp/wire/message.h"

namespace komuz::lsp {

struct Question {
  const Json& params;
  const Client& client;
  Workspace& workspace;
  std::stop_token stop;
  Progress& progress;
  Rankings rankings = {};
  TestedDocuments tested = {};
};
using Answer = Outcome (*)(const Question& question);

// Each answers the requests of its row in lsp/wire/methods.def.
#define REQUEST(method, answer, provider, options, what) \
  [[nodiscard]] Outcome answer(const Question& question);
#include "lsp/wire/methods.def"
#undef REQUEST

}  // namespace komuz::lsp
