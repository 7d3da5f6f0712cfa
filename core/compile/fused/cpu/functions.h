#pragma once

#include "compile/fused/kernel.h"

#include <array>
#include <cstdint>

namespace aotscope {

/// One operand of an operation on a tile, which has a number of rows of `n` elements.
struct TileOperand {
    const char* data = nullptr;
    std::int64_t rowStep = 0;  ///< bytes from one row to the next; 0: all rows are the same
    bool varies = true;        ///< along a row, without gaps; otherwise a row repeats its first element
};

/// One operation on a tile: out[r][i] = f(in[0][r][i], ...). The rows of the result have no gaps; it may be one of the
/// operands.
struct TileMap {
    char* out = nullptr;
    std::int64_t outStep = 0;  ///< bytes from one row to the next
    std::array<TileOperand, 3> in{};
    std::int64_t rows = 1, n = 0;
    /// Memory that later operations read and write, as many bytes; slow operations prefetch it. Null: nothing.
    std::array<const char*, 3> ahead{};
};
using MapFunction = void (*)(const TileMap& map);
/// accumulators[r] or accumulators[i] = f(itself, all a[r][i]); the operand varies along rows.
using ReduceFunction = void (*)(char* accumulators, const TileOperand& operand, std::int64_t rows, std::int64_t n);

/// Elements in memory with arbitrary strides in bytes.
struct Strided {
    std::int64_t rowStep = 0;
    std::int64_t step = 0;
};
using CopyFunction = void (*)(char* to, Strided toSteps, const char* from, Strided fromSteps, std::int64_t rows,
                              std::int64_t n);

/// Where the elements of a tile are in a tensor: in row r and column i, at the sum of offsets[k][r][i] elements and of
/// the steps. Offsets without data are those of unused operands.
struct TileIndices {
    std::array<TileOperand, 3> offsets{};
    Strided steps;
    std::int64_t rows = 1, n = 0;
};
using GatherFunction = void (*)(char* to, std::int64_t toStep, const char* tensor, const TileIndices& indices);
/// Adds values in order. `memory` is for what is remembered from one tile to the next; it begins with zeros.
using AccumulateFunction = void (*)(char* tensor, const TileIndices& indices, const char* values, Strided valueSteps,
                                    char* memory);

/// The operations, compiled for one instruction set. Null where an operation does not support these types.
struct CpuFunctions {
    MapFunction (*map)(Opcode op, ComputeType result, ComputeType operand);
    MapFunction (*narrow)(ComputeType computeType, DType dtype);
    CopyFunction (*load)(DType dtype);   ///< from a tensor to computeTypeOf(dtype)
    CopyFunction (*store)(DType dtype);  ///< back
    GatherFunction (*gather)(DType dtype);
    AccumulateFunction (*accumulate)(DType dtype);
    std::int64_t memoryOfAccumulate;  ///< bytes, aligned to 64
    ReduceFunction (*reduceRows)(Opcode op, ComputeType computeType);
    ReduceFunction (*reduceColumns)(Opcode op, ComputeType computeType);
};

/// Those for the CPU instruction set that LibTorch itself uses.
const CpuFunctions& cpuFunctions();

}  // namespace aotscope
