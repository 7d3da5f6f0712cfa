#pragma once

#include "program/higher_order.h"

/// For each operator in higher_order.cpp: its kernel, the inputs of its subgraphs in a step, and its results.
/// Associative scans run one step after the other, whatever combine mode the model has chosen.
namespace aotscope {

TensorVector runCond(const HigherOrderCall& call);
TensorShapes condInputs(const HigherOrderCall& call);
TensorShapes condResults(const HigherOrderCall& call, const std::vector<TensorShapes>& outputs);

TensorVector runMap(const HigherOrderCall& call);
TensorShapes mapInputs(const HigherOrderCall& call);
TensorShapes mapResults(const HigherOrderCall& call, const std::vector<TensorShapes>& outputs);

TensorVector runWhile(const HigherOrderCall& call);
TensorShapes whileInputs(const HigherOrderCall& call);
TensorShapes whileResults(const HigherOrderCall& call, const std::vector<TensorShapes>& outputs);

TensorVector runWhileStacked(const HigherOrderCall& call);
TensorShapes whileStackedResults(const HigherOrderCall& call, const std::vector<TensorShapes>& outputs);

TensorVector runScan(const HigherOrderCall& call);
TensorShapes scanInputs(const HigherOrderCall& call);
TensorShapes scanResults(const HigherOrderCall& call, const std::vector<TensorShapes>& outputs);

TensorVector runAssociativeScan(const HigherOrderCall& call);
TensorShapes associativeScanInputs(const HigherOrderCall& call);
TensorShapes associativeScanResults(const HigherOrderCall& call, const std::vector<TensorShapes>& outputs);

}  // namespace aotscope
