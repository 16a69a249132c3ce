// SPDX-License-Identifier: Apache-2.0
// The state of a session: variables and imported types, undoing changes to them, and the text that builds the same
// session again.
#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "repl/session.h"

namespace komuz::repl {

namespace {

constexpr size_t kMostUndone = 100;

}  // namespace

// Values without cells need no record.
void Session::keep(const Input& input, const services::SnippetType& type, Answer& answer) {
  if (!import_types(input, type.module_types, answer)) return;
  if (answer.is_let) {
    if (!answer.values.empty()) remember();
    for (const NamedValue& value : answer.values) variables_.set(value);
    return;
  }
  if (!answer.changed.empty()) remember();
  for (const NamedValue& changed : answer.changed) variables_.set(changed);
  const NamedValue& value = answer.values[0];
  if (value.type == "()") return;
  if (const NamedValue* const it = variables_.find(kIt)) {
    NamedValue before = *it;
    before.name = kItBefore;
    variables_.set(std::move(before));
  }
  variables_.set(value);
}

bool Session::import_types(const Input& input, std::span<const services::ModuleType> types,
                           Answer& answer) {
  for (const services::ModuleType& type : types) {
    if (type.meaning != services::NameMeaning::Nothing) continue;
    const Definition* const known = definitions_.find_name(type.name);
    if (known != nullptr && !(known->is_implied && known->text == type.use())) {
      answer.note = "not kept: the type `" + type.name + "` is of `" + type.module + "`, and `" +
                    type.name + "` is something else in the session\n";
      return false;
    }
  }
  for (const services::ModuleType& type : types) {
    if (type.meaning != services::NameMeaning::Nothing ||
        definitions_.find_name(type.name) != nullptr)
      continue;
    Definition use{services::ItemForm::Use, type.name, type.use(), std::string(input.name),
                   input.line};
    use.is_implied = true;
    definitions_.add(std::move(use));
  }
  return true;
}

void Session::remember() {
  definitions_.begin_step(kMostUndone);
  variables_.begin_step(kMostUndone);
  undoable_ = std::min(undoable_ + 1, kMostUndone);
}

bool Session::undo() {
  if (undoable_ == 0) return false;
  --undoable_;
  for (const auto& definition : definitions_.take_step_back())
    if (definition->is_implied && definitions_.find_name(definition->name) == nullptr)
      definitions_.add(*definition);
  // Restores the values of the undone step.
  for (const auto& value : variables_.take_step_back())
    if (value->name == kIt || value->name == kItBefore) variables_.set(*value);
  forget_strange_values();
  return true;
}

void Session::reset() {
  remember();
  definitions_.clear();
  variables_.clear();
}

std::string Session::replay_text() {
  // As one text, since a definition may need a later one. If one has errors, which a redefinition of another may
  // cause, or if they are too many for one program, in blocks.
  const DefinitionText all = definitions_.whole();
  frontend::Compilation program;
  modules_.load(all.text);
  compiler_.compiler().compile(all.text, program);
  std::string text =
      program.ok && all.parts.size() > 1 ? ":{\n" + all.text + ":}\n" : definition_blocks();
  for (const NamedValue& variable : variables_.all()) {
    if (variable.name == kIt || variable.name == kItBefore) continue;
    text += let_text(variable) + "\n";
  }
  return text;
}

std::string Session::definition_blocks() const {
  std::string text;
  std::set<const Definition*> written;
  const auto needs_of = [&](const Definition& definition) {
    return definitions_.needed_by(definition.text, {&definition, 1});
  };
  const auto needs = [&](const Definition& user, const Definition& used) {
    return std::ranges::any_of(needs_of(user).parts, [&](const DefinitionText::Part& part) {
      return part.definition == &used;
    });
  };
  const std::function<void(const Definition&)> write = [&](const Definition& definition) {
    if (!written.insert(&definition).second) return;
    DefinitionText block;
    block.add(definition);
    const DefinitionText needed = needs_of(definition);
    for (const DefinitionText::Part& part : needed.parts) {
      if (written.contains(part.definition)) continue;
      if (!needs(*part.definition, definition)) {
        write(*part.definition);
      } else if (written.insert(part.definition).second) {
        block.add(*part.definition);
      }
    }
    const bool is_line = std::ranges::count(block.text, '\n') == 1;
    text += is_line ? block.text : ":{\n" + block.text + ":}\n";
  };
  for (const Definition& definition : definitions_.all()) write(definition);
  return text;
}

std::vector<std::string> Session::forget_strange_values() {
  return variables_.remove_types([&](const NamedValue& variable) {
    const std::string items = definitions_.needed_by(variable.type).text;
    frontend::Compilation program;
    const std::string head = "pub fn " + std::string(services::kSnippetFunction);
    compiler_.compiler().compile(head + "(it: " + variable.type + ") -> () {}\n" + items, program);
    if (!program.ok) return true;
    const CodeView code = program.code.view();
    const Function& function = code.functions[code.find_function(services::kSnippetFunction)];
    constexpr size_t kTupleHead = 2;  // the code and the number of elements
    return code.parameter_types(function).substr(kTupleHead) != variable.type_codes;
  });
}

}  // namespace komuz::repl
