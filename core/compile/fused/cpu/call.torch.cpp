#include "compile/fused/cpu/call.h"

#include "support/error.h"

#include <algorithm>
#include <limits>

namespace aotscope {

namespace {

bool takesLong(Opcode op) { return op >= Opcode::exp && op <= Opcode::sigmoid; }

/// The approximate number of vector instructions.
double costOf(Opcode op) {
    if (takesLong(op)) return 12;
    if (op >= Opcode::floorDivide && op <= Opcode::hypot) return 20;
    return 1;
}

Opcode combining(Opcode reduction) {
    switch (reduction) {
        case Opcode::reduceSum: return Opcode::add;
        case Opcode::reduceProd: return Opcode::mul;
        case Opcode::reduceMin: return Opcode::minimum;
        default: return Opcode::maximum;
    }
}

/// Longer lines of values that stay would not fit in the L2 cache.
constexpr std::int64_t kLongestLine = 2048;

constexpr int kAlways = std::numeric_limits<int>::max();

/// By instruction: the last one that reads its result; kAlways for outputs.
std::vector<int> lastUses(const Kernel& kernel) {
    std::vector<int> last(kernel.code.size());
    for (int i = 0; i < static_cast<int>(last.size()); ++i) {
        last[i] = i;
        for (int operand : kernel.code[i].operands)
            if (operand >= 0) last[operand] = i;
    }
    for (const KernelOutput& output : kernel.outputs) {
        last[output.value] = kAlways;
        for (const int offset : output.offsets)
            if (offset >= 0) last[offset] = kAlways;
    }
    return last;
}

CpuOperation operationOf(const Kernel& kernel, const Instruction& instruction) {
    const CpuFunctions& functions = cpuFunctions();
    CpuOperation operation;
    operation.size = storedSize(instruction.computeType);
    const ComputeType operand =
        instruction.operands[0] >= 0 ? kernel.code[instruction.operands[0]].computeType : instruction.computeType;
    bool known = true;
    if (instruction.op == Opcode::load) {
        const DType dtype = kernel.inputs[instruction.index];
        operation.load = functions.load(dtype);
        known = computeTypeOf(dtype) == instruction.computeType;
    } else if (instruction.op == Opcode::gather) {
        const DType dtype = kernel.inputs[instruction.index];
        operation.gather = functions.gather(dtype);
        known = computeTypeOf(dtype) == instruction.computeType && operand == ComputeType::i64;
    } else if (instruction.op == Opcode::offset || instruction.op == Opcode::position) {
        known = instruction.computeType == ComputeType::i64 && operand == ComputeType::i64;
    } else if (instruction.op == Opcode::narrow) {
        operation.map = functions.narrow(instruction.computeType, instruction.dtype);
        known = operation.map != nullptr;
    } else if (isReduction(instruction.op)) {
        operation.map = functions.map(combining(instruction.op), operand, operand);
        operation.reduceRows = functions.reduceRows(instruction.op, operand);
        operation.reduceColumns = functions.reduceColumns(instruction.op, operand);
        known = operation.reduceRows != nullptr && !kernel.reduced.empty();
    } else if (instruction.op != Opcode::number && instruction.op != Opcode::constant) {
        operation.map = functions.map(instruction.op, instruction.computeType, operand);
        known = operation.map != nullptr;
    }
    check(known, "a fused kernel's " + std::string(name(instruction.op)) + " has no such operands on the CPU");
    return operation;
}

}  // namespace

CpuPlan makeCpuPlan(Kernel kernel) {
    CpuPlan plan;
    for (const Instruction& instruction : kernel.code) {
        plan.operations.push_back(operationOf(kernel, instruction));
        plan.cost += costOf(instruction.op);
    }
    for (const KernelOutput& output : kernel.outputs) {
        check(computeTypeOf(output.dtype) == kernel.code[output.value].computeType,
              "an output of a fused kernel has another compute type");
        const bool stores = !output.accumulates();
        plan.stores.push_back(stores ? cpuFunctions().store(output.dtype) : nullptr);
        plan.accumulations.push_back(stores ? nullptr : cpuFunctions().accumulate(output.dtype));
    }
    plan.lastUse = lastUses(kernel);
    plan.whole = makeCpuProgram(kernel, false);
    plan.again = makeCpuProgram(kernel, true);
    plan.kernel = std::move(kernel);
    return plan;
}

CpuCall::CpuCall(const CpuPlan& madePlan, c10::ArrayRef<at::Tensor> inputs, c10::ArrayRef<c10::Scalar> givenNumbers,
                 c10::ArrayRef<at::Tensor> outputs)
    : plan(madePlan),
      numbers(givenNumbers),
      tiling(makeTiling(plan.kernel, plan.whole.sweeps.size(), inputs, outputs)),
      program(tiling.reducedBlocks == 1 ? plan.whole : plan.again) {
    for (std::size_t t = 0; t < inputs.size() + outputs.size(); ++t) {
        // Read-only memory is not written through this pointer.
        char* data = t < inputs.size() ? static_cast<char*>(const_cast<void*>(inputs[t].const_data_ptr()))
                                       : static_cast<char*>(outputs[t - inputs.size()].mutable_data_ptr());
        tensors.push_back({data, {tiling.bytes(tiling.rows, t), tiling.bytes(tiling.columns, t)}});
        const at::Tensor& tensor = t < inputs.size() ? inputs[t] : outputs[t - inputs.size()];
        auto& indexed = indexedSizes.emplace_back();
        for (std::int64_t d = plan.kernel.rank; d < tensor.dim(); ++d)
            indexed.push_back({tensor.size(d), tensor.stride(d)});
    }
    const std::int64_t rows = tiling.step(tiling.rows), columns = tiling.step(tiling.columns);
    tile = (rows * columns + 63) / 64 * 64 + 64;  // so that slots do not share their lowest address bits
    std::int64_t keptStep = 1;
    if (!plan.kernel.reduced.empty())
        for (const TileAxis& axis : {tiling.rows, tiling.columns})
            if (!axis.reduced) keptStep = std::max(keptStep, tiling.step(axis));
    line = (keptStep + 7) / 8 * 8;
    for (const Loop& loop : tiling.kept) (loop.sequential ? blocksOfPart : parts) *= loop.blocks();
    chooseExtents();
    chooseDirect(inputs, outputs);
    chooseLasting();
    chooseFetches();
}

void CpuCall::chooseExtents() {
    const auto keptOf = [](const TileAxis& axis, Extent extent) { return axis.there && !axis.reduced ? extent : kOne; };
    const auto kept = static_cast<Extent>(keptOf(tiling.rows, kRows) | keptOf(tiling.columns, kColumns));
    for (const Instruction& instruction : plan.kernel.code) {
        Extent extent = kOne;
        if (instruction.op == Opcode::position) {
            const auto along = [&](const TileAxis& axis, Extent whole) {
                return axis.there && tiling.loop(axis).counts(instruction.dimension) ? whole : kOne;
            };
            extent = static_cast<Extent>(along(tiling.rows, kRows) | along(tiling.columns, kColumns));
        } else if (readsInput(instruction.op)) {
            const Strided& steps = tensors[instruction.index].steps;
            const bool alongColumns = steps.step != 0 || !isStrided(static_cast<std::size_t>(instruction.index));
            extent = static_cast<Extent>((steps.rowStep != 0 ? kRows : kOne) | (alongColumns ? kColumns : kOne));
            for (int operand : instruction.operands)
                if (operand >= 0) extent = static_cast<Extent>(extent | extents[operand]);
        } else if (isReduction(instruction.op)) {
            extent = kept;
        } else {
            for (int operand : instruction.operands)
                if (operand >= 0) extent = static_cast<Extent>(extent | extents[operand]);
        }
        extents.push_back(extent);
    }
}

Extent CpuCall::fullExtent() const {
    return static_cast<Extent>((tiling.rows.there ? kRows : kOne) | (tiling.columns.there ? kColumns : kOne));
}

/// Otherwise only loads read it.
bool CpuCall::isStrided(std::size_t tensor) const {
    return !tiling.columns.there || tiling.loop(tiling.columns).isStrided(tensor);
}

std::uint32_t CpuCall::loopsOf(std::size_t tensor) const {
    std::uint32_t bits = 0;
    for (std::size_t l = 0; l < tiling.kept.size(); ++l)
        if (tiling.kept[l].bytes[tensor] != 0 || !tiling.kept[l].isStrided(tensor)) bits |= std::uint32_t{1} << l;
    return bits;
}

/// Whether values that depend on a kept loop alone are computed for all of its positions in advance. One by one, where
/// it is a loop over tiles: then they must be needed often.
bool CpuCall::isWorthALine(std::size_t loop) const {
    constexpr std::int64_t shortLoop = 64, often = 8;
    for (const TileAxis& axis : {tiling.rows, tiling.columns})
        if (axis.there && axis.loop == static_cast<int>(loop)) return tiling.kept[loop].size <= kLongestLine;
    std::int64_t repetitions = 1;
    for (std::size_t l = loop + 1; l < tiling.kept.size(); ++l) repetitions *= tiling.kept[l].blocks();
    return tiling.kept[loop].size <= shortLoop && repetitions >= often;
}

/// Values that do not vary along both axes of a tile are computed again only for tiles where they differ.
void CpuCall::chooseLasting() {
    const auto& code = plan.kernel.code;
    lasting.assign(code.size(), {});
    loops.assign(code.size(), 0);
    if (!plan.kernel.reduced.empty() || tiling.kept.size() > 31) return;
    const auto bit = [](std::size_t loop) { return std::uint32_t{1} << loop; };
    lastingLine = std::max(tiling.step(tiling.rows), tiling.step(tiling.columns));
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (readsInput(code[i].op)) loops[i] = loopsOf(static_cast<std::size_t>(code[i].index));
        for (std::size_t l = 0; l < tiling.kept.size() && code[i].op == Opcode::position; ++l)
            if (tiling.kept[l].counts(code[i].dimension)) loops[i] |= bit(l);
        for (int operand : code[i].operands)
            if (operand >= 0) loops[i] |= loops[operand];
        const bool isWhole = extents[i] == fullExtent() || loops[i] == bit(tiling.kept.size()) - 1;
        if (program.slot[i] < 0 || written[i] >= 0 || isWhole) continue;
        lasting[i].place = static_cast<int>(lastingCount++);
        lasting[i].once = loops[i] == 0;
        for (std::size_t l = 0; l < tiling.kept.size(); ++l) {
            if (loops[i] != bit(l) || !isWorthALine(l)) continue;
            lasting[i].once = true;
            lasting[i].loop = static_cast<int>(l);
            lastingLine = std::max(lastingLine, tiling.kept[l].size);
        }
    }
    lastingLine = (lastingLine + 7) / 8 * 8;
}

