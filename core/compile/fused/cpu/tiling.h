#pragma once

#include "compile/fused/kernel.h"

#include <ATen/core/Tensor.h>
#include <c10/util/SmallVector.h>

#include <cstdint>
#include <vector>

namespace aotscope {

/// One or several dimensions of the space that are iterated as one.
struct Loop {
    int dimension = -1;       ///< of the space, if instructions need the position along it
    bool sequential = false;  ///< a single thread runs through it
    std::int64_t size = 1;
    std::int64_t step = 1;                    ///< positions per tile
    c10::SmallVector<std::int64_t, 8> bytes;  ///< by tensor (inputs, then outputs): from one position to the next
    /// If any: loops that are iterated as one although instructions need the positions along them, the innermost first.
    std::vector<Loop> parts;

    std::int64_t blocks() const { return (size + step - 1) / step; }
    bool counts(int dimension) const;  ///< whether positions along it differ
    /// The positions along it at `count` of the loop's, from `start` on.
    void positions(int dimension, std::int64_t start, std::int64_t count, std::int64_t* to) const;
    bool isStrided(std::size_t tensor) const;                         ///< otherwise `bytes` is zero
    std::int64_t bytesAt(std::size_t tensor, std::int64_t at) const;  ///< from the first position
};

/// One of the two axes of a tile.
struct TileAxis {
    bool there = false;
    bool reduced = false;
    int loop = 0;  ///< index in the kept or the reduced loops
};

/// How the space of one call is split into tiles of rows and columns. Memory is densest along the columns.
struct Tiling {
    std::vector<Loop> kept, reduced;  ///< the innermost first
    TileAxis rows, columns;
    std::int64_t keptBlocks = 1, reducedBlocks = 1;

    const Loop& loop(const TileAxis& axis) const { return (axis.reduced ? reduced : kept)[axis.loop]; }
    std::int64_t bytes(const TileAxis& axis, std::size_t tensor) const {
        return axis.there ? loop(axis).bytes[tensor] : 0;
    }
    std::int64_t step(const TileAxis& axis) const { return axis.there ? loop(axis).step : 1; }
};

Tiling makeTiling(const Kernel& kernel, std::size_t sweeps, c10::ArrayRef<at::Tensor> inputs,
                  c10::ArrayRef<at::Tensor> outputs);

}  // namespace aotscope
