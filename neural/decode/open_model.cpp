// SPDX-License-Identifier: Apache-2.0
#include "neural/decode/open_model.h"

#include <cstdlib>
#include <filesystem>

#include "neural/decode/decode.h"

namespace komuz::neural {

Result<Model> find_model(const char* variable) {
  if (const char* const given = std::getenv(variable); given != nullptr && *given != 0) {
    Result<Model> read = read_model_file(given, model_vocabulary());
    if (!read.problem() || !read.problem().remedy().empty()) return read;
    return Problem(read.problem())
        .with_remedy(std::string(variable) +
                     " names this file: without it the model that comes with Komuz is taken");
  }
  std::error_code ignored;
  const std::filesystem::path folder =
      std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
  const std::filesystem::path beside = folder / kModelFile;
  for (const std::filesystem::path& path :
       {beside, folder.parent_path() / "share" / "komuz" / kModelFile})
    if (std::filesystem::exists(path, ignored)) return read_model_file(path, model_vocabulary());
  return input_problem(
      {}, "there is no " + beside.string() + ": this Komuz was built or installed without a model",
      std::string("install Komuz again, or name a model: ") + variable + "=…/" + kModelFile);
}

Result<const Model*> open_model() {
  static const Result<Model> model = find_model("KOMUZ_MODEL");
  if (model.problem()) return Problem(model.problem());
  return &model.value();
}

}  // namespace komuz::neural
