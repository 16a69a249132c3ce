// SPDX-License-Identifier: Apache-2.0
// The serial group on short programs. Here columns are arrays of fixed length at fixed distances. With a pointer
// for each column there are more pointers than registers, and half of all instructions load one.
#define KOMUZ_COMPACT_PASSES
// gcc 12 warns of paths that no program takes, such as asking a scalar type for the parentheses that spell it.
#pragma GCC diagnostic ignored "-Warray-bounds"
#include "frontend_gpu/groups/serial_phases.h"

namespace komuz::frontend {

namespace {

class SerialCompactRunner final : public CompactRunner {
 public:
  // The host changes counts only before these two phases. Copying them costs as much as a pass over a short
  // program.
  bool run(Phase phase, ColumnCounts& columns, PhaseValues& values) override {
    if (phase == Phase::FindTokens || phase == Phase::Analyse)
      static_cast<ColumnCounts&>(*columns_) = columns;
    columns_->meter = values.meter;
    columns_->head = values.head;
    phases_.run(phase, *columns_, values);
    values.head = columns_->head;
    if (phase != Phase::WriteHeaders) columns = *columns_;
    return true;
  }
  std::vector<void*> columns() override {
    std::vector<void*> all;
#define COLUMN(list, Type, name) all.push_back(static_cast<ColumnTypes::Type*>(columns_->name));
#include "frontend_gpu/columns/columns.def"
    return all;
  }

 private:
  // Only the part that a program uses is ever touched.
  std::unique_ptr<Columns> columns_{new Columns};
  SerialPhases phases_;
};

}  // namespace

std::unique_ptr<CompactRunner> compact_runner() { return std::make_unique<SerialCompactRunner>(); }

}  // namespace komuz::frontend
