// SPDX-License-Identifier: Apache-2.0
// How the candidates of a run come to be programs. There are five ways:
//
//   a text                       compiled    by the worker that comes to it                      CompiledCode
//                                read        from a batch that a device has compiled             BatchSupply
//   a variant of a sketch        bound       by the worker: the sketch's code, decisions put in  BoundCode
//                                made        by a device, likewise                               MadeSupply
//                                expanded    its text is compiled, or read, as above             ExpandedCode
//
// A worker can have the code of any candidate by itself at any time (candidate_code.h): of who gives the signature, of who goes on
// after it was set aside, of the best. What is said here is what an epoch does: a device compiles or makes all that it can before
// workers run, and a worker that comes to a candidate takes what there is, or goes its own way. Which supply a run has follows from
// its options, and is chosen once.
#pragma once
#include <memory>

#include "base/problem.h"
#include "engine/run/epoch.h"
#include "engine/run/workers.h"

namespace komuz::engine {

class DeviceTeam;

// What a supply works on; all of it outlives it. The epoch has been dealt out to the devices before.
struct SupplyContext {
  const EvaluateOptions& options;
  Epoch& epoch;
  Workers& workers;
  DeviceTeam& devices;
};

class ProgramSupply {
 public:
  virtual ~ProgramSupply() = default;

  // Candidates from `first` on have been read: the part of all of them at once, by the calling thread, before any is run. An error is
  // the device's.
  [[nodiscard]] virtual Problem prepare(u32 first);
  // The same once the cases have types, of those that are left from `first` on.
  [[nodiscard]] virtual Problem make(u32 first, const Suite& suite);
  // By a worker: candidate `i`, which is not done. True: the worker's runner has its code. False: an earlier candidate has its
  // program, it is refused, a stop came, or a device has it already; there is nothing to be run here.
  [[nodiscard]] virtual bool supply(u32 worker, u32 i) = 0;
  // Does the device make all variants by itself, so that it may rank them, too? This is one of them. Whether one is accepted they
  // all are.
  [[nodiscard]] virtual bool makes_all(const Candidate& variant, const Suite& suite);
};

// Each worker compiles, binds or expands what it comes to. Nothing is done for the epoch.
class WorkerSupply : public ProgramSupply {
 public:
  explicit WorkerSupply(const SupplyContext& context) : context_(context) {}
  [[nodiscard]] bool supply(u32 worker, u32 i) override;

 protected:
  const SupplyContext context_;
};

[[nodiscard]] std::unique_ptr<ProgramSupply> open_supply(const SupplyContext& context);

}  // namespace komuz::engine
