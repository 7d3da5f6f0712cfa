#pragma once

#include "compile/fused/kernel.h"

#include <cstdint>

namespace aotscope {

/// One operand of an operation on a tile, which is a number of rows of `n` elements.
struct TileOperand {
    const char* data = nullptr;
    std::int64_t rowStep = 0;  ///< bytes from a row to the next; 0: all are the same
    bool varies = true;        ///< along a row, without gaps; else a row is its first element repeated
};

/// out[r][i] = f(a[r][i], ...). The rows of the result have no gaps; it may be one of the operands.
using MapFunction = void (*)(char* out, std::int64_t outStep, const TileOperand* operands, std::int64_t rows,
                             std::int64_t n);
/// accumulators[r] or accumulators[i] = f(itself, all a[r][i]); the operand varies along rows.
using ReduceFunction = void (*)(char* accumulators, const TileOperand& operand, std::int64_t rows, std::int64_t n);

/// Elements in memory, at any distances in bytes.
struct Strided {
    std::int64_t rowStep = 0;
    std::int64_t step = 0;
};
using CopyFunction = void (*)(char* to, Strided toSteps, const char* from, Strided fromSteps, std::int64_t rows,
                              std::int64_t n);

/// The operations, compiled for one set of vector instructions. Null where there is none for these types.
struct CpuFunctions {
    MapFunction (*map)(Opcode op, Lane result, Lane operand);
    MapFunction (*narrow)(Lane lane, DType dtype);
    CopyFunction (*load)(DType dtype);   ///< from a tensor to laneOf(dtype)
    CopyFunction (*store)(DType dtype);  ///< back
    ReduceFunction (*reduceRows)(Opcode op, Lane lane);
    ReduceFunction (*reduceColumns)(Opcode op, Lane lane);
};

/// Those for the processor's vector instructions that LibTorch itself uses.
const CpuFunctions& cpuFunctions();

}  // namespace aotscope
