#include "compile/fused/cpu/worker.h"

#include <c10/util/Exception.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace aotscope {

namespace {

// Single-precision sums are accumulated in double precision after this many tiles.
constexpr std::int64_t kTilesPerSum = 32;

template <class T>
T identityOf(Opcode op) {
    using Limits = std::numeric_limits<T>;
    switch (op) {
        case Opcode::reduceSum: return T(0);
        case Opcode::reduceProd: return T(1);
        case Opcode::reduceMin: return Limits::has_infinity ? Limits::infinity() : Limits::max();
        default: return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
    }
}

void refuse(std::int64_t index, std::int64_t size, const Instruction& offset) {
    TORCH_CHECK_INDEX(offset.rule != IndexRule::embedded, "index out of range in self");
    TORCH_CHECK_INDEX(false, "index ", index, " is out of bounds for dimension ", offset.dimension, " with size ",
                      size);
}

std::int64_t offsetOf(std::int64_t index, const IndexedSize& indexed, const Instruction& offset) {
    const std::int64_t wrapped = index < 0 && offset.rule == IndexRule::wraps ? index + indexed.size : index;
    if (wrapped < 0 || wrapped >= indexed.size) refuse(index, indexed.size, offset);
    return wrapped * indexed.stride;
}

template <class T>
void fill(char* to, std::int64_t count, T value) {
    std::fill_n(reinterpret_cast<T*>(to), count, value);
}

DType dtypeOf(ComputeType computeType) {
    switch (computeType) {
        case ComputeType::f32: return DType::f32;
        case ComputeType::f64: return DType::f64;
        case ComputeType::i64: return DType::i64;
        default: return DType::b8;
    }
}

}  // namespace

CpuWorker::CpuWorker(const CpuCall& call) : call_(call), kernel_(call.plan.kernel) {
    layOut();
    for (int i : call_.program.before) {
        const Opcode op = kernel_.code[i].op;
        if (op == Opcode::number || op == Opcode::constant) evaluateNumber(i);
        else evaluate(i);
    }
    computeLines();
}

void CpuWorker::layOut() {
    const std::int64_t tiles = call_.program.slotBytes * call_.tile;
    const std::int64_t scratch = kernel_.reduced.empty() ? 0 : 8 * call_.tile;
    const std::int64_t kept = call_.program.keptSlots * 8 * call_.line;
    const std::int64_t totals = kernel_.reduced.empty() ? 0 : kept;
    const std::int64_t lasting = call_.lastingCount * 8 * call_.lastingLine;
    constexpr std::int64_t align = 64;
    const std::int64_t sums = kernel_.sequential.empty() ? 0 : cpuFunctions().memoryOfAccumulate;
    memory_ = std::unique_ptr<char[]>(new char[tiles + scratch + kept + totals + lasting + sums + 2 * align]);
    tiles_ = memory_.get() + (align - reinterpret_cast<std::uintptr_t>(memory_.get()) % align);
    scratch_ = tiles_ + tiles;
    kept_ = scratch_ + scratch;
    totals_ = kept_ + kept;
    lasting_ = totals_ + totals;
    sums_ = lasting_ + (lasting + align - 1) / align * align;
    if (sums > 0) std::memset(sums_, 0, align);
    keptStarts_.assign(call_.tiling.kept.size(), -1);
    reducedStarts_.assign(call_.tiling.reduced.size(), -1);
    isThere_.assign(kernel_.code.size(), 0);
    blockData_.resize(call_.tensors.size());
    tileData_.resize(call_.tensors.size());
    values_.resize(kernel_.code.size());
    for (int i = 0; i < static_cast<int>(values_.size()); ++i)
        if (call_.program.keptSlot[i] >= 0) values_[i].data = place(i);
}

