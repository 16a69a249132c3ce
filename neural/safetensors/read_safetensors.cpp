// SPDX-License-Identifier: Apache-2.0
#include "neural/safetensors/read_safetensors.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

namespace komuz::neural {
namespace {

using Json = nlohmann::json;

struct TensorTypeRow {
  std::string_view spelling;
  u32 bytes;
};
constexpr TensorTypeRow kTensorTypes[] = {
#define TENSOR_TYPE(Name, spelling, bytes) {spelling, bytes},
#include "neural/safetensors/tensor_types.def"
};

std::optional<TensorType> tensor_type_of(std::string_view spelling) {
  for (size_t i = 0; i < std::size(kTensorTypes); ++i)
    if (kTensorTypes[i].spelling == spelling) return static_cast<TensorType>(i);
  return {};
}

// The length of the header: the first eight bytes, little endian.
u64 header_length(const std::string& bytes) {
  u64 length = 0;
  for (u32 i = 8; i-- > 0;) length = length << 8 | static_cast<u8>(bytes[i]);
  return length;
}

// The header, and the first key that an object of it has twice. JSON that is wrong is `discarded`.
Json parse_header(std::string_view text, std::string& twice) {
  std::vector<std::set<std::string>> keys;
  return Json::parse(
      text,
      [&](int, Json::parse_event_t event, Json& parsed) {
        if (event == Json::parse_event_t::object_start) keys.emplace_back();
        if (event == Json::parse_event_t::object_end) keys.pop_back();
        if (event == Json::parse_event_t::key &&
            !keys.back().insert(parsed.get_ref<const std::string&>()).second && twice.empty())
          twice = parsed.get_ref<const std::string&>();
        return true;
      },
      false);
}

// A name as a message shows it: whatever is in a file, this is one short line of ASCII.
std::string shown_name(std::string_view name) {
  std::string shown = "`";
  for (const char c : name.substr(0, 60)) shown += c >= ' ' && c <= '~' && c != '`' ? c : '?';
  if (name.size() > 60) shown += "…";
  return shown + "`";
}

// What is wrong with a tensor, or nothing. `room`: how many bytes all tensors have together.
std::string read_tensor(const Json& row, u64 room, Tensor& tensor) {
  if (!row.is_object()) return "is no object";
  const auto type = row.find("dtype"), shape = row.find("shape"),
             offsets = row.find("data_offsets");
  if (type == row.end() || shape == row.end() || offsets == row.end() || row.size() != 3)
    return "has not just `dtype`, `shape` and `data_offsets`";
  if (!type->is_string()) return "has a `dtype` that is no text";
  const std::optional<TensorType> known = tensor_type_of(type->get_ref<const std::string&>());
  if (!known)
    return "has numbers of the unknown type " + shown_name(type->get_ref<const std::string&>());
  tensor.type = *known;
  if (!shape->is_array() || shape->size() > kMostTensorDimensions)
    return "has a `shape` that is no list of at most " + std::to_string(kMostTensorDimensions) +
           " sizes";
  u64 bytes = tensor_type_bytes(tensor.type);
  for (const Json& size : *shape) {
    if (!size.is_number_unsigned()) return "has a `shape` with something that is no size";
    tensor.shape.push_back(size.get<u64>());
    if (__builtin_mul_overflow(bytes, tensor.shape.back(), &bytes))
      return "has more numbers than there can be";
  }
  if (!offsets->is_array() || offsets->size() != 2 || !(*offsets)[0].is_number_unsigned() ||
      !(*offsets)[1].is_number_unsigned())
    return "has `data_offsets` that are not two places";
  const u64 begin = (*offsets)[0].get<u64>(), end = (*offsets)[1].get<u64>();
  if (begin > end || end > room) return "lies outside of the file";
  if (end - begin != bytes)
    return "has " + std::to_string(end - begin) + " bytes, and its shape asks for " +
           std::to_string(bytes);
  tensor.begin = begin;
  tensor.bytes = bytes;
  return {};
}

// Tensors that overlap, holes between them, or bytes behind the last one.
std::string fault_of_places(const TensorFile& file, u64 room) {
  std::vector<std::pair<u64, const std::pair<const std::string, Tensor>*>> places;
  for (const auto& each : file.tensors) places.emplace_back(each.second.begin, &each);
  // Empty tensors stand before what begins at the same place.
  std::sort(places.begin(), places.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first, a.second->second.bytes) < std::pair(b.first, b.second->second.bytes);
  });
  u64 at = 0;
  for (const auto& [begin, each] : places) {
    if (begin != at)
      return "the tensor " + shown_name(each->first) +
             (begin < at ? " overlaps another one" : " lies behind a hole");
    at += each->second.bytes;
  }
  return at == room ? "" : std::to_string(room - at) + " bytes belong to no tensor";
}

}  // namespace

