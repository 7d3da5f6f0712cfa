#include "support/outcomes.h"
#include "support/rule_arguments.h"

namespace aotscope::test {

namespace {

at::ScalarType decomposable(Random& r) { return r.oneOf({at::kFloat, at::kDouble, at::kComplexFloat}); }

/// Batch dimensions, followed by others.
Sizes batched(Random& r, std::initializer_list<int64_t> others) {
    Sizes sizes = r.sizes(static_cast<std::size_t>(r.number(0, 2)), 1, 3);
    sizes.insert(sizes.end(), others);
    return sizes;
}

/// A batch of lower triangles with ones on the diagonal, in some memory layout.
at::Tensor triangular(Random& r, const Sizes& sizes, at::ScalarType type) {
    at::Tensor a = r.tensor(sizes, type);
    a.zero_().diagonal(0, -2, -1).fill_(1);
    return a;
}

Values squareMatrix(Random& r) {
    const int64_t n = r.number(1, 4);
    return {triangular(r, batched(r, {n, n}), decomposable(r))};
}
Values cholesky(Random& r) {
    Values a = squareMatrix(r);
    a.emplace_back(r.coin());
    return a;
}
Values choleskySolve(Random& r) {
    const Values a = squareMatrix(r);
    Sizes sizes = a[0].toTensor().sizes().vec();
    sizes.back() = r.number(1, 3);
    return {r.tensor(sizes, a[0].toTensor().scalar_type()), a[0], r.coin()};
}
Values solveTriangular(Random& r) {
    const int64_t n = r.number(1, 4), m = r.number(1, 4);
    const bool left = r.coin();
    const auto type = decomposable(r);
    return {triangular(r, batched(r, {n, n}), type), r.tensor(left ? Sizes{n, m} : Sizes{m, n}, type), r.coin(), left,
            r.coin()};
}
Values householder(Random& r) {
    const int64_t rows = r.number(2, 4), columns = r.number(1, rows);
    const Sizes sizes = batched(r, {rows, columns});
    const auto type = decomposable(r);
    return {r.tensor(sizes, type),
            r.plain(Sizes(sizes.begin(), sizes.end() - 1), type).narrow(-1, 0, 1).squeeze(-1).unsqueeze(-1)};
}
Values ormqr(Random& r) {
    const int64_t rows = r.number(2, 4), columns = r.number(1, rows);
    const auto type = r.oneOf({at::kFloat, at::kDouble});
    return {r.tensor({rows, columns}, type), r.plain({columns}, type), r.tensor({rows, r.number(1, 3)}, type), true,
            r.coin()};
}
Values batchedProduct(Random& r) {
    const int64_t b = r.number(1, 3), n = r.number(1, 4), m = r.number(1, 4), p = r.number(1, 4);
    const auto type = r.floating();
    return {r.tensor({n, p}, type), r.tensor({b, n, m}, type), r.tensor({b, m, p}, type), int64_t{1}, int64_t{1}};
}
/// Groups of one matrix or of both, or a batch. The kernel wants rows, or columns, that begin at multiples of 16 bytes.
Values groupedProduct(Random& r) {
    const auto type = r.oneOf({at::kFloat, at::kBFloat16});
    const bool first = r.coin(), second = r.coin();  // has a dimension of its own for the groups
    const bool columnMajor = r.coin();
    const int64_t groups = r.number(1, 3), rows = 8 * r.number(1, 2), inner = 8 * r.number(1, 2),
                  columns = columnMajor ? r.number(1, 16) : 8 * r.number(1, 2);
    Sizes sizes = columnMajor ? Sizes{columns, inner} : Sizes{inner, columns};
    if (second) sizes.insert(sizes.begin(), groups);
    const at::Tensor b = r.plain(sizes, type), offsets = r.plain({groups}, at::kInt);
    offsets.select(0, groups - 1).fill_(!first && !second ? inner : first ? columns : rows);
    return {r.plain(first ? Sizes{groups, rows, inner} : Sizes{rows, inner}, type),
            columnMajor ? b.transpose(-2, -1) : b, first && second ? c10::IValue() : c10::IValue(offsets),
            c10::IValue(), c10::IValue()};
}
Values linearCombinations(Random& r) {
    const Sizes sizes = r.sizes(static_cast<std::size_t>(r.number(1, 4)), 1, 4);
    const auto type = r.oneOf({at::kFloat, at::kDouble});
    return {r.tensor(sizes, type), r.tensor({r.number(1, 4), sizes[0]}, type)};
}
Values matrixAndVector(Random& r) {
    const int64_t rows = r.number(1, 4), columns = r.number(1, 4);
    const auto type = r.floating();
    return {r.tensor({rows, columns}, type), r.tensor({columns}, type)};
}
Values addMatrixAndVector(Random& r) {
    const Values a = matrixAndVector(r);
    const at::Tensor matrix = a[0].toTensor();
    return {r.tensor({r.coin() ? matrix.size(0) : 1}, matrix.scalar_type()), a[0], a[1], int64_t{1}, int64_t{1}};
}
Values integerProduct(Random& r) {
    const int64_t n = r.number(1, 4), m = r.number(1, 4), p = r.number(1, 4);
    return {r.tensor({n, m}, at::kChar), r.tensor({m, p}, at::kChar)};
}
Values distances(Random& r) {
    const auto type = r.oneOf({at::kFloat, at::kDouble});
    const int64_t columns = r.number(1, 4);
    const Sizes batch = r.sizes(static_cast<std::size_t>(r.number(0, 2)), 1, 3);
    Sizes a = batch, b = batch;
    if (!a.empty() && r.coin()) a[0] = 1;
    a.insert(a.end(), {r.number(1, 4), columns});
    b.insert(b.end(), {r.number(1, 4), columns});
    return {r.tensor(a, type), r.tensor(b, type), r.oneOf({1.0, 2.0, 3.0}), c10::IValue()};
}
Values distancesBackward(Random& r) {
    const auto type = r.oneOf({at::kFloat, at::kDouble});
    const Sizes batch = r.sizes(static_cast<std::size_t>(r.number(0, 2)), 0, 3);
    const Sizes own = r.number(0, 2) == 0 ? Sizes(batch.size(), 1) : batch;  // of x1, which may be expanded
    const int64_t columns = r.number(1, 4), rows = r.number(1, 4), others = r.number(0, 4);
    const auto with = [&](Sizes sizes, int64_t n, int64_t m) {
        sizes.insert(sizes.end(), {n, m});
        return r.plain(sizes, type);
    };
    return {with(batch, rows, others), with(own, rows, columns), with(batch, others, columns), 1.0,
            with(batch, rows, others)};
}

Values pairwise(Random& r) {
    return {r.tensor(r.sizes(2, 1, 5), r.oneOf({at::kFloat, at::kDouble})), r.oneOf({1.0, 2.0, 3.0})};
}
Values pairwiseBackward(Random& r) {
    const Values a = pairwise(r), forward = call("aten::_pdist_forward", {a[0].toTensor().contiguous(), a[1]});
    return {r.plain(forward[0].toTensor().sizes().vec(), forward[0].toTensor().scalar_type()), a[0], a[1], forward[0]};
}

/// input, distinct dimensions
Values transform(Random& r, at::ScalarType type) {
    const auto rank = r.number(1, 4);
    const Sizes sizes = r.sizes(static_cast<std::size_t>(rank), 2, 4);
    Sizes dims;
    for (int64_t d = 0; d < rank; ++d)
        if (dims.size() < 3 && r.coin()) dims.push_back(d);
    if (dims.empty()) dims.push_back(rank - 1);
    if (r.coin()) std::reverse(dims.begin(), dims.end());
    return {r.tensor(sizes, type), dims, int64_t{0}};
}
Values realToComplex(Random& r) {
    Values a = transform(r, r.oneOf({at::kFloat, at::kDouble}));
    a.emplace_back(r.coin());
    return a;
}
Values complexToComplex(Random& r) {
    Values a = transform(r, r.oneOf({at::kComplexFloat, at::kComplexDouble}));
    a.emplace_back(r.coin());
    return a;
}
Values complexToReal(Random& r) {
    Values a = transform(r, r.oneOf({at::kComplexFloat, at::kComplexDouble}));
    const int64_t half = a[0].toTensor().size(a[1].toIntVector().back());
    a.emplace_back(2 * (half - 1) + r.number(0, 1));
    return a;
}

}  // namespace

Generators linalgGenerators() {
    return {
        {"aten::cholesky", {cholesky}},
        {"aten::cholesky_inverse", {cholesky}},
        {"aten::cholesky_solve", {choleskySolve}},
        {"aten::_cholesky_solve_helper", {choleskySolve}},
        {"aten::linalg_eig", {squareMatrix}},
        {"aten::_linalg_eigvals", {squareMatrix}},
        {"aten::linalg_matrix_exp", {squareMatrix}},
        {"aten::linalg_solve_triangular", {solveTriangular}},
        {"aten::linalg_householder_product", {householder}},
        {"aten::ormqr", {ormqr}},
        {"aten::addbmm", {batchedProduct}},
        {"aten::addbmm_", {batchedProduct}},
        {"aten::_int_mm", {integerProduct}},
        {"aten::_grouped_mm", {groupedProduct}},
        {"aten::_compute_linear_combination", {linearCombinations}},
        {"aten::mv", {matrixAndVector}},
        {"aten::addmv", {addMatrixAndVector}},
        {"aten::_cdist_forward", {distances}},
        {"aten::_cdist_backward", {distancesBackward}},
        {"aten::_pdist_forward", {pairwise}},
        {"aten::_pdist_backward", {pairwiseBackward}},
        {"aten::_fft_r2c", {realToComplex}},
        {"aten::_fft_c2c", {complexToComplex}},
        {"aten::_fft_c2r", {complexToReal}},
    };
}

}  // namespace aotscope::test
