// SPDX-License-Identifier: Apache-2.0
// The sources of candidates. Each looks at the text with a name in place of the word: `node` is the name's node.
#pragma once
#include "services/completion/candidates.h"

namespace komuz::services {

// True for names of the frame around a snippet, which its writer has not given: the frame's function, but not its
// variables.
[[nodiscard]] bool is_of_frame(const Analysis& question, u32 binding);
// Variables, parameters, names bound by items, imported and built-in names: all that may be a value or be called.
void add_values(const Analysis& question, frontend::Index node, Candidates& out);
// Constructors and constants, for a pattern.
void add_patterns(const Analysis& question, frontend::Index node, Candidates& out);
void add_types(const Analysis& question, frontend::Index node, Candidates& out);
// The fields without an argument so far in the constructor call around the node, as `x: `.
void add_labels(const Analysis& question, frontend::Index node, Candidates& out);
// Fields of a value, and the functions that can be called on it.
void add_members(const Analysis& question, frontend::Index value, Candidates& out);
// The public names of a module.
void add_module_names(const Module& module, Candidates& out);
// The same for a module by its path: a loaded one, or one of the standard library, which is then read. False: there
// is none.
bool add_names_of(const Library* library, const std::string& path, Candidates& out);
[[nodiscard]] bool is_module(const Library* library, std::string_view path);
// The next parts of modules' paths behind `path`, which is empty or ends in a dot.
void add_module_paths(const Library* library, std::string_view path, Candidates& out);
// What may be behind a `?`: the spaces of the text, and the names of its other holes. `own`: the byte of the hole itself.
void add_hole_names(const Analysis& analysis, u32 own, Candidates& out);
// What the grid takes behind its range, which begins with a token.
void add_grid_options(const Analysis& analysis, frontend::Index range, Candidates& out);
// Words that start an item, and those that may stand in place of the name.
void add_item_words(Candidates& out);
// … behind a `pub`.
void add_public_words(Candidates& out);
void add_words(frontend::Context context, Candidates& out);
// Words that continue what precedes: `else`, `limit`.
void add_infix_words(const Analysis& analysis, u32 begin, u32 end, Analysis& question,
                     Candidates& out);

}  // namespace komuz::services