std::string_view tensor_type_name(TensorType type) {
  return kTensorTypes[static_cast<u8>(type)].spelling;
}
u32 tensor_type_bytes(TensorType type) { return kTensorTypes[static_cast<u8>(type)].bytes; }

Result<TensorFile> read_safetensors(std::string bytes, const std::string& file) {
  const auto refused = [&](std::string why) {
    return input_problem({.file = file}, "this is no sound file of tensors: " + std::move(why),
                         "copy it again from where it came from, or make it anew");
  };
  if (bytes.size() < 8) return refused("it has " + std::to_string(bytes.size()) + " bytes");
  const u64 length = header_length(bytes);
  if (length > bytes.size() - 8) return refused("its header would end behind the file");
  if (length > kMostHeaderBytes)
    return refused("its header has more than " + std::to_string(kMostHeaderBytes) + " bytes");
  std::string twice;
  const Json header = parse_header(std::string_view(bytes).substr(8, length), twice);
  if (header.is_discarded() || !header.is_object()) return refused("its header is no JSON object");
  if (!twice.empty()) return refused("its header says " + shown_name(twice) + " twice");
  if (header.size() > kMostTensors)
    return refused("it has more than " + std::to_string(kMostTensors) + " tensors");

  TensorFile made;
  made.first_ = 8 + length;
  const u64 room = bytes.size() - made.first_;
  for (const auto& [name, row] : header.items()) {
    if (name == "__metadata__") {
      if (!row.is_object()) return refused("its metadata are no object");
      for (const auto& [key, value] : row.items()) {
        if (!value.is_string()) return refused("its metadata " + shown_name(key) + " are no text");
        made.metadata.emplace(key, value.get<std::string>());
      }
      continue;
    }
    Tensor tensor;
    if (std::string why = read_tensor(row, room, tensor); !why.empty())
      return refused("the tensor " + shown_name(name) + " " + why);
    made.tensors.emplace(name, std::move(tensor));
  }
  if (std::string why = fault_of_places(made, room); !why.empty()) return refused(std::move(why));
  made.bytes_ = std::move(bytes);
  return made;
}

Result<TensorFile> read_safetensors_file(const std::string& file, u64 most) {
  std::ifstream in(file, std::ios::binary);
  // A folder opens, and cannot be read.
  if (!in || in.peek() == std::char_traits<char>::eof())
    return input_problem({.file = file}, in.is_open() && in.eof()
                                             ? "this file is empty"
                                             : std::string("cannot read: ") + std::strerror(errno));
  // Read, not measured: a pipe has no size.
  std::string bytes;
  char part[1 << 16];
  while (bytes.size() <= most && (in.read(part, sizeof part), in.gcount() > 0))
    bytes.append(part, static_cast<size_t>(in.gcount()));
  if (in.bad())
    return input_problem({.file = file}, std::string("cannot read: ") + std::strerror(errno));
  if (bytes.size() > most)
    return input_problem({.file = file},
                         "this file has more than " + std::to_string(most) + " bytes");
  return read_safetensors(std::move(bytes), file);
}

}  // namespace komuz::neural
