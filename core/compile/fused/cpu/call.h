#pragma once

#include "compile/fused/cpu/functions.h"
#include "compile/fused/cpu/program.h"
#include "compile/fused/cpu/tiling.h"

#include <c10/core/Scalar.h>

namespace aotscope {

/// What is known about an instruction before the first call.
struct CpuOperation {
    MapFunction map = nullptr;  ///< combines two results of a reduction
    CopyFunction load = nullptr;
    GatherFunction gather = nullptr;
    ReduceFunction reduceRows = nullptr, reduceColumns = nullptr;
    std::int64_t size = 0;  ///< bytes per element of the result
};

struct CpuPlan {
    Kernel kernel;
    std::vector<CpuOperation> operations;
    std::vector<CopyFunction> stores;               ///< by output; null: see below
    std::vector<AccumulateFunction> accumulations;  ///< by output; null: it is stored
    std::vector<int> lastUse;  ///< by instruction: the last one that reads its result; outputs after all
    CpuProgram whole, again;   ///< for tiles that cover all reduced positions; for all others
    double cost = 0;           ///< per element
};
CpuPlan makeCpuPlan(Kernel kernel);

/// The axes of a tile along which a value varies; a set of these.
using Extent = std::uint8_t;
constexpr Extent kOne = 0, kRows = 1, kColumns = 2, kTile = 3;

/// How a tile accesses a tensor.
struct TileTensor {
    char* data = nullptr;
    Strided steps;
};

/// A dimension whose elements are selected by indices; the stride in elements.
struct IndexedSize {
    std::int64_t size = 0, stride = 0;
};

/// A value that does not vary along both axes of a tile, and therefore stays for several.
struct Lasting {
    int place = -1;     ///< among those that stay; -1: it does not
    bool once = false;  ///< it is computed once for all positions of
    int loop = -1;      ///< the kept loop that it depends on; -1: of none
};

/// Memory to prefetch while a slow operation is computed.
struct Fetch {
    int tensor = -1;
    bool nextTile = false;  ///< what the next tile needs, not this one
    std::int64_t size = 0;  ///< bytes per element
};

/// A plan bound to the tensors of one call, shared by all threads.
struct CpuCall {
    CpuCall(const CpuPlan& plan, c10::ArrayRef<at::Tensor> inputs, c10::ArrayRef<c10::Scalar> numbers,
            c10::ArrayRef<at::Tensor> outputs);

    const CpuPlan& plan;
    c10::ArrayRef<c10::Scalar> numbers;
    Tiling tiling;
    const CpuProgram& program;
    std::vector<TileTensor> tensors;   ///< inputs, then outputs
    std::vector<Extent> extents;       ///< by instruction
    std::vector<std::uint32_t> loops;  ///< by instruction: the kept loops that its value depends on, as bits
    std::vector<Lasting> lasting;      ///< by instruction
    std::int64_t lastingCount = 0, lastingLine = 0;  ///< how many values stay, and how many elements each has at most
    std::vector<char> direct;                        ///< by instruction: a load that is read in place
    std::vector<int> written;                        ///< by instruction: the output that it is computed into, or -1
    std::vector<std::array<Fetch, 3>> fetches;       ///< by instruction
    std::int64_t tile = 0;                           ///< the most elements of a tile,
    std::int64_t line = 0;                           ///< and of a value for kept positions

    /// What threads run on their own, and the blocks of each, in order: only kernels that accumulate have several.
    std::int64_t parts = 1, blocksOfPart = 1;
    std::int64_t blockAt(std::int64_t part, std::int64_t place) const;

    std::vector<std::vector<IndexedSize>> indexedSizes;  ///< by tensor
    /// That of the dimension which `offset` indexes.
    const IndexedSize& indexedSize(const Instruction& offset) const {
        const std::size_t inputs = plan.kernel.inputs.size();
        const std::size_t tensor = offset.index >= 0 ? static_cast<std::size_t>(offset.index)
                                                     : inputs + static_cast<std::size_t>(-1 - offset.index);
        return indexedSizes[tensor].at(static_cast<std::size_t>(offset.indexed));
    }

    /// Whether the tensor's elements are equally far apart along columns.
    bool isStrided(std::size_t tensor) const;

private:
    void chooseExtents();
    void chooseLasting();
    bool isWorthALine(std::size_t loop) const;
    Extent fullExtent() const;
    std::uint32_t loopsOf(std::size_t tensor) const;
    void chooseDirect(c10::ArrayRef<at::Tensor> inputs, c10::ArrayRef<at::Tensor> outputs);
    void chooseFetches();
};

}  // namespace aotscope
