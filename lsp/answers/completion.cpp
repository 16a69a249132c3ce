// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "lsp/answers/kinds.h"
#include "lsp/answers/params.h"
#include "lsp/answers/shapes.h"
#include "services/complete.h"
#include "services/editor/call_snippet.h"
#include "services/editor/head_words.h"
#include "services/editor/unimported_names.h"

namespace komuz::lsp {
namespace {

using Listed = services::Completion;
using services::Completions;
using services::UnimportedName;

// Editors sort by text.
std::string rank_text(size_t rank) {
  std::string digits = std::to_string(rank);
  digits.insert(0, 5 - std::min<size_t>(digits.size(), 5), '0');
  return digits;
}

// `lerp(${1:a}, ${2:b})`: the editor goes from one to the next.
std::string snippet_text(const std::string& name, const std::vector<std::string>& arguments) {
  std::string out = name + "(";
  for (size_t k = 0; k < arguments.size(); ++k) {
    out += (k == 0 ? "${" : ", ${") + std::to_string(k + 1) + ":";
    for (const char byte : arguments[k]) {
      if (byte == '$' || byte == '}' || byte == '\\') out += '\\';
      out += byte;
    }
    out += "}";
  }
  return out + ")$0";
}

class CompletionItems {
 public:
  CompletionItems(const Question& question, const Document& document, u32 byte)
      : question_(question),
        document_(document),
        byte_(byte),
        analysis_(question.workspace.analyse_names(document)),
        known_(services::complete(analysis_, byte)),
        others_(services::list_unimported_names(analysis_, known_, byte)) {}

  Json list() {
    const Json range = range_json(document_, {known_.begin, known_.end}, question_.client.encoding);
    // What `completionItem/resolve` asks again.
    const Json data = {{"uri", document_.uri}, {"at", byte_}};
    Json items = Json::array();
    const auto add = [&](const Listed& one, Json edits) {
      Json item = {{"label", one.text},
                   {"kind", completion_kind(one.kind)},
                   {"sortText", rank_text(items.size())},
                   {"textEdit", {{"range", range}, {"newText", one.text}}},
                   {"data", data}};
      if (!one.signature.empty() && one.signature != one.text) item["detail"] = one.signature;
      if (!edits.empty() && !question_.client.resolves_completion_edits)
        item["additionalTextEdits"] = std::move(edits);
      if (question_.client.has_snippets) add_snippet(one, item);
      items.push_back(std::move(item));
    };
    for (const Listed& one : known_.list) add(one, edits_of(nullptr));
    for (const UnimportedName& one : others_) {
      add(one.completion, edits_of(&one));
      items.back()["data"]["module"] = one.module;
      items.back()["labelDetails"] = {{"description", one.module}};
      if (!question_.client.has_label_details) items.back().erase("labelDetails");
    }
    return items;
  }

  // Names of modules are listed once two letters are there: the editor asks again.
  [[nodiscard]] bool is_incomplete() const {
    return (known_.takes_values || known_.takes_types) &&
           byte_ < known_.begin + services::kFewestLetters;
  }
  // Fills in what was left out of an item.
  void resolve(const std::string& name, const Json& module, Json& item) {
    const auto fill = [&](const Listed& one, Json edits) {
      if (!one.comment.empty())
        item["documentation"] =
            prose_json({"", one.comment, ""}, question_.client.has_markdown_completion);
      if (!edits.empty()) item["additionalTextEdits"] = std::move(edits);
    };
    const auto same = std::ranges::find(known_.list, name, &Listed::text);
    if (module.is_null() && same != known_.list.end()) return fill(*same, edits_of(nullptr));
    for (const UnimportedName& one : others_)
      if (one.completion.text == name && (module.is_null() || module == one.module))
        return fill(one.completion, edits_of(&one));
  }

 private:
  // What else has to change so that the name means something: null stands for a name that needs no module of its own.
  [[nodiscard]] Json edits_of(const UnimportedName* other) const {
    Json edits = Json::array();
    const auto add = [&](const std::optional<Edit>& edit) {
      if (edit) edits.push_back(text_edit_json(document_, *edit, question_.client.encoding));
    };
    const std::string_view text = document_.text;
    if (other != nullptr) add(services::bring_name(other->module, other->completion.text, text));
    if (other != nullptr || known_.missing_module.empty()) return edits;
    add(services::bring_module(known_.missing_module, text));
    // A module is called by its last name.
    if (known_.missing_begin != known_.missing_end)
      add(Edit{known_.missing_begin, known_.missing_end, ""});
    return edits;
  }
  void add_snippet(const Listed& one, Json& item) const {
    // InsertTextFormat of the protocol.
    constexpr u32 kSnippet = 2;
    const auto arguments = services::arguments_to_write(document_.text, known_, one);
    if (!arguments) return;
    item["insertTextFormat"] = kSnippet;
    item["textEdit"]["newText"] = snippet_text(one.text, *arguments);
  }