char* CpuWorker::place(int instruction) const {
    const std::int64_t kept = call_.program.keptSlot[instruction];
    if (const int lasting = call_.lasting[instruction].place; lasting >= 0)
        return lasting_ + lasting * 8 * call_.lastingLine;
    return kept >= 0 ? kept_ + kept * 8 * call_.line : tiles_ + call_.program.slot[instruction] * call_.tile;
}

double* CpuWorker::totals(int reduction) const {
    return reinterpret_cast<double*>(totals_) + call_.program.keptSlot[reduction] * call_.line;
}

/// The number of elements of a value that does not vary along both axes.
std::int64_t CpuWorker::lineOf(Extent extent) const {
    return (extent & kColumns) != 0 ? columns_ : (extent & kRows) != 0 ? rows_ : 1;
}

void CpuWorker::locate(bool reduced, std::int64_t block) {
    const auto& loops = reduced ? call_.tiling.reduced : call_.tiling.kept;
    auto& starts = reduced ? reducedStarts_ : keptStarts_;
    if (!reduced) moved_ = 0;
    for (std::size_t l = 0; l < loops.size(); ++l) {
        const Loop& loop = loops[l];
        const std::int64_t blocks = loop.blocks(), start = block % blocks * loop.step;
        block /= blocks;
        if (!reduced && starts[l] != start) moved_ |= std::uint32_t{1} << l;
        starts[l] = start;
        const auto is = [&](const TileAxis& axis) {
            return axis.there && axis.reduced == reduced && axis.loop == static_cast<int>(l);
        };
        if (is(call_.tiling.rows)) rows_ = std::min(loop.step, loop.size - start);
        if (is(call_.tiling.columns)) columns_ = std::min(loop.step, loop.size - start);
        if (start != 0)
            for (std::size_t t = 0; t < tileData_.size(); ++t) tileData_[t] += start * loop.bytes[t];
    }
}

void CpuWorker::run(std::int64_t block) {
    enter(block);
    for (const ReductionSweep& sweep : call_.program.sweeps) {
        begin(sweep);
        evaluate(sweep, 0, call_.tiling.reducedBlocks);
        finish(sweep);
    }
    leave();
}

void CpuWorker::enter(std::int64_t block) {
    for (std::size_t t = 0; t < tileData_.size(); ++t) tileData_[t] = call_.tensors[t].data;
    locate(false, block);
    blockData_ = tileData_;
}

void CpuWorker::begin(const ReductionSweep& sweep) {
    for (int i : sweep.reductions) setIdentity(i);
}

void CpuWorker::evaluate(const ReductionSweep& sweep, std::int64_t first, std::int64_t last) {
    for (std::int64_t block = first; block < last; ++block) {
        if (!call_.tiling.reduced.empty()) {
            tileData_ = blockData_;
            locate(true, block);
        }
        for (int i : sweep.varying)
            if (!isStillThere(i)) evaluate(i);
        for (int i : sweep.reductions) accumulate(i);
        if (block % kTilesPerSum == kTilesPerSum - 1)
            for (int i : sweep.reductions) settle(i);
        for (int output : sweep.outputs) store(output, rows_, columns_);
    }
    for (int i : sweep.reductions) settle(i);
}

void CpuWorker::finish(const ReductionSweep& sweep) {
    for (int i : sweep.reductions) {
        if (!cascades(i)) continue;
        const double* total = totals(i);
        auto* result = reinterpret_cast<float*>(place(i));
        const std::int64_t count = lineOf(call_.extents[i]);
        for (std::int64_t j = 0; j < count; ++j) result[j] = static_cast<float>(total[j]);
    }
    for (int i : sweep.after) evaluate(i);
}

void CpuWorker::leave() {
    tileData_ = blockData_;
    const auto kept = [](const TileAxis& axis) { return axis.there && !axis.reduced; };
    for (int output : call_.program.keptOutputs)
        store(output, kept(call_.tiling.rows) ? rows_ : 1, kept(call_.tiling.columns) ? columns_ : 1);
}

