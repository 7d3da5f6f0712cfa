#include "distributed/reductions.h"

#include "support/error.h"
#include "support/quoted.h"

#include <ATen/ops/clone.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>

#include <algorithm>
#include <array>

namespace aotscope {

namespace {

constexpr std::array<std::pair<std::string_view, Reduction>, 8> kReductionNames = {{
    {"sum", Reduction::sum},
    {"avg", Reduction::average},
    {"product", Reduction::product},
    {"min", Reduction::minimum},
    {"max", Reduction::maximum},
    {"band", Reduction::bitAnd},
    {"bor", Reduction::bitOr},
    {"bxor", Reduction::bitXor},
}};

void accumulate(at::Tensor& sum, const at::Tensor& next, Reduction how) {
    switch (how) {
        case Reduction::sum:
        case Reduction::average: sum.add_(next); return;
        case Reduction::product: sum.mul_(next); return;
        case Reduction::minimum: sum = at::minimum(sum, next); return;
        case Reduction::maximum: sum = at::maximum(sum, next); return;
        case Reduction::bitAnd: sum.bitwise_and_(next); return;
        case Reduction::bitOr: sum.bitwise_or_(next); return;
        case Reduction::bitXor: sum.bitwise_xor_(next); return;
    }
}

/// Reduces `count` copies of the same `value`.
void repeat(at::Tensor& value, std::int64_t count, Reduction how) {
    const bool truth = value.scalar_type() == at::kBool;  // a sum of booleans is true if any of them is
    if (truth && (how == Reduction::sum || how == Reduction::product)) return;
    if (how == Reduction::sum) value.mul_(count);
    else if (how == Reduction::product) value.pow_(count);
    else if (how == Reduction::bitXor && count % 2 == 0) value.zero_();
}

at::Tensor reducedBy(const Contributions& all, Reduction how, const std::function<at::Tensor(std::size_t)>& of) {
    at::Tensor result = of(0).clone(at::MemoryFormat::Contiguous);
    const auto count = static_cast<std::int64_t>(all.size());
    if (all.allSame()) {
        repeat(result, count, how);
        return result;
    }
    for (std::size_t i = 1; i < all.size(); ++i) accumulate(result, of(i), how);
    if (how == Reduction::average) {
        if (at::isIntegralType(result.scalar_type(), true)) result.div_(count, "trunc");
        else result.div_(count);
    }
    return result;
}

}  // namespace

Reduction reductionNamed(const std::string& name) {
    std::string lower = name;
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
    for (const auto& [known, reduction] : kReductionNames)
        if (known == lower) return reduction;
    throw Error("a collective reduces with " + inQuotes(name) +
                "; expected sum, avg, product, min, max, band, bor or bxor");
}

at::Tensor reduced(const Contributions& all, std::size_t which, Reduction how) {
    return reducedBy(all, how, [&](std::size_t i) { return all[i].tensors[which]; });
}

at::Tensor reducedPart(const Contributions& all, std::size_t which, Reduction how, std::int64_t part,
                       std::int64_t parts) {
    return reducedBy(all, how, [&](std::size_t i) {
        const at::Tensor& whole = all[i].tensors[which];
        const std::int64_t rows = whole.size(0) / parts;
        return whole.narrow(0, part * rows, rows);
    });
}

void gatherInto(const at::Tensor& result, const Contributions& all, std::size_t which) {
    for (std::size_t i = 0; i < all.size(); ++i) {
        const at::Tensor& rows = all[i].tensors[which];
        const std::int64_t count = rows.dim() == 0 ? 1 : rows.size(0);
        result.narrow(0, static_cast<std::int64_t>(i) * count, count).copy_(rows);
    }
}

}  // namespace aotscope
