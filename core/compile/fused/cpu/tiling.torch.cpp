#include "compile/fused/cpu/tiling.h"

#include <algorithm>

namespace aotscope {

namespace {

// Elements of a tile: few enough for several values to stay in the L1 cache, enough to amortize the cost of an
// instruction.
constexpr std::int64_t kTileElements = 1024;
constexpr std::int64_t kRow = 2048;
// Up to this length, a row is computed as a whole, which avoids computing it again in each sweep.
constexpr std::int64_t kWholeRow = 16384;
constexpr std::int64_t kFew = 16;
// Shorter innermost loops are merged with the next ones where these are not long.
constexpr std::int64_t kShortLoop = 32, kLongestMerged = 2048;
// Merging pays if the values that follow from positions serve at least as many tiles.
constexpr std::int64_t kFewestUses = 4;
// Bytes of the largest element.
constexpr std::int64_t kElement = 8;

/// Pieces of about the same size, at most `most`.
std::int64_t evenStep(std::int64_t size, std::int64_t most) {
    const std::int64_t pieces = std::max<std::int64_t>(1, (size + most - 1) / most);
    return std::min(size, ((size + pieces - 1) / pieces + kFew - 1) / kFew * kFew);
}

/// Whether positions of `a` are closer in memory than those of `b`; outputs decide first.
bool faster(const Loop& a, const Loop& b) {
    // What is accumulated into is read and written most often: its neighbours are along the indices, unless they are
    // along this loop.
    if (a.sequential != b.sequential) {
        const bool isDense = (a.sequential ? b : a).bytes.back() <= kElement;
        return a.sequential != isDense;
    }
    for (std::size_t t = a.bytes.size(); t-- > 0;)
        if (a.bytes[t] != 0 && b.bytes[t] != 0 && a.bytes[t] != b.bytes[t]) return a.bytes[t] < b.bytes[t];
    return false;
}

bool continues(const Loop& fast, const Loop& slow) {
    if (fast.dimension >= 0 || slow.dimension >= 0 || fast.sequential != slow.sequential) return false;
    for (std::size_t t = 0; t < fast.bytes.size(); ++t)
        if (slow.bytes[t] != fast.bytes[t] * fast.size) return false;
    return true;
}

void orderLoops(std::vector<Loop>& loops) {
    for (std::size_t i = 1; i < loops.size(); ++i)
        for (std::size_t j = i; j > 0 && faster(loops[j], loops[j - 1]); --j) std::swap(loops[j], loops[j - 1]);
    std::size_t last = 0;
    for (std::size_t i = 1; i < loops.size(); ++i) {
        if (continues(loops[last], loops[i])) loops[last].size *= loops[i].size;
        else if (++last != i) loops[last] = std::move(loops[i]);
    }
    if (!loops.empty()) loops.resize(last + 1);
}

class TilingBuilder {
public:
    TilingBuilder(const Kernel& kernel, std::size_t sweeps, c10::ArrayRef<at::Tensor> inputs,
                  c10::ArrayRef<at::Tensor> outputs)
        : kernel_(kernel), sweeps_(sweeps), inputs_(inputs), outputs_(outputs) {}

    Tiling build() {
        collectLoops();
        if (tiling_.keptBlocks == 0) return std::move(tiling_);
        orderLoops(tiling_.kept);
        orderLoops(tiling_.reduced);
        while (mergesInnermost()) mergeInnermost();
        chooseAxes();
        if (tiling_.columns.there) chooseSteps();
        for (const Loop& loop : tiling_.kept) tiling_.keptBlocks *= loop.blocks();
        for (const Loop& loop : tiling_.reduced) tiling_.reducedBlocks *= loop.blocks();
        return std::move(tiling_);
    }

private:
    const at::Tensor& tensor(std::size_t t) const {
        return t < inputs_.size() ? inputs_[t] : outputs_[t - inputs_.size()];
    }

    /// Whether instructions need the position along a dimension.
    bool isCounted(int dimension) const {
        return std::any_of(kernel_.code.begin(), kernel_.code.end(), [&](const Instruction& instruction) {
            return instruction.op == Opcode::position && instruction.dimension == dimension;
        });
    }

