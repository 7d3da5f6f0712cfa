#pragma once

#include "ops/decompositions/decomposition_table.h"

#include <ATen/core/stack.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

namespace aotscope {

/// Replaces the arguments of a call, all in schema order on top of the stack, with its results, computed by other
/// operations. Returns false, without changing the stack, if the call is not replaced. A rule runs below autograd and
/// functionalization, and must not mutate anything.
using Decomposition = bool (*)(torch::jit::Stack& stack);

/// The built-in tables that contain a row. Counterparts: core_aten_decompositions (torch/_decomp/__init__.py) and
/// torch/_inductor/decomposition.py.
enum DecompositionSet : std::uint8_t {
    kCoreAten = 1 << 0,
    kInductor = 1 << 1,
    kPrims = 1 << 2,  ///< extends core-aten
};

struct DecompositionRow {
    const char* op;    ///< "aten.gelu_backward.default"
    const char* rule;  ///< "gelu_backward"
    Decomposition run;
    std::uint8_t sets;
};

/// All rows. An operation may have several rows in different tables.
const std::vector<DecompositionRow>& decompositionRows();
/// The same without functions, sorted by operation.
const std::vector<DecompositionRule>& allDecompositionRules();

/// The rows that a table takes of all.
class ChosenDecompositions {
public:
    explicit ChosenDecompositions(const DecompositionTable& table);
    /// Null for null.
    static std::shared_ptr<const ChosenDecompositions> of(const std::shared_ptr<const DecompositionTable>& table);

    /// Null if the operation is not decomposed.
    const DecompositionRow* find(std::string_view op) const;

private:
    std::map<std::string_view, const DecompositionRow*> rows_;
};

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
