// SPDX-License-Identifier: Apache-2.0
// The network behind `komuz search --propose neural`: cases go in, and out comes how probable each operation and each
// variable is in each place of the formula behind them. neural/train/train_proposals.py is the same in PyTorch.
//
// For each case and variable, a vector is made of the features of the variable's number and the expected one. Its mean
// over the cases is the variable's; what all of these say together is the formula's. So neither the order of cases nor
// that of variables makes a difference, but for the ranks of equal numbers. The numbers are f32, and the same, to the bit, at every SIMD level.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "base/problem.h"
#include "base/simd_level.h"
#include "neural/model/weights.h"
#include "neural/proposals/numeric_cases.h"
#include "neural/safetensors/read_safetensors.h"

namespace komuz::neural {

inline constexpr const char* kProposalFile = "proposals.safetensors";
inline constexpr u64 kMostProposalBytes = 1'000'000;

enum class ProposedOperation : u8 {
#define OPERATION(Name, word) Name,
#include "neural/proposals/operations.def"
};
inline constexpr u32 kProposedOperations = 0
#define OPERATION(Name, word) +1
#include "neural/proposals/operations.def"
    ;
enum class ProposalPlace : u8 {
#define PLACE(Name, word) Name,
#include "neural/proposals/places.def"
};
inline constexpr u32 kProposalPlaces = 0
#define PLACE(Name, word) +1
#include "neural/proposals/places.def"
    ;

// A matrix with a column of summands behind the others: its rows end with a 1.
struct ProposalLayer {
  Matrix matrix;  // its outputs are rounded up to whole panels
};
struct ProposalNetwork {
  u32 d = 0;  // of a vector, a multiple of 16
  ProposalLayer first, second, third, variable, trunk, operations, mixed, places;
  std::map<std::string, std::string, std::less<>> metadata;
};

// `file`: its name, for problems. A network of other operations is refused, as are sizes that do not fit, tensors that
// are missing or belong nowhere, and weights that are not finite.
[[nodiscard]] Result<ProposalNetwork> read_proposal_network(const TensorFile& tensors,
                                                            const std::string& file);
// The file that the environment variable KOMUZ_PROPOSALS names, else proposals.safetensors beside the executable, else
// in ../share/komuz from there.
[[nodiscard]] Result<ProposalNetwork> find_proposal_network();

// Shares of one: [kProposalPlaces][kProposedOperations + variables]. At least kLeastProposalCases cases, and at most
// kMostProposalVariables variables.
[[nodiscard]] std::vector<f32> place_shares(const ProposalNetwork& network,
                                            const NumericCases& cases, SimdLevel level);

}  // namespace komuz::neural