  const Question& question_;
  const Document& document_;
  u32 byte_;
  services::Analysis& analysis_;
  Completions known_;
  std::vector<UnimportedName> others_;
};

// Files that the head may name, and the folders on the way to some.
void add_head_files(const Question& question, const Document& document,
                    const services::HeadFiles& files, const Json& range, Json& items) {
  // CompletionItemKind of the protocol.
  constexpr u32 kFile = 17, kFolder = 19;
  const std::string own = document.path.substr(document.path.rfind('/') + 1);
  for (const std::string& name : question.workspace.list_files(document, files.folder)) {
    const bool is_folder = name.ends_with('/');
    const bool fits = std::ranges::any_of(
        files.endings, [&](std::string_view ending) { return name.ends_with(ending); });
    if (!is_folder && (!fits || (name == own && files.folder.empty()))) continue;
    items.push_back({{"label", name},
                     {"kind", is_folder ? kFolder : kFile},
                     {"sortText", rank_text(items.size())},
                     {"textEdit", {{"range", range}, {"newText", files.blank + name}}}});
    if (!is_folder) items.back()["detail"] = files.what;
  }
}

// In the order in which the tables have them.
Json head_list(const Question& question, const Document& document, u32 byte,
               const services::HeadWords& words) {
  // CompletionItemKind of the protocol.
  constexpr u32 kKeyword = 14;
  const Json range = range_json(document, {words.begin, words.end}, question.client.encoding);
  Json items = Json::array();
  for (const services::HeadWord& one : words.list) {
    const size_t first = one.text.find_first_not_of(' ');
    const size_t last = one.text.find_last_not_of(": ");
    items.push_back({{"label", one.text.substr(first, last + 1 - first)},
                     {"kind", kKeyword},
                     {"detail", one.what},
                     {"sortText", rank_text(items.size())},
                     {"textEdit", {{"range", range}, {"newText", one.text}}},
                     {"data", {{"uri", document.uri}, {"at", byte}}}});
  }
  if (words.files) add_head_files(question, document, *words.files, range, items);
  return {{"isIncomplete", false}, {"items", std::move(items)}};
}

}  // namespace

Outcome answer_completion(const Question& question) {
  const Read<Spot> spot = read_spot(question);
  if (!spot) return *spot.refusal;
  if (const auto words = services::list_head_words(spot.value.document->text, spot.value.byte))
    return head_list(question, *spot.value.document, spot.value.byte, *words);
  // A `/` is typed for the path of a file, which stands in the head alone.
  if (member(member(question.params, "context"), "triggerCharacter") == "/")
    return Json{{"isIncomplete", false}, {"items", Json::array()}};
  CompletionItems found(question, *spot.value.document, spot.value.byte);
  return Json{{"isIncomplete", found.is_incomplete()}, {"items", found.list()}};
}

Outcome answer_completion_item(const Question& question) {
  Json item = question.params;
  const Json& label = member(item, "label");
  const Json& uri = member(member(item, "data"), "uri");
  const Json& at = member(member(item, "data"), "at");
  // One of the head of a file says all that there is.
  if (label.is_string() && member(item, "data").is_null()) return item;
  if (!label.is_string() || !uri.is_string() || !at.is_number_unsigned())
    return Refusal{ErrorCode::InvalidParams, "`label` and `data` are those of a completion"};
  const std::string name = label.get<std::string>();
  const Json module = member(member(item, "data"), "module");
  const DocumentRef document =
      question.workspace.documents().find(uri.get_ref<const std::string&>());
  if (document == nullptr) return item;
  // The document may be another one by now: then the name may stand for nothing there.
  const auto byte = static_cast<u32>(std::min<u64>(at.get<u64>(), document->text.size()));
  CompletionItems(question, *document, byte).resolve(name, module, item);
  return item;
}

}  // namespace komuz::lsp
