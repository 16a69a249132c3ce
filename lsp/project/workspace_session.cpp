// SPDX-License-Identifier: Apache-2.0
// What documents have of the session that is attached: items that are compiled behind their texts (services/session/session_items.h).
#include <algorithm>

#include "lsp/project/workspace.h"
#include "services/editor/check_text.h"
#include "services/session/session_items.h"

namespace komuz::lsp {
namespace {

bool is_error(const Diagnostic& d) { return diagnostic_row(d.code()).severity == Severity::Error; }
// Found before names are looked up: brackets, operators, words in the wrong place.
bool is_of_form(const Diagnostic& d) {
  return is_error(d) && diagnostic_row(d.code()).code.starts_with("K01");
}

bool is_unknown_name(const Diagnostic& d) {
  return d.code() == DiagnosticCode::UnknownName || d.code() == DiagnosticCode::UnknownFunction ||
         d.code() == DiagnosticCode::UnknownType || d.code() == DiagnosticCode::UnknownConstructor;
}
bool is_same_finding(const Diagnostic& a, const Diagnostic& b) {
  return a.code() == b.code() && a.begin == b.begin && a.length == b.length;
}

}  // namespace

void Workspace::look_at(const services::LiveRef& live) {
  if (live == live_) return;
  live_ = live;
  ++looks_;
}

void Workspace::read_items(Known& known, const Document& document) {
  if (live_ == nullptr && known.live == nullptr) return;
  // Modules that the items name.
  const auto load = [&] {
    if (!known.all.text.empty())
      known.folder->loader.load(services::with_items(document.text, known.all.text));
  };
  if (known.live == live_ && known.items_text == document.text) return load();
  known.costed.reset();
  known.live = live_;
  known.items_text = document.text;
  known.named = known.all = {};
  if (live_ == nullptr) {
    known.with_all.reset();
    return;
  }
  using services::SessionItems;
  known.named = services::items_behind(document.text, live_->definitions, SessionItems::Named);
  known.all = services::items_behind(document.text, live_->definitions, SessionItems::All);
  load();
}

const services::DefinitionText& Workspace::items_of(const Document& document) {
  Known& known = know(document);
  static_cast<void>(refresh(known, document));
  return known.named;
}
std::string Workspace::compiled_text(const Document& document) {
  return services::with_items(document.text, items_of(document).text);
}

services::Analysis& Workspace::analyse_names(const Document& document) {
  Known& known = know(document);
  static_cast<void>(refresh(known, document));
  if (known.all.text.empty()) return analyse(document);
  if (known.with_all == nullptr)
    known.with_all = std::make_unique<services::Analysis>(&known.folder->loader.library());
  known.with_all->read(document.text, known.all.text);
  return *known.with_all;
}

const services::CheckedText& Workspace::check_with_items(Known& known, Folder& folder,
                                                         const Document& document,
                                                         const services::CheckOptions& how,
                                                         const std::stop_token& stop) {
  const auto size = static_cast<u32>(document.text.size());
  const auto is_behind = [&](const Diagnostic& d) { return d.begin > size; };
  services::CheckedText& out = known.checked_with_items;
  out = known.check->check(services::with_items(document.text, known.named.text), folder.loader,
                           how, stop);
  if (out.was_stopped) return out;
  const bool is_wrong_behind = std::ranges::any_of(
      out.diagnostics, [&](const Diagnostic& d) { return is_behind(d) && is_of_form(d); });
  std::erase_if(out.diagnostics, is_behind);
  std::erase_if(out.harness_diagnostics, is_behind);
  if (!is_wrong_behind || std::ranges::any_of(out.diagnostics, is_error)) return out;
  // A bracket that the text leaves open may be told where the items begin.
  services::CheckedText alone = services::check_text(document.text, folder.loader, how, stop);
  if (alone.was_stopped || std::ranges::none_of(alone.diagnostics, is_of_form)) return out;
  std::erase_if(alone.diagnostics, [](const Diagnostic& d) { return !is_of_form(d); });
  out = std::move(alone);
  return out;
}

const services::CheckedText& Workspace::with_near_names(Known& known, Folder& folder,
                                                        const Document& document,
                                                        const services::CheckedText& found,
                                                        const services::CheckOptions& how,
                                                        const std::stop_token& stop) {
  if (found.was_stopped || known.all.text.empty() ||
      std::ranges::none_of(found.diagnostics, is_unknown_name))
    return found;
  services::CheckedText& out = known.checked_with_all;
  out = services::check_text(services::with_items(document.text, known.all.text), folder.loader,
                             how, stop);
  if (out.was_stopped) return out;
  const auto size = static_cast<u32>(document.text.size());
  std::erase_if(out.diagnostics, [&](const Diagnostic& d) { return d.begin > size; });
  out.used_harness = found.used_harness;
  out.harness_diagnostics = found.harness_diagnostics;
  // Items that the text does not name may be the reason for something else that is found.
  return std::ranges::equal(out.diagnostics, found.diagnostics, is_same_finding) ? out : found;
}

std::optional<Workspace::SessionPlace> Workspace::session_place(const Document& document, u32 begin,
                                                                u32 end) {
  Known& known = know(document);
  static_cast<void>(refresh(known, document));
  const services::DefinitionText::Part* const part = known.all.part_at(begin);
  if (part == nullptr || live_ == nullptr) return std::nullopt;
  const services::Definition& definition = *part->definition;
  begin -= part->begin;
  end -= part->begin;
  const std::string file = files_.real_path(definition.file);
  if (const auto text = files_.read(file); text && file.starts_with('/')) {
    const size_t at = text->find(definition.text);
    if (at != std::string::npos) {
      const auto place = static_cast<u32>(at);
      return SessionPlace{file, *text, place + begin, place + end};
    }
  }
  SessionPlace out;
  out.text =
      "// What the session has defined, which this file is only a view of: define it there anew "
      "to change it.\n\n";
  for (const services::Definition& one : live_->definitions.all()) {
    if (&one == &definition) {
      out.begin = static_cast<u32>(out.text.size()) + begin;
      out.end = static_cast<u32>(out.text.size()) + end;
    }
    out.text += one.text + "\n";
  }
  out.path = files_.keep("session/" + live_->name + ".komuz", out.text);
  if (out.path.empty()) return std::nullopt;
  return out;
}

}  // namespace komuz::lsp
