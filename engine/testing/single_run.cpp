// SPDX-License-Identifier: Apache-2.0
#include "engine/testing/single_run.h"

#include <array>
#include <cstring>

#include "engine/testing/run_case.h"

namespace komuz::engine {

namespace {

// A cell in the memory of argument columns: 64 bytes, aligned and padded as the machines require.
struct alignas(64) ColumnBytes {
  std::array<std::byte, 64> bytes{};
};

}  // namespace

void run_single(const CodeView& code, u32 function, std::span<const u64> arguments, u64 fuel,
                SingleRun& out, const std::stop_token* stop, NativeTier* native) {
  const Function& f = code.functions[function];
  std::vector<ColumnBytes> storage(arguments.size());
  std::vector<ArgumentColumn> columns;
  for (size_t k = 0; k < arguments.size(); ++k) {
    const auto type = static_cast<Scalar>(code.slot_types[f.slots_begin + k]);
    // Canonical cells are little-endian and extended, so a column holds their low bytes.
    std::memcpy(storage[k].bytes.data(), &arguments[k], scalar_bytes(type));
    columns.push_back({type, storage[k].bytes.data()});
  }
  out.value.assign(f.result_cells, 0);
  const vm::Job job{.code = code,
                    .function = function,
                    .cases = {.columns = columns, .count = 1},
                    .fuel = fuel,
                    .stop = stop};
  run_case(job, out.view(), native);
  out.compared.reset();
  if (out.trap == Trap::Assert) out.compared = vm::explain_assertion(job);
}

}  // namespace komuz::engine
