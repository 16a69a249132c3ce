// SPDX-License-Identifier: Apache-2.0
#include "services/files/open_harness.h"

#include <utility>

#include "engine/candidates/harness_names.h"
#include "services/files/files.h"

namespace komuz::services {

Result<OpenedHarness> open_harness(const std::string& path, std::string_view entry,
                                   engine::ModuleLoader& modules) {
  engine::ModuleText file{path, ""};
  if (Problem error = read_file(file.file, file.text, kMostSourceBytes)) return error;
  OpenedHarness opened;
  opened.number = modules.load_harness(engine::harness_module(path), std::move(file));
  opened.needs_too_many = modules.needs_too_many();
  if (!opened.needs_too_many) opened.fault = check_harness(modules.library()[opened.number], entry);
  return opened;
}

}  // namespace komuz::services
