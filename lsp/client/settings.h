// SPDX-License-Identifier: Apache-2.0
// What a person sets for a workspace, or for one of its folders: the rows of settings.def, as members of the section
// `komuz`.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/ints.h"
#include "lsp/wire/json_text.h"

namespace komuz::lsp {

struct Settings {
  // Empty, or zero: it is not set.
  using Text = std::string;
  using Count = u32;
#define SETTING(name, Kind, example, what) Kind name = {};
#include "lsp/client/settings.def"
#undef SETTING

  bool operator==(const Settings&) const = default;
};

// Takes what a section sets, `{"harness": "H.komuz"}`; what it does not set stays. What it sets to something else
// than it should stays, too, and is told in words. Members that are no settings are a client's own.
void read_settings(const Json& section, Settings& settings, std::vector<std::string>& problems);

// A project: the folders of a workspace, and what is set for each.
struct Project {
  struct Folder {
    std::string path;
    Settings settings;
    bool operator==(const Folder&) const = default;
  };
  std::vector<Folder> folders;
  Settings settings;  // of what lies in none of them

  [[nodiscard]] std::vector<std::string> paths() const;
  // The settings of the innermost folder that the path lies in.
  [[nodiscard]] const Settings& settings_of(std::string_view path) const;
  bool operator==(const Project&) const = default;
};

}  // namespace komuz::lsp