void CpuWorker::takeResults(const CpuWorker& other) {
    std::memcpy(kept_, other.kept_, call_.program.keptSlots * 8 * call_.line);
}

void CpuWorker::combine(const ReductionSweep& sweep, const CpuWorker& other) {
    for (int i : sweep.reductions) {
        const std::int64_t count = lineOf(call_.extents[i]);
        if (cascades(i)) {
            double* total = totals(i);
            const double* more = other.totals(i);
            for (std::int64_t j = 0; j < count; ++j) total[j] += more[j];
        } else {
            call_.plan.operations[i].map({place(i), 0, {{{place(i)}, {other.place(i)}}}, 1, count});
        }
    }
}

void CpuWorker::evaluateNumber(int instruction) {
    const Instruction& it = kernel_.code[instruction];
    const bool number = it.op == Opcode::number;
    const auto real = [&] { return number ? call_.numbers[it.index].toDouble() : it.real; };
    const auto whole = [&] { return number ? call_.numbers[it.index].toLong() : it.integer; };
    switch (it.computeType) {
        case ComputeType::f32: return fill(place(instruction), 1, static_cast<float>(real()));
        case ComputeType::f64: return fill(place(instruction), 1, real());
        case ComputeType::i64: return fill(place(instruction), 1, whole());
        case ComputeType::boolean: return fill(place(instruction), 1, static_cast<std::uint8_t>(whole() != 0));
    }
}

void CpuWorker::load(int instruction) {
    const CpuOperation& operation = call_.plan.operations[instruction];
    const auto tensor = static_cast<std::size_t>(kernel_.code[instruction].index);
    const Strided& steps = call_.tensors[tensor].steps;
    if (call_.direct[instruction] != 0) {
        values_[instruction] = {tileData_[tensor], steps.rowStep};
        return;
    }
    const Extent extent = call_.extents[instruction];
    char* to = place(instruction);
    const std::int64_t count = lineOf(extent), rowStep = count * operation.size;
    if (!call_.isStrided(tensor)) loadParts(instruction);
    else if (extent == kTile) operation.load(to, {rowStep, operation.size}, tileData_[tensor], steps, rows_, count);
    else
        operation.load(to, {0, operation.size}, tileData_[tensor], {0, extent == kRows ? steps.rowStep : steps.step}, 1,
                       count);
    values_[instruction] = {to, rowStep};
}

/// Along columns that are several loops at once, which the tensor does not follow with one stride. It has no rows.
void CpuWorker::loadParts(int instruction) {
    const CpuOperation& operation = call_.plan.operations[instruction];
    const auto tensor = static_cast<std::size_t>(kernel_.code[instruction].index);
    const TileAxis& columns = call_.tiling.columns;
    const Loop &all = call_.tiling.loop(columns), &inner = all.parts.front();
    const std::int64_t start = keptStarts_[columns.loop];
    char* to = place(instruction);
    for (std::int64_t done = 0, count = 0; done < columns_; done += count, to += count * operation.size) {
        const std::int64_t at = start + done;
        count = std::min(inner.size - at % inner.size, columns_ - done);
        operation.load(to, {0, operation.size}, tileData_[tensor] + all.bytesAt(tensor, at), {0, inner.bytes[tensor]},
                       1, count);
    }
}

