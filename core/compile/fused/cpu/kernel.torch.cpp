#include "compile/fused/cpu/parallel.h"
#include "compile/fused/cpu/worker.h"
#include "compile/fused/fused_kernel.h"

#include <ATen/Parallel.h>

#include <algorithm>

namespace aotscope {

namespace {

// Elements times cost that justify waking up another thread.
constexpr double kGrain = 200000;
// At most this many workers share the reduced positions of a block; their results are combined in order.
constexpr std::int64_t kParts = 16;

std::int64_t grainOf(double costOfOne) {
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(kGrain / costOfOne));
}

void shareReduction(const CpuCall& call, std::int64_t grain) {
    const std::int64_t tiles = call.tiling.reducedBlocks, parts = std::clamp<std::int64_t>(tiles / grain, 1, kParts);
    std::vector<std::unique_ptr<CpuWorker>> blocks;
    for (std::int64_t block = 0; block < call.tiling.keptBlocks; ++block) {
        blocks.push_back(std::make_unique<CpuWorker>(call));
        blocks.back()->enter(block);
    }
    for (const ReductionSweep& sweep : call.program.sweeps) {
        std::vector<std::unique_ptr<CpuWorker>> workers(blocks.size() * parts);
        parallelFor(static_cast<std::int64_t>(workers.size()), 1, [&](std::int64_t first, std::int64_t last) {
            for (std::int64_t i = first; i < last; ++i) {
                const std::int64_t block = i / parts, part = i % parts;
                workers[i] = std::make_unique<CpuWorker>(call);
                CpuWorker& worker = *workers[i];
                worker.enter(block);
                worker.takeResults(*blocks[block]);
                worker.begin(sweep);
                worker.evaluate(sweep, tiles * part / parts, tiles * (part + 1) / parts);
            }
        });
        for (std::size_t block = 0; block < blocks.size(); ++block) {
            blocks[block]->begin(sweep);
            for (std::int64_t part = 0; part < parts; ++part)
                blocks[block]->combine(sweep, *workers[block * parts + part]);
            blocks[block]->finish(sweep);
        }
    }
    for (const auto& block : blocks) block->leave();
}

class CpuKernel final : public FusedKernel {
public:
    explicit CpuKernel(Kernel kernel) : plan_(makeCpuPlan(std::move(kernel))) {}

    void run(c10::ArrayRef<at::Tensor> inputs, c10::ArrayRef<c10::Scalar> numbers,
             c10::ArrayRef<at::Tensor> outputs) const override {
        const CpuCall call(plan_, inputs, numbers, outputs);
        const Tiling& tiling = call.tiling;
        if (tiling.keptBlocks == 0) return;
        const double tileCost = plan_.cost * static_cast<double>(call.tile);
        const double blockCost = tileCost * static_cast<double>(std::max<std::int64_t>(1, tiling.reducedBlocks));
        const std::int64_t threads = at::get_num_threads();
        const bool uneven = tiling.keptBlocks < 4 * threads && tiling.keptBlocks % threads != 0;
        if (!plan_.kernel.sequential.empty()) {
            const double cost = blockCost * static_cast<double>(call.blocksOfPart);
            return parallelFor(call.parts, grainOf(cost), [&](std::int64_t first, std::int64_t last) {
                CpuWorker worker(call);
                for (std::int64_t part = first; part < last; ++part)
                    for (std::int64_t i = 0; i < call.blocksOfPart; ++i) worker.run(call.blockAt(part, i));
            });
        }
        if (uneven && blockCost > 2 * kGrain && tiling.reducedBlocks > 1)
            return shareReduction(call, grainOf(tileCost));
        parallelFor(tiling.keptBlocks, grainOf(blockCost), [&](std::int64_t first, std::int64_t last) {
            CpuWorker worker(call);
            for (std::int64_t block = first; block < last; ++block) worker.run(block);
        });
    }

private:
    CpuPlan plan_;
};

}  // namespace

std::unique_ptr<FusedKernel> makeCpuKernel(Kernel kernel) { return std::make_unique<CpuKernel>(std::move(kernel)); }

}  // namespace aotscope
