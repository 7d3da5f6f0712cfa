#pragma once

// Reading and accumulating elements at offsets.

#include "compile/fused/cpu/copies.h"
#include "compile/fused/cpu/line_sums.h"
#include "compile/fused/cpu/shuffles.h"

#include <cstring>

namespace aotscope::CPU_CAPABILITY {

/// The offsets of a tile: in each row, a sum of those that all its elements share, and those that vary.
class RowOffsets {
public:
    explicit RowOffsets(const TileIndices& indices) {
        for (const TileOperand& operand : indices.offsets) {
            if (!operand.data) break;
            if (operand.varies) varying_[count++] = &operand;
            else shared_[shares_++] = &operand;
        }
    }
    std::int64_t shared(std::int64_t row) const {
        std::int64_t sum = 0;
        for (int k = 0; k < shares_; ++k) sum += *rowOf<std::int64_t>(*shared_[k], row);
        return sum;
    }
    const std::int64_t* line(std::int64_t row, int k = 0) const { return rowOf<std::int64_t>(*varying_[k], row); }
    std::int64_t at(std::int64_t row, std::int64_t i) const {
        std::int64_t sum = 0;
        for (int k = 0; k < count; ++k) sum += line(row, k)[i];
        return sum;
    }
    /// Whether they vary, and do so alike in both rows.
    bool sameLines(std::int64_t row, std::int64_t other) const {
        bool isSame = count > 0;
        for (int k = 0; k < count; ++k) isSame = isSame && line(row, k) == line(other, k);
        return isSame;
    }

    int count = 0;  ///< of those that vary

private:
    std::array<const TileOperand*, 3> varying_{}, shared_{};
    int shares_ = 0;
};

/// What the offsets that vary along a row add up to; rows mostly have the same ones.
class RowLines {
public:
    static constexpr std::int64_t kMost = 2048;  ///< elements of a row

    RowLines(const RowOffsets& offsets, std::int64_t n) : offsets_(offsets), n_(n) {}
    bool any() const { return offsets_.count == 1 || (offsets_.count > 1 && n_ <= kMost); }
    const std::int64_t* of(std::int64_t row) {
        if (offsets_.count == 1) return offsets_.line(row);
        if (row_ < 0 || !offsets_.sameLines(row, row_)) addUp(row);
        row_ = row;
        return sums_.data();
    }

private:
    void addUp(std::int64_t row) {
        const std::int64_t *a = offsets_.line(row, 0), *b = offsets_.line(row, 1);
#pragma omp simd
        for (std::int64_t i = 0; i < n_; ++i) sums_[i] = a[i] + b[i];
        const std::int64_t* c = offsets_.count > 2 ? offsets_.line(row, 2) : nullptr;
#pragma omp simd
        for (std::int64_t i = 0; i < (c ? n_ : 0); ++i) sums_[i] += c[i];
    }

