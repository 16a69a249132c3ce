// SPDX-License-Identifier: Apache-2.0
// The protocol's numbers for kinds of things.
#pragma once
#include "services/editor/outline.h"
#include "services/symbols.h"

namespace komuz::lsp {

[[nodiscard]] u32 completion_kind(services::NameKind kind);
[[nodiscard]] u32 symbol_kind(services::ItemForm form);
[[nodiscard]] u32 symbol_kind(services::NameKind kind);

}  // namespace komuz::lsp
