#pragma once

#include "record/options/options.h"

#include <memory>

namespace aotscope {

class Engine;

/// What runs models for the window and for what draws. If it cannot start, another process of this program reads what
/// needs no LibTorch.
std::shared_ptr<const Engine> makeEngine();

/// Shows the window with the model of `options`, if any. Unless `choosesCompiler`, the window's remembered compiler is
/// used. Without a display: prints the report tables of the model, writes its graphs as SVG into a folder that it
/// names, and says why there is no window. Returns the exit code.
int showWindow(Options options, bool choosesCompiler, int argc, char** argv);

}  // namespace aotscope
