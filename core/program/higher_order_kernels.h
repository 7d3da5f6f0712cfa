#pragma once

#include "program/higher_order.h"

/// For each operator of higher_order.cpp: its kernel, what its subgraphs get at a step, and its results. Associative
/// scans run one step after the other, whatever way of combining the model has chosen.
namespace aotscope {

TensorVector runCond(const HigherOrderCall& call);
std::vector<TensorShape> condInputs(const HigherOrderCall& call);
std::vector<TensorShape> condResults(const HigherOrderCall& call, const std::vector<std::vector<TensorShape>>& outputs);

TensorVector runMap(const HigherOrderCall& call);
std::vector<TensorShape> mapInputs(const HigherOrderCall& call);
std::vector<TensorShape> mapResults(const HigherOrderCall& call, const std::vector<std::vector<TensorShape>>& outputs);

TensorVector runWhile(const HigherOrderCall& call);
std::vector<TensorShape> whileInputs(const HigherOrderCall& call);
std::vector<TensorShape> whileResults(const HigherOrderCall& call,
                                      const std::vector<std::vector<TensorShape>>& outputs);

TensorVector runWhileStacked(const HigherOrderCall& call);
std::vector<TensorShape> whileStackedResults(const HigherOrderCall& call,
                                             const std::vector<std::vector<TensorShape>>& outputs);

TensorVector runScan(const HigherOrderCall& call);
std::vector<TensorShape> scanInputs(const HigherOrderCall& call);
std::vector<TensorShape> scanResults(const HigherOrderCall& call, const std::vector<std::vector<TensorShape>>& outputs);

TensorVector runAssociativeScan(const HigherOrderCall& call);
std::vector<TensorShape> associativeScanInputs(const HigherOrderCall& call);
std::vector<TensorShape> associativeScanResults(const HigherOrderCall& call,
                                                const std::vector<std::vector<TensorShape>>& outputs);

}  // namespace aotscope
