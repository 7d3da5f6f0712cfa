#include "ops/shapes/rule_results.h"

#include <ATen/ExpandUtils.h>
#include <ATen/ops/empty_strided.h>

namespace aotscope {

namespace {

using Sizes = std::vector<int64_t>;

void requireSquare(const at::Tensor& a, const char* name) {
    TORCH_CHECK(a.dim() >= 2 && a.size(-1) == a.size(-2), name,
                ": A must be batches of square matrices, but they are of sizes ", a.sizes());
}

/// Batch dimensions followed by others.
Sizes batched(const at::Tensor& a, int64_t without, std::initializer_list<int64_t> others) {
    Sizes sizes(a.sizes().begin(), a.sizes().end() - without);
    sizes.insert(sizes.end(), others);
    return sizes;
}

Results squareColumnMajor(const RuleCall& call) {
    requireSquare(call.tensor(0), "cholesky");
    if (call.tensor(0).numel() == 0) return {contiguous(call.tensor(0).sizes(), call.tensor(0))};
    return {columnMajor(call.tensor(0).sizes(), call.tensor(0))};
}

/// right-hand sides, factor
Results choleskySolve(const RuleCall& call) {
    const at::Tensor b = call.tensor(0), a = call.tensor(1);
    requireSquare(a, "cholesky_solve");
    TORCH_CHECK(b.dim() >= 2 && b.size(-2) == a.size(-1), "cholesky_solve: incompatible matrix sizes ", a.sizes(),
                " and ", b.sizes());
    Sizes sizes = at::infer_size(b.sizes().slice(0, static_cast<std::size_t>(b.dim()) - 2),
                                 a.sizes().slice(0, static_cast<std::size_t>(a.dim()) - 2));
    sizes.insert(sizes.end(), {b.size(-2), b.size(-1)});
    return {columnMajor(sizes, b)};
}

Results geqrf(const RuleCall& call) {
    const at::Tensor a = call.tensor(0);
    TORCH_CHECK(a.dim() >= 2, "torch.geqrf: input must have at least 2 dimensions, found sizes ", a.sizes());
    return {columnMajor(a.sizes(), a), contiguous(batched(a, 2, {std::min(a.size(-1), a.size(-2))}), a)};
}

/// reflectors, tau, other
Results ormqr(const RuleCall& call) {
    TORCH_CHECK(call.tensor(0).dim() >= 2 && call.tensor(2).dim() == call.tensor(0).dim(),
                "torch.ormqr: input and other must have the same number of dimensions, at least 2");
    return {columnMajor(call.tensor(2).sizes(), call.tensor(2))};
}

/// reflectors, tau
Results householderProduct(const RuleCall& call) {
    const at::Tensor a = call.tensor(0);
    TORCH_CHECK(a.dim() >= 2 && a.size(-2) >= a.size(-1),
                "torch.linalg.householder_product: input.shape[-2] must be greater than or equal to input.shape[-1], "
                "found ",
                a.sizes());
    return {columnMajor(a.sizes(), a)};
}

Results eigenvalues(const RuleCall& call) {
    const at::Tensor a = call.tensor(0);
    requireSquare(a, "linalg.eigvals");
    return {contiguous(batched(a, 1, {}), a, c10::toComplexType(a.scalar_type()))};
}
Results eigen(const RuleCall& call) {
    const at::Tensor a = call.tensor(0);
    Results results = eigenvalues(call);
    results.emplace_back(columnMajor(a.sizes(), results[0].toTensor()));
    return results;
}

Results matrixExponential(const RuleCall& call) {
    requireSquare(call.tensor(0), "linalg.matrix_exp");
    return call.tensor(0).size(-1) == 1 ? preservedRule(call) : contiguousRule(call);
}

/// A, B, upper, left, unitriangular
Results solveTriangular(const RuleCall& call) {
    const at::Tensor a = call.tensor(0), b = call.tensor(1);
    requireSquare(a, "linalg.solve_triangular");
    const bool left = call.args[3].toBool();
    TORCH_CHECK(b.dim() >= 2 && a.size(-1) == b.size(left ? -2 : -1),
                "linalg.solve_triangular: Incompatible shapes of A and B: ", a.sizes(), " and ", b.sizes());
    Sizes sizes = at::infer_size(b.sizes().slice(0, static_cast<std::size_t>(b.dim()) - 2),
                                 a.sizes().slice(0, static_cast<std::size_t>(a.dim()) - 2));
    sizes.insert(sizes.end(), {b.size(-2), b.size(-1)});
    return {columnMajor(sizes, b)};
}

/// input, batch1, batch2
Results addBatchedProducts(const RuleCall& call) {
    const at::Tensor a = call.tensor(1), b = call.tensor(2);
    TORCH_CHECK(a.dim() == 3 && b.dim() == 3 && a.size(0) == b.size(0) && a.size(2) == b.size(1),
                "addbmm: Incompatible matrix sizes ", a.sizes(), " and ", b.sizes());
    return {contiguous({a.size(1), b.size(2)}, a)};
}

/// int8 x int8 -> int32
Results integerProduct(const RuleCall& call) {
    const at::Tensor a = call.tensor(0), b = call.tensor(1);
    TORCH_CHECK(a.dim() == 2 && b.dim() == 2 && a.size(1) == b.size(0), "_int_mm: Incompatible matrix sizes ",
                a.sizes(), " and ", b.sizes());
    return {contiguous({a.size(0), b.size(1)}, a, at::kInt)};
}

/// Groups of rows or columns of a matrix, ending at the offsets, or a batch: a, b, offsets, bias, out_dtype. Rows of
/// the result are aligned to 16 bytes.
Results groupedProduct(const RuleCall& call) {
    const at::Tensor a = call.tensor(0), b = call.tensor(1);
    TORCH_CHECK((a.dim() == 2 || a.dim() == 3) && (b.dim() == 2 || b.dim() == 3) && a.size(-1) == b.size(-2),
                "_grouped_mm: incompatible matrix sizes ", a.sizes(), " and ", b.sizes());
    const bool batch = a.dim() == 3 && b.dim() == 3;
    TORCH_CHECK(batch || call.has(2), "_grouped_mm: expected offsets of the groups of a matrix");
    Sizes sizes = {a.size(-2), b.size(-1)};
    if (a.dim() == b.dim()) sizes.insert(sizes.begin(), batch ? a.size(0) : call.tensor(2).size(0));
    const at::ScalarType type = call.args[4].isNone() ? a.scalar_type() : call.args[4].toScalarType();
    const auto aligned = static_cast<int64_t>(16 / c10::elementSize(type));
    const int64_t row = (sizes.back() + aligned - 1) / aligned * aligned;
    const Sizes strides = sizes.size() == 3 ? Sizes{sizes[1] * row, row, 1} : Sizes{row, 1};
    return {at::empty_strided(sizes, strides, a.options().dtype(type))};
}

/// Products of half precision stored in another dtype: a, b, out_dtype
template <int rank>
Results productOfType(const RuleCall& call) {
    const at::Tensor a = call.tensor(0), b = call.tensor(1);
    TORCH_CHECK(a.dim() == rank && b.dim() == rank && a.size(-1) == b.size(-2) && (rank == 2 || a.size(0) == b.size(0)),
                "incompatible matrix sizes ", a.sizes(), " and ", b.sizes());
    Sizes sizes = a.sizes().vec();
    sizes.back() = b.size(-1);
    return {contiguous(sizes, a, call.args[2].toScalarType())};
}
/// The same after an addend.
template <int rank>
Results sumOfType(const RuleCall& call) {
    return productOfType<rank>({call.args.slice(1), call.device});
}

/// inputs, coefficients: a combination of the inputs for each row
Results linearCombinations(const RuleCall& call) {
    const at::Tensor inputs = call.tensor(0), coefficients = call.tensor(1);
    TORCH_CHECK(inputs.dim() >= 1 && coefficients.dim() == 2 && coefficients.size(1) == inputs.size(0),
                "_compute_linear_combination: expected a coefficient for each input, found sizes ",
                coefficients.sizes(), " for inputs of sizes ", inputs.sizes());
    Sizes sizes = inputs.sizes().vec();
    sizes[0] = coefficients.size(0);
    return {contiguous(sizes, inputs)};
}

/// x1, x2, ...
Results distances(const RuleCall& call) {
    const at::Tensor a = call.tensor(0), b = call.tensor(1);
    TORCH_CHECK(a.dim() >= 2 && b.dim() >= 2 && a.size(-1) == b.size(-1),
                "cdist only supports at least 2D tensors with the same number of columns, found ", a.sizes(), " and ",
                b.sizes());
    Sizes sizes = at::infer_size(a.sizes().slice(0, static_cast<std::size_t>(a.dim()) - 2),
                                 b.sizes().slice(0, static_cast<std::size_t>(b.dim()) - 2));
    sizes.insert(sizes.end(), {a.size(-2), b.size(-2)});
    return {contiguous(sizes, a)};
}

/// grad, x1, x2, p, distances
Results distancesBackward(const RuleCall& call) {
    const at::Tensor a = call.tensor(1), b = call.tensor(2);
    Sizes sizes = at::infer_size(a.sizes().slice(0, static_cast<std::size_t>(a.dim()) - 2),
                                 b.sizes().slice(0, static_cast<std::size_t>(b.dim()) - 2));
    sizes.insert(sizes.end(), {a.size(-2), a.size(-1)});
    // Without anything to compute, the kernel does not expand the batch.
    if (c10::multiply_integers(sizes) == 0 || b.size(-2) == 0) return {preserved(a)};
    return {contiguous(sizes, a)};
}

Results pairwiseDistances(const RuleCall& call) {
    const at::Tensor a = call.tensor(0);
    TORCH_CHECK(a.dim() >= 1, "pdist expects a matrix, got a tensor without dimensions");
    return {contiguous({a.size(0) < 2 ? 0 : a.size(0) * (a.size(0) - 1) / 2}, a)};
}

Results pairwiseDistancesBackward(const RuleCall& call) { return {contiguous(call.tensor(1).sizes(), call.tensor(1))}; }

/// matrices, two tolerances broadcast with their batch: the pseudo-inverse of an n x m matrix is m x n.
Results pseudoInverse(const RuleCall& call) {
    const at::Tensor a = call.tensor(0);
    TORCH_CHECK(a.dim() >= 2, "linalg.pinv: expected matrices, found sizes ", a.sizes());
    Sizes sizes = batched(a, 2, {});
    for (std::size_t i : {1, 2})
        if (call.has(i) && a.numel() > 0) sizes = at::infer_size(sizes, call.tensor(i).sizes());
    sizes.insert(sizes.end(), {a.size(-1), a.size(-2)});
    return {contiguous(sizes, a)};
}

/// v, g, dim: the weight and its norms; grad_w, v, g, norms, dim: gradients of v and g
Results weightNorm(const RuleCall& call) {
    const at::Tensor v = call.tensor(0), g = call.tensor(1);
    const auto type = g.scalar_type() == at::kBFloat16 ? at::kFloat : g.scalar_type();
    return {contiguous(v.sizes(), v), preserved(g, type)};
}
Results weightNormBackward(const RuleCall& call) {
    return {contiguous(call.tensor(1).sizes(), call.tensor(1)), contiguous(call.tensor(2).sizes(), call.tensor(2))};
}

}  // namespace

std::vector<ShapeRuleRow> linalgRules() {
    return {
        {"aten::cholesky", squareColumnMajor},
        {"aten::cholesky_inverse", squareColumnMajor},
        {"aten::cholesky_solve", choleskySolve},
        {"aten::_cholesky_solve_helper", choleskySolve},
        {"aten::geqrf", geqrf},
        {"aten::ormqr", ormqr},
        {"aten::linalg_householder_product", householderProduct},
        {"aten::linalg_eig", eigen},
        {"aten::_linalg_eigvals", eigenvalues},
        {"aten::linalg_matrix_exp", matrixExponential},
        {"aten::linalg_solve_triangular", solveTriangular},
        {"aten::linalg_pinv.atol_rtol_tensor", pseudoInverse},
        {"aten::addbmm", addBatchedProducts},
        {"aten::addbmm_", inPlaceRule},
        {"aten::_int_mm", integerProduct},
        {"aten::_grouped_mm", groupedProduct},
        {"aten::mm.dtype", productOfType<2>},
        {"aten::bmm.dtype", productOfType<3>},
        {"aten::addmm.dtype", sumOfType<2>},
        {"aten::baddbmm.dtype", sumOfType<3>},
        {"aten::_compute_linear_combination", linearCombinations},
        {"aten::_cdist_forward", distances},
        {"aten::_cdist_backward", distancesBackward},
        {"aten::_pdist_forward", pairwiseDistances},
        {"aten::_pdist_backward", pairwiseDistancesBackward},
        {"aten::_weight_norm_interface", weightNorm},
        {"aten::_weight_norm_interface_backward", weightNormBackward},
    };
}

}  // namespace aotscope
