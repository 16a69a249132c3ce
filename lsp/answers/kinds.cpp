// SPDX-License-Identifier: Apache-2.0
#include "lsp/answers/kinds.h"

namespace komuz::lsp {

using services::ItemForm;
using services::NameKind;

namespace {

// CompletionItemKind and SymbolKind of the protocol.
enum Completion : u32 {
  kMethod = 2,
  kFunction = 3,
  kField = 5,
  kVariable = 6,
  kModule = 9,
  kKeyword = 14,
  kEnumMember = 20,
  kConstant = 21,
  kStruct = 22
};
enum SymbolNumber : u32 {
  kSymbolModule = 2,
  kSymbolMethod = 6,
  kSymbolField = 8,
  kSymbolFunction = 12,
  kSymbolVariable = 13,
  kSymbolConstant = 14,
  kSymbolEnumMember = 22,
  kSymbolStruct = 23
};

}  // namespace

u32 completion_kind(NameKind kind) {
  switch (kind) {
    case NameKind::Keyword: return kKeyword;
    case NameKind::Function:
    case NameKind::Space: return kFunction;
    case NameKind::Operation: return kMethod;
    case NameKind::Constant: return kConstant;
    case NameKind::Type: return kStruct;
    case NameKind::Constructor: return kEnumMember;
    case NameKind::Field: return kField;
    case NameKind::Module: return kModule;
    case NameKind::Parameter:
    case NameKind::Variable: return kVariable;
  }
  return kVariable;
}

u32 symbol_kind(ItemForm form) {
  switch (form) {
    case ItemForm::Function:
    case ItemForm::Space: return kSymbolFunction;
    case ItemForm::Constant: return kSymbolConstant;
    case ItemForm::Type: return kSymbolStruct;
    case ItemForm::Use: return kSymbolModule;
    case ItemForm::Test:
    case ItemForm::Property: return kSymbolMethod;
    case ItemForm::Other: break;
  }
  return kSymbolVariable;
}
u32 symbol_kind(NameKind kind) {
  switch (kind) {
    case NameKind::Field: return kSymbolField;
    case NameKind::Constructor: return kSymbolEnumMember;
    case NameKind::Function:
    case NameKind::Space: return kSymbolFunction;
    case NameKind::Operation: return kSymbolMethod;
    case NameKind::Constant: return kSymbolConstant;
    case NameKind::Type: return kSymbolStruct;
    case NameKind::Module: return kSymbolModule;
    case NameKind::Keyword:
    case NameKind::Parameter:
    case NameKind::Variable: break;
  }
  return kSymbolVariable;
}

}  // namespace komuz::lsp
