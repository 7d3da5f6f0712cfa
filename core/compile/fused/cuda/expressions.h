#pragma once

#include "compile/fused/kernel.h"

#include <string>

namespace aotscope {

/// How a compute type is written in CUDA C++.
std::string cudaType(ComputeType computeType);
/// The type of an element in memory; half types are their bits. Throws Error for types that no kernel computes with.
std::string cudaType(DType dtype);

/// An element that was read as `text`, as a value of `computeType`; and a value `text` of `computeType`, as an element.
std::string cudaLoaded(const std::string& text, DType dtype, ComputeType computeType);
std::string cudaStored(const std::string& text, ComputeType computeType, DType dtype);

/// What the instruction computes, of the values v0, v1, ... and the numbers n0, n1, ...; not for loads and reductions.
std::string cudaExpression(const Kernel& kernel, const Instruction& instruction);

/// Of a reduction: the function object that combines two values, and what it starts with.
std::string cudaCombiner(Opcode reduction);
std::string cudaIdentity(Opcode reduction, ComputeType computeType);

}  // namespace aotscope
