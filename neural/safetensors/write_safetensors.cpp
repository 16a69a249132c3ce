// SPDX-License-Identifier: Apache-2.0
#include "neural/safetensors/write_safetensors.h"

#include "engine/support/json_text.h"

namespace komuz::neural {
namespace {

std::string header_of(std::span<const WrittenTensor> tensors,
                      const std::map<std::string, std::string>& metadata) {
  std::string header = "{\"__metadata__\":{";
  const auto quoted = [](std::string_view text) {
    std::string out;
    engine::append_json_string(out, text);
    return out;
  };
  for (const auto& [key, text] : metadata) {
    if (header.back() != '{') header += ',';
    header += quoted(key) + ":" + quoted(text);
  }
  header += '}';
  u64 at = 0;
  for (const WrittenTensor& tensor : tensors) {
    header += "," + quoted(tensor.name) + ":{\"dtype\":\"" +
              std::string(tensor_type_name(tensor.type)) + "\",\"shape\":[";
    for (size_t k = 0; k < tensor.shape.size(); ++k)
      header += (k == 0 ? "" : ",") + std::to_string(tensor.shape[k]);
    header += "],\"data_offsets\":[" + std::to_string(at) + ",";
    at += tensor.bytes.size();
    header += std::to_string(at) + "]}";
  }
  header += '}';
  // Blanks, so that the numbers start at a multiple of eight bytes.
  header.resize((header.size() + 7) / 8 * 8, ' ');
  return header;
}

}  // namespace

void write_safetensors(std::span<const WrittenTensor> tensors,
                       const std::map<std::string, std::string>& metadata,
                       const std::function<bool(std::string_view)>& write) {
  const std::string header = header_of(tensors, metadata);
  char length[8];
  for (u32 k = 0; k < 8; ++k)
    length[k] = static_cast<char>(static_cast<u8>(u64{header.size()} >> (8 * k)));
  if (!write({length, sizeof length}) || !write(header)) return;
  for (const WrittenTensor& tensor : tensors)
    if (!write({tensor.bytes.data(), tensor.bytes.size()})) return;
}

}  // namespace komuz::neural
