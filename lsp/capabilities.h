// SPDX-License-Identifier: Apache-2.0
// What the server says that it can do: made of the rows of lsp/wire/methods.def.
#pragma once
#include "lsp/client/client.h"

namespace komuz::lsp {

// The result of `initialize`.
[[nodiscard]] Json initialize_result(const Client& client, std::string_view version);

}  // namespace komuz::lsp
