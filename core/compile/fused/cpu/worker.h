#pragma once

#include "compile/fused/cpu/call.h"

#include <memory>

namespace aotscope {

/// Evaluates a call tile by tile in its own memory; one per thread.
class CpuWorker {
public:
    explicit CpuWorker(const CpuCall& call);

    /// All of one block of kept positions.
    void run(std::int64_t block);

    // The same in parts, for workers that share the reduced positions of a block.
    void enter(std::int64_t block);
    void begin(const ReductionSweep& sweep);
    void evaluate(const ReductionSweep& sweep, std::int64_t first, std::int64_t last);
    void takeResults(const CpuWorker& other);  ///< of earlier sweeps
    void combine(const ReductionSweep& sweep, const CpuWorker& other);
    void finish(const ReductionSweep& sweep);
    void leave();

private:
    struct Value {
        const char* data = nullptr;
        std::int64_t rowStep = 0;
    };

    void layOut();
    void locate(bool reduced, std::int64_t block);
    void evaluate(int instruction);
    void apply(int instruction);
    void evaluateNumber(int instruction);
    void lookAhead(int instruction, TileMap& map) const;
    void load(int instruction);
    void loadParts(int instruction);
    void gather(int instruction);
    void locatePositions(int instruction);
    void offset(int instruction);
    void computeLines();
    void computeLine(std::size_t loop);
    bool isStillThere(int instruction);
    TileOperand operandOf(Extent extent, int operand) const;
    TileIndices indicesOf(Extent extent, const std::array<std::int32_t, 3>& offsets, Strided steps) const;
    Value resultPlace(int instruction) const;
    void accumulate(int reduction);
    void settle(int reduction);
    void accumulateInto(int output);
    void store(int output, std::int64_t rows, std::int64_t columns);
    char* place(int instruction) const;
    std::int64_t lineOf(Extent extent) const;
    bool cascades(int reduction) const;
    double* totals(int reduction) const;
    void setIdentity(int reduction);

    const CpuCall& call_;
    const Kernel& kernel_;
    std::unique_ptr<char[]> memory_;
    char *tiles_ = nullptr, *scratch_ = nullptr, *kept_ = nullptr, *totals_ = nullptr, *lasting_ = nullptr;
    char* sums_ = nullptr;                                  ///< of what accumulates
    std::vector<std::int64_t> keptStarts_, reducedStarts_;  ///< by loop: the first position of the tile
    std::uint32_t moved_ = 0;                               ///< kept loops whose start is not that of the last tile
    std::vector<const char*> lines_;                        ///< by instruction: of a lasting value, the whole line
    std::vector<char> isThere_;                             ///< by instruction: a lasting value is computed
    std::int64_t rows_ = 1, columns_ = 1;                   ///< of the current tile
    std::vector<char*> blockData_;                          ///< by tensor: the start of the block of kept positions,
    std::vector<char*> tileData_;                           ///< and of the tile
    std::vector<Value> values_;                             ///< by instruction
};

}  // namespace aotscope
