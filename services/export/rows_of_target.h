// SPDX-License-Identifier: Apache-2.0
// The table of one target, from the rows that KOMUZ_TARGET_ROWS names; included once for each (target_table.cpp).
namespace KOMUZ_TARGET {
#define SYNTAX(Form, text) {SyntaxForm::Form, text},
#define LEVELS(...)
#define TYPE(...)
#define OPERATION(...)
#define NONZERO(...)
#define MEASURED(...)
#define CONVERSION(...)
#define HELPER(...)
constexpr SyntaxRow kSyntax[] = {
#include KOMUZ_TARGET_ROWS
};
#define SYNTAX(...)
#define LEVELS(choose, both, either, comparison, sign) \
  { choose, both, either, comparison, sign }
#define TYPE(...)
#define OPERATION(...)
#define NONZERO(...)
#define MEASURED(...)
#define CONVERSION(...)
#define HELPER(...)
constexpr BindingLevels kLevels =
#include KOMUZ_TARGET_ROWS
    ;
#define SYNTAX(...)
#define LEVELS(...)
#define TYPE(Name, text) {Scalar::Name, text},
#define OPERATION(...)
#define NONZERO(...)
#define MEASURED(...)
#define CONVERSION(...)
#define HELPER(...)
constexpr std::pair<Scalar, std::string_view> kTypes[] = {
#include KOMUZ_TARGET_ROWS
};
#define SYNTAX(...)
#define LEVELS(...)
#define TYPE(...)
#define OPERATION(Name, types, level, text) {Op::Name, types, kAny, level, false, false, text},
#define NONZERO(Name, types, level, text) {Op::Name, types, kAny, level, true, false, text},
#define MEASURED(Name, types, level, text) {Op::Name, types, kAny, level, false, true, text},
#define CONVERSION(Name, types, others, level, text) \
  {Op::Name, types, others, level, false, false, text},
#define HELPER(...)
constexpr OperationRow kOperations[] = {
#include KOMUZ_TARGET_ROWS
};
#define SYNTAX(...)
#define LEVELS(...)
#define TYPE(...)
#define OPERATION(...)
#define NONZERO(...)
#define MEASURED(...)
#define CONVERSION(...)
#define HELPER(name, text) {#name, text},
constexpr TargetHelper kHelpers[] = {
#include KOMUZ_TARGET_ROWS
    {"", ""},
};
const TargetTable kTable = {kSyntax, kLevels, type_names(kTypes), kOperations, kHelpers};
}  // namespace KOMUZ_TARGET
#undef KOMUZ_TARGET
#undef KOMUZ_TARGET_ROWS
