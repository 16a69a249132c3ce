// SPDX-License-Identifier: Apache-2.0
#include "bench/program_per_thread.h"

#include "base/gpu/memory.h"
#include "lang/ops/eval_cells.h"

namespace komuz::bench {

struct ThreadLaunch {
  const Instruction* instructions;
  const u64* constants;
  const u32* code_begins;
  const u32* constant_begins;
  const u64* columns;  // of parameters, `cases` cells each
  u64* values;
  u32 programs, cases;
};

__global__ void run_threads(ThreadLaunch launch) {
  const u32 program = blockIdx.x * blockDim.x + threadIdx.x;
  if (program >= launch.programs) return;
  const Instruction* const end = launch.instructions + launch.code_begins[program + 1];
  const u64* const constants = launch.constants + launch.constant_begins[program];
  u64 stack[kThreadStack];
  for (u32 row = 0; row < launch.cases; ++row) {
    u32 height = 0;
    for (const Instruction* at = launch.instructions + launch.code_begins[program]; at != end;
         ++at) {
      const Instruction i = *at;
      const OpForm form = op_row(i.op).form;
      if (form == OpForm::Load) {
        stack[height++] = launch.columns[u64{i.a} * launch.cases + row];
      } else if (form == OpForm::Const) {
        stack[height++] = constants[i.b];
      } else {
        height -= operand_count(form);
        const EvaluatedCell result = eval_cells(i, stack + height);
        stack[height++] = result.value;
        if (result.trap != Trap::None) {
          stack[0] = 0;
          break;
        }
      }
    }
    launch.values[u64{program} * launch.cases + row] = stack[0];
  }
}

bool ThreadPrograms::add(const CodeView& code) {
  if (code.functions.size() != 1 || code.functions[0].max_stack > kThreadStack) return false;
  const std::span<const Instruction> body =
      code.instructions.first(code.instructions.size() - 1);  // without its RETURN
  for (const Instruction& i : body) {
    const OpForm form = op_row(i.op).form;
    const bool is_argument = form == OpForm::Load && i.a < code.functions[0].parameter_slots;
    if (!is_argument && form != OpForm::Const && !is_pure_form(form)) return false;
  }
  instructions.insert(instructions.end(), body.begin(), body.end());
  constants.insert(constants.end(), code.constants.begin(), code.constants.end());
  code_begins.push_back(static_cast<u32>(instructions.size()));
  constant_begins.push_back(static_cast<u32>(constants.size()));
  return true;
}

// A column on the device. `error` keeps the first error.
template <class T>
static T* send(gpu::DeviceBuffer& buffer, const T* data, size_t count, cudaError_t& error) {
  if (error == cudaSuccess) error = buffer.at_least((count + 1) * sizeof(T));
  if (error == cudaSuccess && data != nullptr)
    error = cudaMemcpy(buffer.data(), data, count * sizeof(T), cudaMemcpyHostToDevice);
  return reinterpret_cast<T*>(buffer.data());
}

ThreadRun run_program_per_thread(const ThreadPrograms& programs,
                                 std::span<const std::vector<u64>> columns) {
  ThreadRun run;
  const auto count = static_cast<u32>(programs.code_begins.size() - 1);
  const auto cases = columns.empty() ? 0 : static_cast<u32>(columns[0].size());
  std::vector<u64> cells;
  for (const std::vector<u64>& column : columns)
    cells.insert(cells.end(), column.begin(), column.end());
  run.values.resize(size_t{count} * cases);

  gpu::DeviceBuffer buffers[6];
  gpu::Stream stream;
  gpu::Events<2> events;
  cudaError_t error = stream.open();
  if (error == cudaSuccess) error = events.open();
  ThreadLaunch launch{};
  launch.instructions =
      send(buffers[0], programs.instructions.data(), programs.instructions.size(), error);
  launch.constants = send(buffers[1], programs.constants.data(), programs.constants.size(), error);
  launch.code_begins =
      send(buffers[2], programs.code_begins.data(), programs.code_begins.size(), error);
  launch.constant_begins =
      send(buffers[3], programs.constant_begins.data(), programs.constant_begins.size(), error);
  launch.columns = send(buffers[4], cells.data(), cells.size(), error);
  launch.values = send(buffers[5], static_cast<const u64*>(nullptr), run.values.size(), error);
  launch.programs = count;
  launch.cases = cases;
  constexpr u32 kThreads = 128;
  // The first round warms up, the second one is measured.
  for (u32 round = 0; round < 2 && error == cudaSuccess; ++round) {
    error = events.record(0, stream.get());
    run_threads<<<(count + kThreads - 1) / kThreads, kThreads, 0, stream.get()>>>(launch);
    if (error == cudaSuccess) error = cudaGetLastError();
    if (error == cudaSuccess) error = events.record(1, stream.get());
    if (error == cudaSuccess) error = cudaStreamSynchronize(stream.get());
  }
  if (error == cudaSuccess)
    error = cudaMemcpy(run.values.data(), launch.values, run.values.size() * sizeof(u64),
                       cudaMemcpyDeviceToHost);
  run.seconds = events.seconds_after(0);
  if (error != cudaSuccess)
    (void)(run.problem = gpu::problem_of(
               error, "running a program per thread"));  // nvcc takes an assignment for a result
  return run;
}

}  // namespace komuz::bench