/// Computes values that depend on one loop for all of its positions.
void CpuWorker::computeLines() {
    lines_.assign(kernel_.code.size(), nullptr);
    const Tiling& tiling = call_.tiling;
    if (call_.lastingCount == 0 || tiling.keptBlocks == 0) return;
    for (std::size_t t = 0; t < tileData_.size(); ++t) tileData_[t] = call_.tensors[t].data;
    std::fill(keptStarts_.begin(), keptStarts_.end(), 0);
    const auto isAxis = [&](int loop) {
        return (tiling.rows.there && loop == tiling.rows.loop) || (tiling.columns.there && loop == tiling.columns.loop);
    };
    if (tiling.rows.there) rows_ = tiling.loop(tiling.rows).size;
    if (tiling.columns.there) columns_ = tiling.loop(tiling.columns).size;
    for (int i : call_.program.sweeps.front().varying) {
        const Lasting& lasting = call_.lasting[i];
        if (!lasting.once || (lasting.loop >= 0 && !isAxis(lasting.loop))) continue;
        evaluate(i);
        lines_[i] = values_[i].data;
    }
    for (std::size_t l = 0; l < tiling.kept.size(); ++l)
        if (!isAxis(static_cast<int>(l))) computeLine(l);
    std::fill(keptStarts_.begin(), keptStarts_.end(), -1);
    rows_ = columns_ = 1;
}

/// The same for a loop over tiles. Each value is computed at the first place of its line, which therefore comes last.
void CpuWorker::computeLine(std::size_t loop) {
    std::vector<int> line;
    for (int i : call_.program.sweeps.front().varying)
        if (call_.lasting[i].once && call_.lasting[i].loop == static_cast<int>(loop)) line.push_back(i);
    const Loop& positions = call_.tiling.kept[loop];
    for (std::int64_t p = line.empty() ? 0 : positions.size; p-- > 0;) {
        keptStarts_[loop] = p;
        for (std::size_t t = 0; t < tileData_.size(); ++t)
            tileData_[t] = call_.tensors[t].data + p * positions.bytes[t];
        for (int i : line) {
            evaluate(i);
            const std::int64_t size = call_.plan.operations[i].size;
            std::memmove(place(i) + p * size, values_[i].data, static_cast<std::size_t>(size));
        }
    }
    for (int i : line) lines_[i] = place(i);
    keptStarts_[loop] = 0;
}

/// Whether a lasting value need not be computed for this tile.
bool CpuWorker::isStillThere(int instruction) {
    const Lasting& lasting = call_.lasting[instruction];
    if (lasting.place < 0) return false;
    if (lasting.once) {
        const std::int64_t start = lasting.loop < 0 ? 0 : keptStarts_[lasting.loop];
        values_[instruction].data = lines_[instruction] + start * call_.plan.operations[instruction].size;
        return true;
    }
    const bool isThere = isThere_[instruction] != 0 && (call_.loops[instruction] & moved_) == 0;
    isThere_[instruction] = 1;
    return isThere;
}

void CpuWorker::evaluate(int instruction) {
    switch (kernel_.code[instruction].op) {
        case Opcode::load: return load(instruction);
        case Opcode::gather: return gather(instruction);
        case Opcode::position: return locatePositions(instruction);
        case Opcode::offset: return offset(instruction);
        default: return apply(instruction);
    }
}

/// How an instruction whose result has that extent reads an operand.
TileOperand CpuWorker::operandOf(Extent extent, int operand) const {
    const Extent varies = call_.extents[operand];
    const std::int64_t size = call_.plan.operations[operand].size;
    if (extent != kTile) return {values_[operand].data, 0, varies != kOne};
    return {values_[operand].data,
            varies == kTile   ? values_[operand].rowStep
            : varies == kRows ? size
                              : 0,
            (varies & kColumns) != 0};
}

/// Where a result is computed: in its output, or in our memory.
CpuWorker::Value CpuWorker::resultPlace(int instruction) const {
    const Extent extent = call_.extents[instruction];
    const std::int64_t rowStep = lineOf(extent) * call_.plan.operations[instruction].size;
    const int output = call_.written[instruction];
    if (output < 0) return {place(instruction), rowStep};
    const std::size_t tensor = kernel_.inputs.size() + static_cast<std::size_t>(output);
    return {tileData_[tensor], extent == kTile ? call_.tensors[tensor].steps.rowStep : rowStep};
}

