#pragma once

#include "ir/graph.h"
#include "support/rule_arguments.h"

#include <memory>

namespace aotscope::test {

/// A graph of one call. Its placeholders are the tensors among `arguments`, its outputs the resulting tensors:
/// `results`, from which the types are taken.
std::unique_ptr<Graph> operationGraph(const std::string& op, const Values& arguments, const Values& results);

/// The tensors among values.
Values tensorsAmong(const Values& values);

/// Fills floating-point tensors with numbers of both signs, sometimes with zeros, infinities and NaNs,
/// and others with small integers.
void fillAtRandom(const at::Tensor& tensor, bool special);

}  // namespace aotscope::test
