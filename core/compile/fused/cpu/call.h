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
    ReduceFunction reduceRows = nullptr, reduceColumns = nullptr;
    std::int64_t size = 0;  ///< bytes per element of the result
};

struct CpuPlan {
    Kernel kernel;
    std::vector<CpuOperation> operations;
    std::vector<CopyFunction> stores;  ///< by output
    std::vector<int> lastUse;          ///< by instruction: the last one that reads its result; outputs after all
    CpuProgram whole, again;           ///< for tiles that cover all reduced positions; for all others
    double cost = 0;                   ///< per element
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
    std::vector<TileTensor> tensors;            ///< inputs, then outputs
    std::vector<Extent> extents;                ///< by instruction
    std::vector<char> direct;                   ///< by instruction: a load that is read in place
    std::vector<int> written;                   ///< by instruction: the output that it is computed into, or -1
    std::vector<std::array<Fetch, 3>> fetches;  ///< by instruction
    std::int64_t tile = 0;                      ///< the most elements of a tile,
    std::int64_t line = 0;                      ///< and of a value for kept positions

private:
    void chooseExtents();
    void chooseDirect(c10::ArrayRef<at::Tensor> inputs, c10::ArrayRef<at::Tensor> outputs);
    void chooseFetches();
};

}  // namespace aotscope
