// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>

#include "base/machine/read_installed.h"
#include "neural/model/weight_reader.h"
#include "neural/proposals/network.h"

namespace komuz::neural {
namespace {

// The words of the tables, as the metadata have them.
constexpr std::string_view kOperationWords =
#define OPERATION(Name, word) word " "
#include "neural/proposals/operations.def"
    ;
constexpr std::string_view kPlaceWords =
#define PLACE(Name, word) word " "
#include "neural/proposals/places.def"
    ;

// A layer of PyTorch: its matrix, and its summands as a column behind.
ProposalLayer layer_of(WeightReader& in, const std::string& name, u32 outputs, u32 inputs) {
  const Numbers weights = in.numbers(name + ".weight", {outputs, inputs});
  const Numbers summands = in.numbers(name + ".bias", {outputs});
  if (weights.empty() || summands.empty()) return {};
  const u32 whole = (outputs + kPanel - 1) / kPanel * kPanel;
  Numbers rows(size_t{whole} * (inputs + 1));
  for (u32 out = 0; out < outputs; ++out) {
    f32* const row = &rows[size_t{out} * (inputs + 1)];
    std::copy_n(&weights[size_t{out} * inputs], inputs, row);
    row[inputs] = summands[out];
  }
  return {packed(rows, whole, inputs + 1)};
}

}  // namespace

Result<ProposalNetwork> read_proposal_network(const TensorFile& tensors, const std::string& file) {
  const auto refused = [&](std::string why) {
    return input_problem({.file = file}, "this is no sound network: " + std::move(why),
                         "name another file, or train one by neural/train/train_proposals.py");
  };
  const auto says = [&](std::string_view name, std::string_view what) {
    const auto found = tensors.metadata.find(name);
    return found != tensors.metadata.end() && found->second == what;
  };
  if (!says("komuz.proposals", "1")) return refused("its `komuz.proposals`, the version, is not 1");
  if (!says("operations", kOperationWords.substr(0, kOperationWords.size() - 1)) ||
      !says("places", kPlaceWords.substr(0, kPlaceWords.size() - 1)))
    return input_problem({.file = file},
                         "this network was trained for other operations than this Komuz has",
                         "take that of this version, or train one by "
                         "neural/train/train_proposals.py");
  ProposalNetwork network;
  network.metadata = tensors.metadata;
  const auto d = tensors.metadata.find("d");
  const std::string text = d == tensors.metadata.end() ? "" : d->second;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), network.d);
  if (error != std::errc() || end != text.data() + text.size() || network.d == 0 ||
      network.d % kPanel != 0 || network.d > 256)
    return refused("its `d` is no multiple of " + std::to_string(kPanel) + " up to 256");
  WeightReader in(tensors);
  const u32 width = network.d;
  network.first = layer_of(in, "first", width, 2 * kScalarFeatures);
  network.second = layer_of(in, "second", width, width);
  network.third = layer_of(in, "third", width, 2 * width);
  network.variable = layer_of(in, "variable", width, width + 2 * kFits);
  network.trunk =
      layer_of(in, "trunk", 2 * width, 2 * width + 2 * kFits + kMostProposalVariables + 1);
  network.operations = layer_of(in, "operations", kProposalPlaces * kProposedOperations, 2 * width);
  network.mixed = layer_of(in, "mixed", width, 3 * width);
  network.places = layer_of(in, "places", kProposalPlaces, width);
  if (std::string why = in.why(); !why.empty()) return refused(std::move(why));
  return network;
}

Result<ProposalNetwork> find_proposal_network() {
  const auto read = [](const std::string& file) -> Result<ProposalNetwork> {
    const Result<TensorFile> tensors = read_safetensors_file(file, kMostProposalBytes);
    if (tensors.problem()) return Problem(tensors.problem());
    return read_proposal_network(tensors.value(), file);
  };
  return machine::read_installed("KOMUZ_PROPOSALS", kProposalFile, "network for proposals", read);
}

}  // namespace komuz::neural
