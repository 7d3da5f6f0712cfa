#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/stack.h>

#include <QString>

#include <initializer_list>

namespace aotscope::test {

c10::IValue call(const char* name, torch::jit::Stack arguments);
/// The result of a collective, once available.
at::Tensor waited(const c10::IValue& result);
at::Tensor allReduced(const at::Tensor& x, const char* how = "sum", const char* group = "0");

at::Tensor numbers(std::initializer_list<double> values);
at::Tensor filled(double value, at::IntArrayRef sizes = {4});

/// Calls every collective as one of four ranks. Returns a fault; empty: none.
QString wrongCollectives(std::size_t rank);

/// Rows of a data function: pairs of ranks that do not fit together, by number, and parts of the error that they end
/// with.
void unfitPairRows();
/// The action of one of these two ranks.
void unfitPair(int which, std::size_t rank);

}  // namespace aotscope::test
