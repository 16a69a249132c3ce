# SPDX-License-Identifier: Apache-2.0
# The parts of the GPU day; scripts/cmake/KomuzGpu.cmake says what stands in a row. Every test that takes a GPU where there is one
# belongs to a part. The last part of vm_test has all of its tests that no other part names.

# What the GPU can do at most.
komuz_gpu_bench(ceilings/all 20 gpu_ceilings "." ".")

# vm_test compares every machine with the reference, frontend_test what is compiled, engine_test reports.
set(of_vm "*Programs.*:*Devices.*:Gpus.*:WarpLowering.*:LaunchPlan.*:Differential.*:Elements.*:LaneOrder.*")
komuz_gpu_test(devices 15 vm_test "*Devices.*:Gpus.*:WarpLowering.*:LaunchPlan.*" "Gpus.*:WarpLowering.*")
komuz_gpu_test(programs 16 vm_test "*Programs.*" "*Programs.Copies/*")
# Kernels that LLVM has made, against the reference.
komuz_gpu_test(kernels 16 backend_test "PtxDevice.*" "PtxDevice.TheModuleHasThePrograms")
# The model, against the host's.
komuz_gpu_test(model 20 neural_test "ModelDevice.*:CudaModel*:CudaDecode.*" "CudaModel*:ModelDevice.TakesOneSourceAfterAnother")
komuz_gpu_test(front_end_door 17 frontend_test "CudaFrontEndDoor.*:CudaFrontEnd.TheSameBytesAgain:CudaFrontEnd.DeepTrees"
  "CudaFrontEndDoor.*")
komuz_gpu_test(front_end_blocks 18 frontend_test "CudaFrontEnd.LongProgramsOnBlocks:CudaFrontEnd.SourcesThatLieThere"
  "CudaFrontEnd.LongProgramsOnBlocks")
komuz_gpu_test(front_end 25 frontend_test "CudaFrontEnd.GeneratedPrograms:CudaFrontEnd.DamagedPrograms"
  "CudaFrontEnd.GeneratedPrograms")
komuz_gpu_test(variants 20 engine_test "DeviceVariants.*:DeviceRunner.*:DeviceTeam.*:Device.*:SketchWays.ADevice*" "Device.*")
komuz_gpu_test(reports 21 engine_test "Evaluate.TheReportDoesNotDependOn*" "Evaluate.ReasonsOfRefusals")
komuz_gpu_test(expand 30 engine_test "DeviceExpands.*" "DeviceExpands.Slices")
komuz_gpu_test(searches 40 engine_test "DeviceSearches.*" "DeviceSearches.ATargetEndsThem")
komuz_gpu_test(sweeps 35 engine_test "DeviceSweeps.*" "DeviceSweeps.SlicesAndValues")
komuz_gpu_test(elements 36 vm_test "Elements.*:LaneOrder.*" "LaneOrder.SmallTiles")
komuz_gpu_test(differential 60 vm_test "Differential.*" "Differential.ProgramsHaveEveryOperation")
komuz_gpu_test(others 62 vm_test "-InstructionSets.*:Pow*:*Function*:SoftFma*:OpEval*:LaneHash.*:Lowering.*:${of_vm}"
  "References.*")

# Fresh programs, on the GPU and on the host. Tests do the same with fixed seeds; here it is done in volume, and as a user asks for it.
foreach(step front_end machine candidates sketches searches)
  komuz_gpu_part(agreement/${step} 20 fuzz_devices "--device cuda --seconds 6 --only ${step}"
    "--device emulated --seeds 2 --seed 1 --only ${step}")
endforeach()
# The test Fuzz.GeneratedProgramsAgreeEverywhere is the first thousand seeds of this.
komuz_gpu_part(agreement/every_machine 20 fuzz_komuz "--seconds 5 --only differential" "--seeds 1 --seed 1 --only differential")
function(komuz_gpu_agree_on device name words more more_of_rehearsal)
  komuz_gpu_part(agreement/${name} 20 agree "${device} ${words} ${more}" "cpu ${words} ${more_of_rehearsal}")
endfunction()
function(komuz_gpu_agree name words more more_of_rehearsal)
  komuz_gpu_agree_on(cuda "${name}" "${words}" "${more}" "${more_of_rehearsal}")
