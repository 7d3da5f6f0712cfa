#include "aten/full_precision.h"

#include <ATen/Context.h>

#include <array>

namespace aotscope {

namespace {

constexpr std::array kOperations = {at::Float32Op::CONV, at::Float32Op::RNN};
using Precisions = std::array<at::Float32Precision, kOperations.size()>;

Precisions current() {
    Precisions list{};
    for (std::size_t i = 0; i < list.size(); ++i)
        list[i] = at::globalContext().float32Precision(at::Float32Backend::CUDA, kOperations[i]);
    return list;
}

void set(const Precisions& list) {
    for (std::size_t i = 0; i < list.size(); ++i)
        at::globalContext().setFloat32Precision(at::Float32Backend::CUDA, kOperations[i], list[i]);
}

/// The settings at program start: scopes of several threads may overlap.
const Precisions& standard() {
    static const Precisions precisions = current();
    return precisions;
}

}  // namespace

FullPrecision::FullPrecision() {
    standard();
    set({at::Float32Precision::IEEE, at::Float32Precision::IEEE});
}

FullPrecision::~FullPrecision() { set(standard()); }

}  // namespace aotscope