void CpuWorker::apply(int instruction) {
    const CpuOperation& operation = call_.plan.operations[instruction];
    const Extent extent = call_.extents[instruction];
    const std::int64_t count = lineOf(extent);
    const Value result = resultPlace(instruction);
    TileMap map{const_cast<char*>(result.data), result.rowStep, {}, extent == kTile ? rows_ : 1, count};
    bool flat = map.outStep == count * operation.size;  // consecutive rows are one
    for (int k = 0; k < 3 && kernel_.code[instruction].operands[k] >= 0; ++k) {
        const int operand = kernel_.code[instruction].operands[k];
        TileOperand& in = map.in[k];
        in = operandOf(extent, operand);
        if (extent != kTile) continue;
        const std::int64_t size = call_.plan.operations[operand].size;
        flat = flat && (call_.extents[operand] == kOne || in.rowStep == (in.varies ? count * size : -1));
    }
    values_[instruction] = result;
    if (flat) {
        map.n *= map.rows;
        map.rows = 1;
    }
    if (extent == kTile) lookAhead(instruction, map);
    operation.map(map);
}

void CpuWorker::locatePositions(int instruction) {
    auto* to = reinterpret_cast<std::int64_t*>(place(instruction));
    const std::int64_t count = lineOf(call_.extents[instruction]);
    const int dimension = kernel_.code[instruction].dimension;
    std::fill_n(to, count, 0);
    for (const bool reduced : {false, true}) {
        const auto& loops = reduced ? call_.tiling.reduced : call_.tiling.kept;
        for (std::size_t l = 0; l < loops.size(); ++l) {
            if (!loops[l].counts(dimension)) continue;
            loops[l].positions(dimension, (reduced ? reducedStarts_ : keptStarts_)[l], count, to);
        }
    }
    values_[instruction] = {place(instruction), 0};
}

/// Checks indices, and turns them into offsets in elements.
void CpuWorker::offset(int instruction) {
    const Instruction& it = kernel_.code[instruction];
    const Extent extent = call_.extents[instruction];
    const std::int64_t count = lineOf(extent), rows = extent == kTile ? rows_ : 1;
    const IndexedSize& indexed = call_.indexedSize(it);
    const TileOperand in = operandOf(extent, it.operands[0]);
    auto* to = reinterpret_cast<std::int64_t*>(place(instruction));
    for (std::int64_t r = 0; r < rows; ++r, to += count) {
        const auto* from = reinterpret_cast<const std::int64_t*>(in.data + r * in.rowStep);
        for (std::int64_t i = 0; i < count; ++i) to[i] = offsetOf(in.varies ? from[i] : *from, indexed, it);
    }
    values_[instruction] = {place(instruction), count * 8};
}

TileIndices CpuWorker::indicesOf(Extent extent, const std::array<std::int32_t, 3>& offsets, Strided steps) const {
    TileIndices indices{{}, steps, extent == kTile ? rows_ : 1, lineOf(extent)};
    if (extent != kTile) indices.steps = {0, extent == kRows ? steps.rowStep : extent == kColumns ? steps.step : 0};
    for (std::size_t k = 0; k < 3 && offsets[k] >= 0; ++k) indices.offsets[k] = operandOf(extent, offsets[k]);
    return indices;
}

void CpuWorker::gather(int instruction) {
    const Instruction& it = kernel_.code[instruction];
    const auto tensor = static_cast<std::size_t>(it.index);
    const Value result = resultPlace(instruction);
    const TileIndices indices = indicesOf(call_.extents[instruction], it.operands, call_.tensors[tensor].steps);
    call_.plan.operations[instruction].gather(const_cast<char*>(result.data), result.rowStep, tileData_[tensor],
                                              indices);
    values_[instruction] = result;
}

/// Assumes that the next tile follows in memory; where it does not, the prefetch is useless but harmless.
void CpuWorker::lookAhead(int instruction, TileMap& map) const {
    auto place = map.ahead.begin();
    for (const Fetch& fetch : call_.fetches[instruction]) {
        if (fetch.tensor < 0) return;
        *place++ = tileData_[fetch.tensor] + (fetch.nextTile ? rows_ * columns_ * fetch.size : 0);
    }
}

