// SPDX-License-Identifier: Apache-2.0
#include "lsp/answers/kinds.h"

namespace komuz::lsp {

using services::ItemForm;
using services::NameKind;

namespace {

// CompletionItemKind and SymbolKind of the protocol.
enum Completion : u32 {
  kCompletionMethod = 2,
  kCompletionFunction = 3,
  kCompletionField = 5,
  kCompletionVariable = 6,
  kCompletionModule = 9,
  kCompletionKeyword = 14,
  kCompletionEnumMember = 20,
  kCompletionConstant = 21,
  kCompletionStruct = 22
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
    case NameKind::Keyword: return kCompletionKeyword;
    case NameKind::Function:
    case NameKind::Space: return kCompletionFunction;
    case NameKind::Operation: return kCompletionMethod;
    case NameKind::Constant: return kCompletionConstant;
    case NameKind::Type: return kCompletionStruct;
    case NameKind::Constructor: return kCompletionEnumMember;
    case NameKind::Field: return kCompletionField;
    case NameKind::Module: return kCompletionModule;
    case NameKind::Parameter:
    case NameKind::Variable: return kCompletionVariable;
  }
  return kCompletionVariable;
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
