#pragma once

namespace aotscope {

/// From the loaded model to the callable: "compile/MODEL".
void registerCompileBenchmarks();

/// Forward and backward of eager and compiled in turn, `laps` times: "step/MODEL".
void registerStepBenchmarks(int laps);

/// Places of the boxes and edges of a picture: "layout/MODEL/KIND". Only in builds with the window.
void registerLayoutBenchmarks();

/// Threads that LibTorch uses within one operation.
int torchThreads();

}  // namespace aotscope
