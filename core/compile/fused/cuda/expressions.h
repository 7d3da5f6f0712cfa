#pragma once

#include "compile/fused/kernel.h"

#include <string>

namespace aotscope {

/// The CUDA C++ type of a compute type.
std::string cudaType(ComputeType computeType);
/// The type of an element in memory; half types are their bits. Throws Error for types that no kernel computes with.
std::string cudaType(DType dtype);

/// The element `text` converted to `computeType`; and the value `text` of `computeType` converted to an element.
std::string cudaLoaded(const std::string& text, DType dtype, ComputeType computeType);
std::string cudaStored(const std::string& text, ComputeType computeType, DType dtype);

/// The expression of an instruction on the values v0, v1, ... and numbers n0, n1, ...; not for loads and reductions.
std::string cudaExpression(const Kernel& kernel, const Instruction& instruction);

/// The function object that combines two values of a reduction, and its initial value.
std::string cudaCombiner(Opcode reduction);
std::string cudaIdentity(Opcode reduction, ComputeType computeType);

}  // namespace aotscope
