// SPDX-License-Identifier: Apache-2.0
#include "neural/decode/open_model.h"

#include "base/machine/read_installed.h"
#include "neural/decode/decode.h"

namespace komuz::neural {

Result<Model> find_model(const char* variable) {
  return machine::read_installed(variable, kModelFile, "model", [](const std::string& file) {
    return read_model_file(file, model_vocabulary());
  });
}

Result<const Model*> open_model() {
  static const Result<Model> model = find_model("KOMUZ_MODEL");
  if (model.problem()) return Problem(model.problem());
  return &model.value();
}

}  // namespace komuz::neural
