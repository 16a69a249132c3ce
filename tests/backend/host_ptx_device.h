// SPDX-License-Identifier: Apache-2.0
// What stands in for a GPU that runs kernels: it runs their functions on the host, as GPUs have them (Shape::for_device). The
// text for GPUs is looked at, but not run. It fails where it is told to.
#pragma once
#include <algorithm>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "backend/cuda/ptx_device.h"
#include "tests/backend/ptx_lint.h"

namespace komuz::test {

class HostPtxDevice final : public backend::PtxDevice {
 public:
  struct Launch {
    u32 first, rows;
    u64 fuel;
  };
  // The calls that fail, counted from 0: [first, end).
  struct Failing {
    u32 first = 0, end = 0;
    [[nodiscard]] bool has(size_t call) const { return first <= call && call < end; }
  };
  Failing failing_loads, failing_launches;
  // Called in each launch, by the thread that asks for it.
  std::function<void(const Launch&)> on_launch;

  // So far.
  [[nodiscard]] std::vector<Launch> launches() const {
    const std::lock_guard lock(mutex_);
    return launches_;
  }
  [[nodiscard]] u32 loads() const {
    const std::lock_guard lock(mutex_);
    return loads_;
  }

  Result<std::unique_ptr<backend::PtxModule>> load(
      const std::string& module, std::span<const backend::PtxProgram> programs) override {
    {
      const std::lock_guard lock(mutex_);
      if (failing_loads.has(loads_++)) return device_problem("the stand-in loads nothing");
    }
    if (const std::string fault = ptx_fault(module); !fault.empty()) return device_problem(fault);
    auto loaded = std::make_unique<Module>(*this);
    for (const backend::PtxProgram& program : programs) {
      if (module.find(".visible .entry " + program.symbol + "(") == std::string::npos)
        return device_problem("the module has no kernel `" + program.symbol + "`");
      Result<backend::NativeCode> code = backend::open_backend().value()->compile(
          program.code, program.function, backend::Effort::Normal, "native", {1, true});
      if (code.problem()) return std::move(code).problem();
      loaded->kernels.emplace_back(program.symbol, std::move(code).value());
    }
    return std::unique_ptr<backend::PtxModule>(std::move(loaded));
  }
  [[nodiscard]] f64 seconds() const override { return 0; }

 private:
  struct Module final : backend::PtxModule {
    explicit Module(HostPtxDevice& d) : device(d) {}
    Problem run(const std::string& kernel, const backend::PtxRun& run, OutcomesView out) override {
      if (Problem problem = device.begin({run.first, run.rows, run.fuel})) return problem;
      for (const auto& [name, code] : kernels)
        if (name == kernel) return run_rows(code, run, out);
      return device_problem("there is no kernel `" + kernel + "`");
    }
    HostPtxDevice& device;
    std::vector<std::pair<std::string, backend::NativeCode>> kernels;
  };

  Problem begin(const Launch& launch) {
    size_t number = 0;
    {
      const std::lock_guard lock(mutex_);
      number = launches_.size();
      launches_.push_back(launch);
    }
    if (on_launch) on_launch(launch);
    return failing_launches.has(number) ? device_problem("the stand-in launches nothing")
                                        : Problem();
  }

  // In columns of their own, as a GPU has them: rows of other launches are not touched.
  static Problem run_rows(const backend::NativeCode& code, const backend::PtxRun& run,
                          const OutcomesView& out) {
    std::vector<ArgumentColumn> columns;
    for (const ArgumentColumn& column : run.cases.columns)
      columns.push_back({column.type, static_cast<const char*>(column.data) +
                                          size_t{run.first} * scalar_bytes(column.type)});
    const size_t rows = run.rows, cells = out.values.size() / run.cases.count;
    std::vector<u64> values(cells * rows), fuel(rows);
    std::vector<Trap> traps(rows);
    std::vector<u32> places(rows), depths(rows);
    code.run({{columns, run.rows}, run.fuel}, {values, traps, places, depths, fuel});
    for (size_t k = 0; k < cells; ++k)
      std::copy_n(&values[k * rows], rows, &out.values[k * run.cases.count + run.first]);
    std::ranges::copy(traps, &out.traps[run.first]);
    std::ranges::copy(places, &out.places[run.first]);
    std::ranges::copy(depths, &out.depths[run.first]);
    std::ranges::copy(fuel, &out.fuel[run.first]);
    return {};
  }

  mutable std::mutex mutex_;
  std::vector<Launch> launches_;
  u32 loads_ = 0;
};

}  // namespace komuz::test
