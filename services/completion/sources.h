// SPDX-License-Identifier: Apache-2.0
// Where candidates come from. Each looks at the text with a name in the place of the word: `node` is that of the name.
#pragma once
#include "services/completion/candidates.h"

namespace komuz::services {

// What a snippet is put into has names of its own, which nobody who writes it has given: its function, but not its variables.
[[nodiscard]] bool is_of_frame(const Analysis& question, u32 binding);
// Variables, parameters, what items bind, what is imported and built in: whatever may be a value or be called.
void add_values(const Analysis& question, frontend::Index node, Candidates& out);
// Constructors and constants, for a pattern.
void add_patterns(const Analysis& question, frontend::Index node, Candidates& out);
void add_types(const Analysis& question, frontend::Index node, Candidates& out);
// The fields of a call of a constructor around the node that have no argument yet, as `x: `.
void add_labels(const Analysis& question, frontend::Index node, Candidates& out);
// Fields of a value, and what can be called on it.
void add_members(const Analysis& question, frontend::Index value, Candidates& out);
// What a module shows.
void add_module_names(const Module& module, Candidates& out);
// The same of a module by its path: one that is there, or one of the standard library, which is read for that. False: there is none.
bool add_names_of(const Library* library, const std::string& path, Candidates& out);
[[nodiscard]] bool is_module(const Library* library, std::string_view path);
// The parts of modules' paths behind `path`, which is empty or ends in a dot.
void add_module_paths(const Library* library, std::string_view path, Candidates& out);
// Words that start an item, and those that may stand where the name does.
void add_item_words(Candidates& out);
void add_words(frontend::Context context, Candidates& out);
// Words that go on with what stands before: `else`, `limit`.
void add_infix_words(const Analysis& analysis, u32 begin, u32 end, Analysis& question,
                     Candidates& out);

}  // namespace komuz::services