std::int64_t CpuCall::blockAt(std::int64_t part, std::int64_t place) const {
    std::int64_t block = 0, count = 1;
    for (const Loop& loop : tiling.kept) {
        std::int64_t& number = loop.sequential ? place : part;
        block += number % loop.blocks() * count;
        number /= loop.blocks();
        count *= loop.blocks();
    }
    return block;
}

/// Reads loads in place, and computes values into their output, where the elements are dense and no output overwrites
/// an input that is still read.
void CpuCall::chooseDirect(c10::ArrayRef<at::Tensor> inputs, c10::ArrayRef<at::Tensor> outputs) {
    const auto& code = plan.kernel.code;
    const auto overwritten = [&](std::int32_t input) {
        return std::any_of(tensors.begin() + static_cast<std::ptrdiff_t>(inputs.size()), tensors.end(),
                           [&](const TileTensor& output) { return output.data == tensors[input].data; });
    };

    direct.assign(code.size(), 0);
    written.assign(code.size(), -1);
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (code[i].op != Opcode::load || !storedAsComputed(plan.kernel.inputs[code[i].index])) continue;
        const Strided& steps = tensors[code[i].index].steps;
        const std::int64_t size = plan.operations[i].size;
        if (!isStrided(static_cast<std::size_t>(code[i].index))) continue;
        const bool dense = extents[i] == kRows ? steps.rowStep == size : steps.step == size || steps.step == 0;
        direct[i] = dense && !(plan.lastUse[i] == kAlways && overwritten(code[i].index));
    }

    const Extent full = fullExtent();
    for (std::size_t o = 0; o < outputs.size(); ++o) {
        const int value = plan.kernel.outputs[o].value;
        const TileTensor& tensor = tensors[inputs.size() + o];
        if (plan.kernel.outputs[o].accumulates()) continue;
        if (program.slot[value] < 0 || code[value].op == Opcode::load || written[value] >= 0) continue;
        if (extents[value] != full || !storedAsComputed(plan.kernel.outputs[o].dtype)) continue;
        if (tiling.columns.there && tensor.steps.step != plan.operations[value].size) continue;
        bool overwritesRead = false;
        for (std::size_t i = 0; i < code.size(); ++i)
            if (code[i].op == Opcode::load && tensors[code[i].index].data == tensor.data)
                overwritesRead |= plan.lastUse[i] > value;
        if (!overwritesRead) written[value] = static_cast<int>(o);
    }
}

/// In the order in which they are needed: first for the rest of this tile, then for the next one.
void CpuCall::chooseFetches() {
    fetches.resize(plan.kernel.code.size());
    for (const ReductionSweep& sweep : program.sweeps)
        for (std::size_t at = 0; at < sweep.varying.size(); ++at) {
            const int instruction = sweep.varying[at];
            if (!takesLong(plan.kernel.code[instruction].op)) continue;
            auto fetch = fetches[instruction].begin();
            for (std::size_t k = 1; k <= sweep.varying.size() && fetch != fetches[instruction].end(); ++k) {
                const std::size_t next = at + k;
                const int user = sweep.varying[next % sweep.varying.size()];
                const int tensor = direct[user] != 0    ? plan.kernel.code[user].index
                                   : written[user] >= 0 ? static_cast<int>(plan.kernel.inputs.size()) + written[user]
                                                        : -1;
                if (tensor < 0 || extents[user] != kTile) continue;
                *fetch++ = {tensor, next >= sweep.varying.size(), plan.operations[user].size};
            }
        }
}

}  // namespace aotscope