    const RowOffsets& offsets_;
    std::int64_t n_ = 0, row_ = -1;
    std::array<std::int64_t, kMost> sums_;
};

/// Elements one by one: instructions that gather vectors are slower on many CPUs.
template <class To, class From, class Offset>
void gatherScalars(To* to, const From* from, std::int64_t n, Offset offset) {
    for (std::int64_t i = 0; i < n; ++i) {
        std::int64_t place = offset(i);
        asm("" : "+r"(place));
        to[i] = static_cast<To>(from[place]);
    }
}

/// to[i] = from[offset(i)]; half types are converted piece by piece.
template <class To, class From, class Offset>
void gatherElements(To* to, const From* from, std::int64_t n, Offset offset) {
    if constexpr (isHalf<From>) {
        constexpr std::int64_t piece = 64;
        From halves[piece];
        for (std::int64_t i = 0; i < n; i += piece) {
            const std::int64_t count = std::min(piece, n - i);
            gatherScalars(halves, from, count, [=](std::int64_t j) { return offset(i + j); });
            convertRow(to + i, halves, count);
        }
    } else {
        gatherScalars(to, from, n, offset);
    }
}

template <class To, class From>
void gatherLine(To* to, const From* from, std::int64_t n, const std::int64_t* offsets) {
    if constexpr (std::is_same_v<To, From> && kShuffled < From >> 1) {
        constexpr std::int64_t lanes = kShuffled<From>;
        if (n >= lanes) {
            for (std::int64_t i = 0; i < n; i += lanes) {
                const std::int64_t at = std::min(i, n - lanes);  // the last two may overlap
                if (!shuffle(to + at, from, offsets + at))
                    gatherScalars(to + at, from, lanes, [=](std::int64_t j) { return offsets[at + j]; });
            }
            return;
        }
    }
    gatherElements(to, from, n, [=](std::int64_t i) { return offsets[i]; });
}

template <class To, class From>
void gatherRows(char* to, std::int64_t toStep, const char* tensor, const TileIndices& indices) {
    const std::int64_t n = indices.n, step = indices.steps.step / static_cast<std::int64_t>(sizeof(From));
    const RowOffsets offsets(indices);
    RowLines lines(offsets, n);
    const From* last = nullptr;
    for (std::int64_t r = 0; r < indices.rows; ++r, to += toStep, tensor += indices.steps.rowStep) {
        const From* from = reinterpret_cast<const From*>(tensor) + offsets.shared(r);
        To* out = reinterpret_cast<To*>(to);
        const bool isRepeated = from == last && (offsets.count == 0 || offsets.sameLines(r, r - 1));
        if (isRepeated) std::memcpy(to, to - toStep, static_cast<std::size_t>(n) * sizeof(To));
        else if (offsets.count == 0 && step == 1) convertRow(out, from, n);
        else if (offsets.count == 0) gatherElements(out, from, n, [=](std::int64_t i) { return i * step; });
        else if (lines.any() && step == 0) gatherLine(out, from, n, lines.of(r));
        else gatherElements(out, from, n, [&](std::int64_t i) { return offsets.at(r, i) + i * step; });
        last = from;
    }
}

/// Half types are rounded after every addition, as in LibTorch.
template <class Element, class Value>
Element plus(Element a, Value b) {
    if constexpr (std::is_same_v<Element, bool>) return a || b != 0;
    else if constexpr (isHalf<Element>) return Element(static_cast<float>(a) + static_cast<float>(b));
    else if constexpr (std::is_integral_v<Element>)
        return static_cast<Element>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
    else return static_cast<Element>(a + static_cast<Element>(b));
}

/// Elements in order. Neighbours mostly have the same offset: their sum stays in a register.
template <class Element, class Value, class Offset>
void accumulateElements(Element* to, const Value* values, std::int64_t valueStep, std::int64_t n, Offset offset) {
    for (std::int64_t i = 0; i < n;) {
        const std::int64_t place = offset(i);
        Element sum = to[place];
        do sum = plus(sum, values[i * valueStep]);
        while (++i < n && offset(i) == place);
        to[place] = sum;
    }
}

/// Rows without gaps that share their offsets; those for the same elements are added up first.
template <class T>
bool accumulateLines(char* tensor, const TileIndices& indices, const char* values, Strided valueSteps, char* memory) {
    constexpr std::int64_t fewRows = 3;
    const RowOffsets offsets(indices);
    const bool isDense = indices.steps.step == 0 && valueSteps.step == sizeof(T);
    if (!isDense || indices.rows < fewRows || indices.n > LineSums<T>::kMost || !offsets.sameLines(0, 1)) return false;
    RowLines lines(offsets, indices.n);
    auto& sums = *reinterpret_cast<LineSums<T>*>(memory);
    if (!sums.prepare(lines.of(0), indices.n)) return false;
    const auto target = [&](std::int64_t r) {
        return reinterpret_cast<T*>(tensor + r * indices.steps.rowStep) + offsets.shared(r);
    };
    const auto added = [&](std::int64_t r) { return reinterpret_cast<const T*>(values + r * valueSteps.rowStep); };
    alignas(64) T together[LineSums<T>::kMost];
    for (std::int64_t r = 0, end = 0; r < indices.rows; r = end) {
        T* to = target(r);
        for (end = r + 1; end < indices.rows && target(end) == to; ++end) {
            const T *sum = end == r + 1 ? added(r) : together, *row = added(end);
#pragma omp simd
            for (std::int64_t i = 0; i < indices.n; ++i) together[i] = sum[i] + row[i];
        }
        sums.add(to, end == r + 1 ? added(r) : together);
    }
    return true;
}

template <class Element, class Value>
void accumulateRows(char* tensor, const TileIndices& indices, const char* values, Strided valueSteps,
                    [[maybe_unused]] char* memory) {
    if constexpr (std::is_same_v<Element, Value> && kShuffled < Element >> 1)
        if (accumulateLines<Element>(tensor, indices, values, valueSteps, memory)) return;
    const std::int64_t n = indices.n, step = indices.steps.step / static_cast<std::int64_t>(sizeof(Element));
    const std::int64_t valueStep = valueSteps.step / static_cast<std::int64_t>(sizeof(Value));
    const RowOffsets offsets(indices);
    RowLines lines(offsets, n);
    for (std::int64_t r = 0; r < indices.rows; ++r, tensor += indices.steps.rowStep, values += valueSteps.rowStep) {
        Element* to = reinterpret_cast<Element*>(tensor) + offsets.shared(r);
        const Value* added = reinterpret_cast<const Value*>(values);
        if (offsets.count == 0 && step == 1 && valueStep == 1) {
#pragma omp simd
            for (std::int64_t i = 0; i < n; ++i) to[i] = plus(to[i], added[i]);
        } else if (offsets.count == 0 && step != 0) {
            for (std::int64_t i = 0; i < n; ++i) to[i * step] = plus(to[i * step], added[i * valueStep]);
        } else if (lines.any() && step == 0) {
            const std::int64_t* line = lines.of(r);
            accumulateElements(to, added, valueStep, n, [=](std::int64_t i) { return line[i]; });
        } else {
            accumulateElements(to, added, valueStep, n, [&](std::int64_t i) { return offsets.at(r, i) + i * step; });
        }
    }
}

inline GatherFunction gatherOf(DType dtype) {
    return withElements<GatherFunction>(dtype, [](auto* element, auto* computeType) -> GatherFunction {
        return gatherRows<std::remove_pointer_t<decltype(computeType)>, std::remove_pointer_t<decltype(element)>>;
    });
}

constexpr std::int64_t kAccumulateMemory = std::max(sizeof(LineSums<float>), sizeof(LineSums<double>));

inline AccumulateFunction accumulateOf(DType dtype) {
    return withElements<AccumulateFunction>(dtype, [](auto* element, auto* computeType) -> AccumulateFunction {
        return accumulateRows<std::remove_pointer_t<decltype(element)>, std::remove_pointer_t<decltype(computeType)>>;
    });
}

}  // namespace aotscope::CPU_CAPABILITY
