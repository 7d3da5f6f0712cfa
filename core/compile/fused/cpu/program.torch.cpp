#include "compile/fused/cpu/program.h"

#include <map>

namespace aotscope {

namespace {

class ProgramBuilder {
public:
    ProgramBuilder(const Kernel& kernel, bool again)
        : kernel_(kernel), again_(again), kept_(keptOnly(kernel)), stages_(stagesOf(kernel)) {}

    CpuProgram build() {
        program_.sweeps.resize(1);
        placeOutputs();
        placeInstructions();
        if (again_) repeatInstructions();
        placeResults();
        return std::move(program_);
    }

private:
    ReductionSweep& sweep(int stage) {
        if (program_.sweeps.size() <= static_cast<std::size_t>(stage)) program_.sweeps.resize(stage + 1);
        return program_.sweeps[stage];
    }

    void placeOutputs() {
        for (int i = 0; i < static_cast<int>(kernel_.outputs.size()); ++i) {
            const int value = kernel_.outputs[i].value;
            if (kept_[value] && !kernel_.reduced.empty()) program_.keptOutputs.push_back(i);
            else sweep(stages_[value]).outputs.push_back(i);
        }
    }

    void placeInstructions() {
        for (int i = 0; i < static_cast<int>(kernel_.code.size()); ++i) {
            const int stage = stages_[i];
            if (isReduction(kernel_.code[i].op)) sweep(stage - 1).reductions.push_back(i);
            else if (!kept_[i]) sweep(stage).varying.push_back(i);
            else if (stage == 0) program_.before.push_back(i);
            else sweep(stage - 1).after.push_back(i);
        }
    }

    void repeatInstructions() {
        for (ReductionSweep& sweep : program_.sweeps) {
            std::vector<bool> needed(kernel_.code.size());
            for (int reduction : sweep.reductions) needed[reduction] = true;
            for (int output : sweep.outputs) needed[kernel_.outputs[output].value] = true;
            for (int i = static_cast<int>(needed.size()) - 1; i >= 0; --i)
                for (int operand : kernel_.code[i].operands)
                    if (needed[i] && operand >= 0 && !isReduction(kernel_.code[operand].op)) needed[operand] = true;
            sweep.varying.clear();
            for (int i = 0; i < static_cast<int>(needed.size()); ++i)
                if (needed[i] && !kept_[i]) sweep.varying.push_back(i);
        }
    }

    /// By instruction: the last moment at which its result is read. Moments count instructions and ends of sweeps.
    std::vector<int> lastUses() const {
        std::vector<int> last(kernel_.code.size(), -1);
        int moment = 0;
        for (const ReductionSweep& sweep : program_.sweeps) {
            for (int i : sweep.varying) {
                for (int operand : kernel_.code[i].operands)
                    if (operand >= 0) last[operand] = moment;
                ++moment;
            }
            for (int i : sweep.reductions) last[kernel_.code[i].operands[0]] = moment;
            for (int output : sweep.outputs) {
                last[kernel_.outputs[output].value] = moment;
                for (int offset : kernel_.outputs[output].offsets)
                    if (offset >= 0) last[offset] = moment;
            }
            ++moment;
        }
        return last;
    }

    /// Reuses the slots of results of the same size that are no longer read.
    void placeResults() {
        program_.slot.assign(kernel_.code.size(), -1);
        program_.keptSlot.assign(kernel_.code.size(), -1);
        for (int i = 0; i < static_cast<int>(kernel_.code.size()); ++i)
            if (kept_[i]) program_.keptSlot[i] = static_cast<int>(program_.keptSlots++);

        const std::vector<int> last = lastUses();
        std::map<std::int64_t, std::vector<std::int64_t>> unused;  // by size
        std::vector<int> live;
        int moment = 0;
        for (const ReductionSweep& sweep : program_.sweeps) {
            for (int i : sweep.varying) {
                if (program_.slot[i] < 0) {
                    program_.slot[i] = takePlace(storedSize(kernel_.code[i].computeType), unused);
                    live.push_back(i);
                }
                // Only now: a result must not overwrite operands of other sizes or steps.
                std::erase_if(live, [&](int value) {
                    if (last[value] > moment) return false;
                    unused[storedSize(kernel_.code[value].computeType)].push_back(program_.slot[value]);
                    return true;
                });
                ++moment;
            }
            ++moment;
        }
    }

    std::int64_t takePlace(std::int64_t size, std::map<std::int64_t, std::vector<std::int64_t>>& unused) {
        auto& places = unused[size];
        if (!places.empty()) {
            const std::int64_t place = places.back();
            places.pop_back();
            return place;
        }
        program_.slotBytes += size;
        return program_.slotBytes - size;
    }

    const Kernel& kernel_;
    bool again_;
    std::vector<bool> kept_;
    std::vector<int> stages_;
    CpuProgram program_;
};

}  // namespace

CpuProgram makeCpuProgram(const Kernel& kernel, bool again) { return ProgramBuilder(kernel, again).build(); }

}  // namespace aotscope