    void collectLoops() {
        const std::size_t count = inputs_.size() + outputs_.size();
        for (int dim = kernel_.rank - 1; dim >= 0; --dim) {
            Loop loop;
            for (std::size_t t = 0; t < count; ++t) {
                const std::int64_t size = tensor(t).size(dim);
                if (size != 1) loop.size = size;
                loop.bytes.push_back(size == 1 ? 0 : tensor(t).stride(dim) * tensor(t).element_size());
            }
            if (isCounted(dim)) loop.dimension = dim;
            loop.sequential = std::binary_search(kernel_.sequential.begin(), kernel_.sequential.end(), dim);
            const bool reduced = std::binary_search(kernel_.reduced.begin(), kernel_.reduced.end(), dim);
            if (loop.size == 0) (reduced ? tiling_.reducedBlocks : tiling_.keptBlocks) = 0;
            else if (loop.size != 1) (reduced ? tiling_.reduced : tiling_.kept).push_back(std::move(loop));
        }
    }

    /// Whether the tensor is only read, and by loads: these can follow several loops at once.
    bool isOnlyLoaded(std::size_t t) const {
        return t < inputs_.size() && std::none_of(kernel_.code.begin(), kernel_.code.end(), [&](const Instruction& it) {
                   return it.op == Opcode::gather && static_cast<std::size_t>(it.index) == t;
               });
    }
    /// Whether the two innermost loops can be one: tensors that do not continue from one to the other depend on nothing
    /// else.
    bool mergesInnermost() const {
        const auto& kept = tiling_.kept;
        if (!kernel_.reduced.empty() || kept.size() < 3 || kept[0].size >= kShortLoop) return false;
        if (kept[0].sequential != kept[1].sequential || kept[0].size * kept[1].size > kLongestMerged) return false;
        std::int64_t uses = 1;
        for (std::size_t l = 2; l < kept.size(); ++l) uses *= kept[l].size;
        if (uses < kFewestUses) return false;
        for (std::size_t t = 0; t < kept[0].bytes.size(); ++t) {
            if (kept[0].isStrided(t) && kept[1].bytes[t] == kept[0].bytes[t] * kept[0].size) continue;
            for (std::size_t l = 2; l < kept.size(); ++l)
                if (kept[l].bytes[t] != 0) return false;
            if (!isOnlyLoaded(t)) return false;
        }
        return true;
    }
    void mergeInnermost() {
        Loop inner = std::move(tiling_.kept[0]), outer = std::move(tiling_.kept[1]);
        Loop both;
        both.sequential = inner.sequential;
        both.size = inner.size * outer.size;
        if (inner.parts.empty()) both.parts.push_back(std::move(inner));
        else both.parts = std::move(inner.parts);
        both.parts.push_back(std::move(outer));
        for (std::size_t t = 0; t < both.parts[0].bytes.size(); ++t)
            both.bytes.push_back(both.isStrided(t) ? both.parts[0].bytes[t] : 0);
        tiling_.kept.erase(tiling_.kept.begin());
        tiling_.kept.front() = std::move(both);
    }

    /// Columns are the innermost loop; rows are the next one or, in a reduction, a loop of the other kind.
    void chooseAxes() {
        const auto &kept = tiling_.kept, &reduced = tiling_.reduced;
        if (kept.empty() && reduced.empty()) return;
        bool along = kept.empty();
        if (!kept.empty() && !reduced.empty()) {
            along = !faster(kept[0], reduced[0]);
            const Loop &inner = along ? reduced[0] : kept[0], &outer = along ? kept[0] : reduced[0];
            if (inner.size < kFew && outer.size > inner.size) along = !along;
        }
        tiling_.columns = {true, along, 0};
        if (kernel_.reduced.empty()) tiling_.rows = {kept.size() > 1, false, rowsLoop()};
        else tiling_.rows = {!kept.empty() && !reduced.empty(), !along, 0};
    }

    /// The next one, unless both are short and another is longer, or tensors that are indexed with others are dense
    /// along another.
    int rowsLoop() const {
        const auto& kept = tiling_.kept;
        for (std::size_t l = 1; l < kept.size() && indexes(); ++l)
            for (std::size_t t = 0; t < inputs_.size(); ++t)
                if (isSparse(t) && kept[l].bytes[t] != 0 && kept[l].bytes[t] <= kElement) return static_cast<int>(l);
        std::size_t best = 1;
        if (kept.size() > 2 && kept[0].size * kept[1].size <= kTileElements / 4)
            for (std::size_t l = 2; l < kept.size(); ++l)
                if (kept[l].size > kept[best].size) best = l;
        return static_cast<int>(best);
    }
    /// Whether neighbouring columns of an input are far apart in memory.
    bool isSparse(std::size_t input) const {
        const at::Tensor& tensor = inputs_[input];
        const bool isIndexed = tensor.dim() > kernel_.rank && tensor.stride(-1) != 1 && tensor.size(-1) != 1;
        return isIndexed || tiling_.kept[0].bytes[input] > kElement;
    }
    bool indexes() const {
        return std::any_of(kernel_.code.begin(), kernel_.code.end(),
                           [](const Instruction& instruction) { return instruction.op == Opcode::offset; });
    }