void CpuWorker::accumulate(int reduction) {
    const CpuOperation& operation = call_.plan.operations[reduction];
    const int operand = kernel_.code[reduction].operands[0];
    const Extent varies = call_.extents[operand];
    const std::int64_t size = call_.plan.operations[operand].size;
    TileOperand in{values_[operand].data, varies == kTile ? values_[operand].rowStep : varies == kRows ? size : 0};
    if ((varies & kColumns) == 0 && columns_ > 1) {
        cpuFunctions().load(dtypeOf(kernel_.code[operand].computeType))(scratch_, {columns_ * size, size}, in.data,
                                                                        {in.rowStep, 0}, rows_, columns_);
        in = {scratch_, columns_ * size};
    }
    const bool along = call_.tiling.columns.there && call_.tiling.columns.reduced;
    (along ? operation.reduceRows : operation.reduceColumns)(place(reduction), in, rows_, columns_);
}

/// Sums of many tiles would be inexact in single precision.
bool CpuWorker::cascades(int reduction) const {
    return call_.tiling.reducedBlocks > 1 && kernel_.code[reduction].op == Opcode::reduceSum &&
           kernel_.code[reduction].computeType == ComputeType::f32;
}

void CpuWorker::settle(int reduction) {
    if (!cascades(reduction)) return;
    double* total = totals(reduction);
    auto* part = reinterpret_cast<float*>(place(reduction));
    const std::int64_t count = lineOf(call_.extents[reduction]);
    for (std::int64_t j = 0; j < count; ++j) total[j] += static_cast<double>(part[j]);
    std::fill_n(part, count, 0.0F);
}

void CpuWorker::setIdentity(int reduction) {
    const Instruction& it = kernel_.code[reduction];
    const std::int64_t count = call_.line;
    switch (it.computeType) {
        case ComputeType::f32: fill(place(reduction), count, identityOf<float>(it.op)); break;
        case ComputeType::f64: fill(place(reduction), count, identityOf<double>(it.op)); break;
        case ComputeType::i64: fill(place(reduction), count, identityOf<std::int64_t>(it.op)); break;
        case ComputeType::boolean:
            fill<std::uint8_t>(place(reduction), count, it.op == Opcode::reduceMin ? 1 : 0);
            break;
    }
    if (cascades(reduction)) std::fill_n(totals(reduction), count, 0.0);
}

/// All positions of the tile, whether or not the value varies.
void CpuWorker::accumulateInto(int output) {
    const int value = kernel_.outputs[output].value;
    const std::size_t tensor = kernel_.inputs.size() + static_cast<std::size_t>(output);
    const TileIndices indices = indicesOf(kTile, kernel_.outputs[output].offsets, call_.tensors[tensor].steps);
    const TileOperand from = operandOf(kTile, value);
    call_.plan.accumulations[output](tileData_[tensor], indices, from.data,
                                     {from.rowStep, from.varies ? call_.plan.operations[value].size : 0}, sums_);
}

void CpuWorker::store(int output, std::int64_t rows, std::int64_t columns) {
    const int value = kernel_.outputs[output].value;
    if (call_.written[value] == output) return;
    if (kernel_.outputs[output].accumulates()) return accumulateInto(output);
    const Extent varies = call_.extents[value];
    const std::int64_t size = call_.plan.operations[value].size;
    const Strided from{varies == kTile   ? values_[value].rowStep
                       : varies == kRows ? size
                                         : 0,
                       (varies & kColumns) != 0 ? size : 0};
    const std::size_t tensor = kernel_.inputs.size() + static_cast<std::size_t>(output);
    call_.plan.stores[output](tileData_[tensor], call_.tensors[tensor].steps, values_[value].data, from, rows, columns);
}

}  // namespace aotscope
