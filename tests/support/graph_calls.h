// Calls in graphs that every compiler takes, of %x, which is 0 to 3, %y, which is 4 to 7, and constants, with their
// numeric results. Uses the operator of absent_tensor.h.
#pragma once

#include "program/constant_table.h"
#include "support/rows.h"
#include "support/text.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>

namespace aotscope::test {

inline void graphCallRows() {
    const auto row = columns<QString, QString>("body", "result");
    row("list", "%r : f32[8] = aten.cat.default([%x, %y])", "0 1 2 3 4 5 6 7");
    row("keywords", "%r : f32[4] = aten.add.Tensor(%x, %y, alpha=10)", "40 51 62 73");
    row("number for a tensor", "%r : f32[4] = aten.mul.Tensor(%x, 3)", "0 3 6 9");
    row("two results",
        "%m : (f32[], i64[]) = aten.max.dim(%x, 0)\n%v : f32[] = operator.getitem(%m, 0)\n"
        "%r : f32[4] = aten.add.Tensor(%x, %v)",
        "3 4 5 6");
    row("elements of a list result",
        "%s : (f32[2], f32[2]) = aten.split.Tensor(%x, 2)\n%a : f32[2] = operator.getitem(%s, 1)\n"
        "%b : f32[2] = operator.getitem(%s, 1)\n%r : f32[2] = aten.add.Tensor(%a, %b)",
        "4 6");
    row("optional tensors",
        "%z : f32[2, 2] = aten.view.default(%x, [2, 2])\n%i : i64[1] = aten.full.default([1], 1, "
        "dtype=torch.int64)\n%r : f32[2, 1] = aten.index.Tensor(%z, [None, %i])",
        "1 3");
    row("constant", "%c : f32[4] = constant(c)\n%r : f32[4] = aten.add.Tensor(%c, %x)", "100 101 102 103");
    row("dtype, device, layout",
        "%r : f64[4] = aten._to_copy.default(%x, dtype=torch.float64, layout=torch.strided, device=device(cpu))",
        "0 1 2 3");
    row("infinity", "%r : f32[4] = aten.clamp.default(%x, 2.0, inf)", "2 2 2 3");
    row("an operator of ours", "%r : f64[4] = prims.convert_element_type.default(%x, torch.float64)", "0 1 2 3");
    row("absent tensor", "%r : f32[4] = aten.first_for_test.default(%x, None)", "0 1 2 3");
    row("sizes",
        "%n : int(4) = aten.sym_size.int(%x, 0)\n%m : int(2) = operator.floordiv(%n, 2)\n"
        "%k : int(3) = operator.add(%m, 1)\n%r : f32[2, 2] = aten.view.default(%y, [%m, %m])",
        "4 5 6 7");
    row("power of a size",
        "%n : int(4) = aten.sym_size.int(%x, 0)\n%p : int(16) = operator.pow(%n, 2)\n"
        "%q : int(4) = operator.floordiv(%p, 4)\n%r : f32[4] = aten.view.default(%y, [%q])",
        "4 5 6 7");
    row("a size where a tensor is expected",
        "%n : int(4) = aten.sym_size.int(%x, 0)\n%r : f32[4] = aten.add.Tensor(%x, %n)", "4 5 6 7");
    row("list with one node twice", "%r : f32[8] = aten.cat.default([%x, %x])", "0 1 2 3 0 1 2 3");
    row("defaults", "%r : f32[4] = aten.add.Tensor(%x, %y)", "4 6 8 10");
    row("same node twice", "%r : f32[4] = aten.mul.Tensor(%x, %x)", "0 1 4 9");
    row("unused results",
        "%s : (f32[2], f32[2]) = aten.split.Tensor(%x, 2)\n%a : f32[2] = operator.getitem(%s, 0)\n"
        "%r : f32[4] = aten.neg.default(%x)",
        "0 -1 -2 -3");
    row("tensor that may be absent", "%r : f32[4] = aten.first_for_test.default(%x, %y)", "4 6 8 10");
}

inline std::unique_ptr<Graph> graphOfCall(const QString& body) {
    return parseSound("graph g\n%x : f32[4] = placeholder\n%y : f32[4] = placeholder\n" + body.toStdString() +
                      "\nreturn [%r]");
}
inline std::vector<c10::IValue> operandsOfCall() { return {at::arange(4, at::kFloat), at::arange(4, 8, at::kFloat)}; }
inline ConstantTable constantsOfCall() { return {{"c", at::ones({4}) * 100}}; }

/// "4 6 8 10", of the only result.
inline QString numbersIn(const std::vector<c10::IValue>& results) {
    const at::Tensor r = results.at(0).toTensor().to(at::kDouble).contiguous();
    QStringList text;
    for (std::int64_t i = 0; i < r.numel(); ++i) text << QString::number(r.const_data_ptr<double>()[i]);
    return text.join(u' ');
}

}  // namespace aotscope::test
