// SPDX-License-Identifier: Apache-2.0
#include "backend/settings.h"

#include <cstdlib>
#include <iterator>

namespace komuz::backend {
namespace {

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

Problem wrong(std::string message, std::string remedy) {
  return Problem(ProblemKind::Option, {}, std::move(message), std::move(remedy));
}

// $XDG_CACHE_HOME/komuz/native; empty if nobody says where home is. Paths that are not absolute count for nothing, by
// the rules of XDG.
std::string default_folder() {
  const std::string_view cache = variable("XDG_CACHE_HOME"), home = variable("HOME");
  if (cache.starts_with('/')) return std::string(cache) + "/komuz/native";
  return home.starts_with('/') ? std::string(home) + "/.cache/komuz/native" : std::string();
}

}  // namespace

Result<BackendSettings> settings_of_environment() {
  BackendSettings settings;
  const std::string_view maps = variable("KOMUZ_NATIVE_MAPS"),
                         cache = variable("KOMUZ_NATIVE_CACHE");
  for (size_t k = 0; k < std::size(kMapsNames); ++k)
    if (maps == kMapsNames[k]) settings.maps = static_cast<Maps>(k + 1);
  if (!maps.empty() && settings.maps == Maps::None)
    return wrong("KOMUZ_NATIVE_MAPS is perf or gdb, not `" + std::string(maps) + "`", {});
  if (cache == "on") {
    settings.cache_folder = default_folder();
    settings.cache_levels = 3;  // with .cache itself
    if (settings.cache_folder.empty())
      return wrong("KOMUZ_NATIVE_CACHE is `on`, and neither XDG_CACHE_HOME nor HOME is a folder",
                   "give it a folder in place of `on`");
  } else if (cache.starts_with('/')) {
    settings.cache_folder = cache;
  } else if (!cache.empty() && cache != "off" && cache != "no") {
    return wrong("KOMUZ_NATIVE_CACHE is `on`, `off` or the absolute path of a folder, not `" +
                     std::string(cache) + "`",
                 {});
  }
  return settings;
}

}  // namespace komuz::backend