endfunction()
set(regression "examples/regression/candidates.jsonl --cases examples/regression/cases.csv --score squared")
set(formula "examples/sketches/formula.komuz --cases examples/sketches/periods.csv --score relative")
set(packing "examples/sketches/packing.komuz --harness examples/packing/by_room.komuz --cases examples/packing/or3.jsonl --minimize")
komuz_gpu_agree(eval_candidates "eval ${regression}" "" "")
komuz_gpu_agree(eval_sketch "eval ${formula}" "" "")
komuz_gpu_agree(search "search ${formula}" "--generations 20" "--generations 2")
komuz_gpu_agree(search_lexicase "search ${formula} --method lexicase" "--population 300 --generations 8" "--population 50 --generations 2")
# Epochs that are dealt out to all GPUs there are; where there is one, it says so.
komuz_gpu_agree_on("cuda:all" all_devices "eval ${regression}" "" "")
komuz_gpu_agree_on("cuda:all" all_devices_sketch "eval ${formula}" "" "")
komuz_gpu_agree_on("cuda:all" all_devices_search "search ${formula}" "--generations 20" "--generations 2")
komuz_gpu_agree(search_harness "search ${packing}" "--population 50 --generations 4" "--population 4 --generations 1")

# A part has the rows of benchmarks that belong together. So a benchmark that fails takes no other with it, and power is told for each part.
komuz_gpu_bench(benchmarks/front_end 30 gpu_frontend_bench "front_end(_with_transfers)?/" "short_programs|one_program")
komuz_gpu_bench(benchmarks/front_end_sizes 20 gpu_frontend_bench "front_end_of" "front_end_of_.*/100/")
komuz_gpu_bench(benchmarks/expressions_f32 20 gpu_vm_bench "run_expressions/f32" "run_expressions/f32/")
komuz_gpu_bench(benchmarks/expressions_f64 20 gpu_vm_bench "run_expressions/f64" "run_expressions/f64/")
komuz_gpu_bench(benchmarks/expressions_i64 20 gpu_vm_bench "run_expressions/i64" "run_expressions/i64_products/")
komuz_gpu_bench(benchmarks/program_per_thread 15 gpu_vm_bench "run_threads" "run_threads")
komuz_gpu_bench(benchmarks/loops 15 gpu_vm_bench "run_loop" "run_loop/gcd/")
komuz_gpu_bench(benchmarks/text_to_ranking 15 gpu_vm_bench "text_to_ranking" "text_to_ranking")
komuz_gpu_bench(benchmarks/few_to_ranking 10 gpu_vm_bench "few_to_ranking" "few_to_ranking")
komuz_gpu_bench(benchmarks/variants 20 sketch_bench "make_variants|rank_on_gpu|rank_variants/distinct_bound"
  "make_variants/.*choices")
komuz_gpu_bench(benchmarks/find_best 25 sketch_bench "find_best" "find_best/gpu")
komuz_gpu_bench(benchmarks/search 25 sketch_bench "search_generations" "search_generations/gpu")

# What the rows for GPUs of engine/native/code_classes.def state.
komuz_gpu_bench(benchmarks/kernels 20 gpu_kernel_bench "." ".")

# Whether a GPU is worth it for a model's candidates (neural/decode/device_from.def), beside a processor.
komuz_gpu_bench(benchmarks/model 25 gpu_model_bench "gpu|host|generate/cpu" "gpu|host.*:16/|generate/cpu.*:16/")

# Where the profiler looks for the hottest kernels.
function(komuz_gpu_profile name program row)
  komuz_gpu_part(profile/${name} 15 ${program} "--benchmark_min_time=0.001 --benchmark_filter=${row}" "--benchmark_filter=${row}")
endfunction()
komuz_gpu_profile(front_end gpu_frontend_bench "front_end/to_checked_code")
komuz_gpu_profile(machine gpu_vm_bench "run_expressions/f64/programs:10000/cases:256")
komuz_gpu_profile(model gpu_model_bench "step/gpu/rows:1000")
komuz_gpu_profile(search sketch_bench "search_generations/gpu/")
