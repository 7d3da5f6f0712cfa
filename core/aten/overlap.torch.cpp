#include "aten/overlap.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace aotscope {

namespace {

struct Dimension {
    std::int64_t size, stride;  ///< stride in bytes, positive
};

void sortByStride(std::vector<Dimension>& dims) {
    std::sort(dims.begin(), dims.end(), [](const Dimension& a, const Dimension& b) { return a.stride > b.stride; });
}

/// The byte positions at which a tensor's elements start: first + sum of index times stride.
struct Lattice {
    std::int64_t first = 0, last = 0, item = 0;
    std::vector<Dimension> dims;  ///< those of size two or more

    explicit Lattice(const at::Tensor& t) : item(static_cast<std::int64_t>(t.element_size())) {
        first = last = t.storage_offset() * item;
        for (std::int64_t i = 0; i < t.dim(); ++i) {
            if (t.size(i) < 2 || t.stride(i) == 0) continue;
            dims.push_back({t.size(i), t.stride(i) * item});
            last += (t.size(i) - 1) * t.stride(i) * item;
        }
    }
};

/// Decides whether sums of multiples of strides can fall into an interval. Gives up after a fixed number of tries and
/// then answers yes.
class Search {
public:
    explicit Search(std::vector<Dimension> dims) : dims_(std::move(dims)) { sortByStride(dims_); }

    /// Whether dimensions from `k` on have indices whose sum is in [low, high].
    bool reaches(std::size_t k, std::int64_t low, std::int64_t high) {
        if (low > high || high < 0) return false;
        if (low <= 0) return true;  // all indices 0
        if (k == dims_.size()) return false;
        if (--tries_ < 0) return true;
        std::int64_t rest = 0, common = dims_[k].stride;
        for (std::size_t i = k + 1; i < dims_.size(); ++i) {
            common = std::gcd(common, dims_[i].stride);
            rest += (dims_[i].size - 1) * dims_[i].stride;
        }
        if ((low + common - 1) / common * common > high) return false;  // no common multiple in between
        const auto [size, stride] = dims_[k];
        const std::int64_t least = std::max<std::int64_t>(0, (low - rest + stride - 1) / stride);
        for (std::int64_t x = std::min(size - 1, high / stride); x >= least; --x)
            if (reaches(k + 1, low - x * stride, high - x * stride)) return true;
        return false;
    }

private:
    std::vector<Dimension> dims_;
    int tries_ = 100000;
};

}  // namespace

bool overlap(const at::Tensor& a, const at::Tensor& b) {
    if (a.numel() == 0 || b.numel() == 0) return false;
    const Lattice x(a), y(b);
    if (x.last + x.item <= y.first || y.last + y.item <= x.first) return false;
    // An element of a at p and one of b at q overlap if -item(a) < p - q < item(b). Counting b's indices from the end,
    // p - q + last(b) - first(a) is a sum of multiples of all strides.
    std::vector<Dimension> dims = x.dims;
    dims.insert(dims.end(), y.dims.begin(), y.dims.end());
    const std::int64_t zero = y.last - x.first;
    return Search(std::move(dims)).reaches(0, zero - x.item + 1, zero + y.item - 1);
}

}  // namespace aotscope
