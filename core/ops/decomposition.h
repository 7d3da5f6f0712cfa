#pragma once

#include <ATen/core/stack.h>

#include <cstdint>
#include <vector>

namespace aotscope {

/// Replaces the arguments of a call, all of them in schema order, on top of the stack by its results, which it computes
/// by other operations. False: this call stays as it is, and so does the stack. A rule runs below autograd and
/// functionalization: it writes into nothing.
using Decomposition = bool (*)(torch::jit::Stack& stack);

/// The built-in tables that have a row.
enum DecompositionSet : std::uint8_t {
    kCoreAten = 1 << 0,
    kInductor = 1 << 1,
    kPrims = 1 << 2,  ///< on top of core-aten
};

struct DecompositionRow {
    const char* op;    ///< "aten.gelu_backward.default"
    const char* rule;  ///< "gelu_backward"
    Decomposition run;
    std::uint8_t sets;
};

/// All rows. The same operation may have several, in different sets.
const std::vector<DecompositionRow>& decompositionRows();

// One file per family.
std::vector<DecompositionRow> activationDecompositions();
std::vector<DecompositionRow> attentionDecompositions();
std::vector<DecompositionRow> creationDecompositions();
std::vector<DecompositionRow> elementwiseDecompositions();
std::vector<DecompositionRow> indexingDecompositions();
std::vector<DecompositionRow> lossDecompositions();
std::vector<DecompositionRow> normalizationDecompositions();
std::vector<DecompositionRow> primsDecompositions();
std::vector<DecompositionRow> spatialDecompositions();
std::vector<DecompositionRow> viewDecompositions();

}  // namespace aotscope