    /// Values are accumulated faster where several rows have the same offsets.
    std::int64_t longestRow() const { return kernel_.sequential.empty() ? kTileElements : kTileElements / 4; }

    bool gathers() const {
        for (std::size_t t = 0; t < inputs_.size() + outputs_.size(); ++t)
            if (const std::int64_t bytes = tiling_.bytes(tiling_.columns, t);
                bytes != 0 && bytes != tensor(t).element_size())
                return true;
        return false;
    }

    void chooseSteps() {
        Loop none;
        Loop& columns = (tiling_.columns.reduced ? tiling_.reduced : tiling_.kept)[0];
        Loop& rows =
            tiling_.rows.there ? (tiling_.rows.reduced ? tiling_.reduced : tiling_.kept)[tiling_.rows.loop] : none;
        std::int64_t tile = kRow;
        if (kernel_.reduced.empty()) {
            tile = kernel_.sequential.empty() ? kTileElements : 2 * kTileElements;
            // Blocks of a transposed operand use all of each cache line they touch.
            columns.step = tiling_.rows.there && gathers() ? std::min<std::int64_t>(columns.size, tile / 32)
                                                           : evenStep(columns.size, longestRow());
        } else if (tiling_.columns.reduced) {
            const bool whole = tiling_.reduced.size() == 1 && columns.size <= (sweeps_ > 1 ? kWholeRow : kRow);
            columns.step = whole ? columns.size : evenStep(columns.size, kRow);
        } else if (sweeps_ > 1 && tiling_.reduced.size() == 1 && rows.size <= kWholeRow / kFew) {
            columns.step = std::min(columns.size, std::max(kFew, kRow / rows.size / kFew * kFew));
            rows.step = rows.size;
            return;
        } else {
            columns.step = evenStep(columns.size, 2 * kRow);
        }
        rows.step = std::clamp<std::int64_t>(tile / columns.step, 1, rows.size);
    }

    const Kernel& kernel_;
    std::size_t sweeps_;
    c10::ArrayRef<at::Tensor> inputs_, outputs_;
    Tiling tiling_;
};

}  // namespace

bool Loop::counts(int along) const {
    return parts.empty()
               ? dimension == along
               : std::any_of(parts.begin(), parts.end(), [&](const Loop& part) { return part.counts(along); });
}

void Loop::positions(int along, std::int64_t start, std::int64_t count, std::int64_t* to) const {
    std::int64_t inner = 1, length = size;  // neighbours at one position, and positions
    for (const Loop& part : parts) {
        length = part.size;
        if (part.dimension == along) break;
        inner *= part.size;
    }
    std::int64_t at = start / inner % length, left = inner - start % inner;
    for (std::int64_t i = 0; i < count; ++i) {
        to[i] = at;
        if (--left > 0) continue;
        left = inner;
        if (++at == length) at = 0;
    }
}

bool Loop::isStrided(std::size_t tensor) const {
    for (std::size_t i = 1; i < parts.size(); ++i)
        if (parts[i].bytes[tensor] != parts[i - 1].bytes[tensor] * parts[i - 1].size) return false;
    return true;
}

std::int64_t Loop::bytesAt(std::size_t tensor, std::int64_t at) const {
    if (parts.empty()) return at * bytes[tensor];
    std::int64_t sum = 0;
    for (const Loop& part : parts) {
        sum += at % part.size * part.bytes[tensor];
        at /= part.size;
    }
    return sum;
}

Tiling makeTiling(const Kernel& kernel, std::size_t sweeps, c10::ArrayRef<at::Tensor> inputs,
                  c10::ArrayRef<at::Tensor> outputs) {
    return TilingBuilder(kernel, sweeps, inputs, outputs).build();
}

}  // namespace aotscope
