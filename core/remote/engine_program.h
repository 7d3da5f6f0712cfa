#pragma once

#include <filesystem>

namespace aotscope {

/// The program aotscope-engine, which runs models with LibTorch: the one that the variable AOTSCOPE_ENGINE names, or
/// the one beside this program. Throws Error, with what to do, if it is missing or could not start, for want of a
/// library.
std::filesystem::path engineProgram();

}  // namespace aotscope
