#pragma once

#ifdef AOTSCOPE_GUI
#include "remote/engine_program.h"
#include "session/remote/pipe_engine.h"
#endif

#include <string>

namespace aotscope {

/// From the loaded model to the callable: "compile/MODEL"; with all sizes dynamic: "dynamic/MODEL".
void registerCompileBenchmarks();

/// Likewise for a torch.export file, and the time to load it: "exported/NAME".
void registerExportedBenchmark(const std::string& name, const std::string& file);

/// Forward and backward of eager and compiled, interleaved, at least `iterations` times: "step/MODEL/COMPILER";
/// microseconds for each of a row of smallest operations: "call/COUNT/WHO".
void registerStepBenchmarks(int iterations);

/// What-if: another partition and its difference, "answer/MODEL/flip"; 20 memory budgets, "answer/MODEL/sweep".
void registerPartitionBenchmarks();

/// The same with tables and picture, in the window: "answer/MODEL/window". Only in builds with the window.
void registerWindowBenchmarks();

/// Placing the boxes and edges of a picture: "layout/MODEL/KIND"; of joint graphs without modules, from graph to
/// picture: "layout/flat/OPERATIONS". Only in builds with the window.
void registerLayoutBenchmarks();

/// Waiting times on the canvas, with graphs of 1,000 to 100,000 nodes: "canvas/NODES/WHAT"; and Graphviz alone on the
/// samples: "stock/MODEL/joint". Only in builds with the window.
void registerCanvasBenchmarks();

/// Search, differences, histories and stepping in a run of about 10,000 operations: "canvas/10000/WHAT".
void registerPassBenchmarks();

/// Opening 20 printed graphs of a training step, and looking through them: "sequence/20x50000/WHAT". Only in builds
/// with the window.
void registerSequenceBenchmarks();

/// The longest time without response of the window during each command: "block/MODEL/COMMAND". Only in builds with the
/// window.
void registerTourBenchmarks();

/// What it costs that the engine is a process of its own, in at least `iterations` pairs: "border/MODEL/WHAT". Only in
/// builds with the window.
void registerBorderBenchmarks(int iterations);

/// Memory beyond LibTorch: "memory/NODES/picture", "memory/MODEL/session". Only in builds with the window.
void registerMemoryBenchmarks();

#ifdef AOTSCOPE_GUI
/// The engine of the windows: a process of its own, as users have it.
inline std::shared_ptr<const Engine> engineThere() {
    static const auto engine = engineIn(engineProgram().program);
    return engine;
}
#endif

/// Threads that LibTorch uses within one operation.
int torchThreads();

}  // namespace aotscope
