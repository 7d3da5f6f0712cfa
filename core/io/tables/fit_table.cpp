#include "io/tables/fit_table.h"

#include "support/formatted.h"

#include <nlohmann/json.hpp>

namespace aotscope {

namespace {

using Cell = Table::Cell;

std::vector<Table::Column> fitColumns() {
    constexpr TableUnit bytes = TableUnit::bytes, ms = TableUnit::milliseconds;
    return {
        {"batch", "batch", "the size of the batch"},
        {"parameter_bytes", "parameters", "all of them, trained or not", bytes},
        {"buffer_bytes", "buffers", "buffers and constants of the model", bytes},
        {"input_bytes", "inputs", "one batch", bytes},
        {"tangent_bytes", "", "gradients of the outputs, which the backward starts from", bytes},
        {"gradient_bytes", "gradients", "of parameters and inputs, when the backward has run", bytes},
        {"state_bytes", "states", "of the optimizer", bytes},
        {"forward_bytes", "forward", "peak of the forward, without parameters, buffers and inputs", bytes},
        {"loss_bytes", "", "peak while a loss is computed from the outputs, and its gradient for them", bytes},
        {"backward_bytes", "backward", "peak of the backward, without parameters, buffers, inputs and tangents", bytes},
        {"predicted_peak_bytes", "", "the larger of both: the predicted peak of 'run' and 'pareto'", bytes},
        {"held_bytes", "", "outputs and gradients, when the update begins", bytes},
        {"update_bytes", "update", "temporaries of the optimizer's update, as PyTorch makes it on the device", bytes},
        {"update_loop_bytes", "", "the same, if parameters are updated one by one (foreach=False)", bytes},
        {"peak_bytes", "peak", "all memory at the peak of the step", bytes},
        {"phase", "at", "the part of the step that has the peak: forward, loss, backward or update"},
        {"estimated_ms.forward", "", "sum over the operations of forward", ms},
        {"estimated_ms.backward", "", "sum over the operations of backward", ms},
        {"estimated_ms.exposed", "", "how long forward and backward wait for collectives", ms},
        {"estimated_ms.update", "", "of the optimizer", ms},
        {"estimated_ms.step", "step", "estimated time of the whole step", ms},
        {"fits", "fits", "whether the peak is within the memory of the device"},
        {"spare_bytes", "", "memory that is left at the peak; negative: what is missing", bytes}};
}

void addRow(Table& table, const BatchStep& row, std::int64_t limit) {
    const TrainingStep& step = row.step;
    const auto time = [&](double ms) { return Cell{ms, timeText(ms, step.basis)}; };
    const std::int64_t peak = step.peakBytes();
    const bool fits = peak <= limit;
    table.add(row.batch > 0 ? Cell(row.batch) : Cell(), step.parameterBytes, step.bufferBytes, step.inputBytes,
              step.tangentBytes, step.gradientBytes, step.stateBytes, step.forwardBytes, step.lossBytes,
              step.backwardBytes, step.livePeakBytes(), step.heldBytes, step.updateBytes, step.updateLoopBytes, peak,
              name(step.peakPhase()), time(step.forwardMs), time(step.backwardMs), time(step.exposedMs),
              time(step.updateMs), time(step.ms()),
              Cell(fits, fits ? "yes" : "no", fits ? Table::Mark::good : Table::Mark::bad), limit - peak);
}

std::string missingText(const BatchSearch& found) {
    return formatBytes(found.next->step.peakBytes() - found.limit) + " more than that";
}

/// About the model as it is, without a size that can vary.
std::string onlyStepText(const BatchSearch& found) {
    const std::string memory = formatBytes(found.limit);
    if (found.largest) return "it fits into " + memory + "\n";
    return "it does not fit into " + memory + ": it needs " + missingText(found) + "\n";
}

std::string largestText(const BatchSearch& found) {
    const std::string memory = formatBytes(found.limit);
    if (!found.largest)
        return "not even a batch of " + std::to_string(found.next->batch) + " fits into " + memory + ": it needs " +
               missingText(found) + "\n";
    const std::string largest = std::to_string(found.largest->batch);
    if (!found.next) return "all of these batches fit into " + memory + "\n";
    return "largest batch that fits into " + memory + ": " + largest + "; " + std::to_string(found.next->batch) +
           " needs " + missingText(found) + "\n";
}

}  // namespace

Table fitTable(const BatchSearch& found) {
    Table table{"rows", fitColumns()};
    for (const BatchStep& row : found.rows) addRow(table, row, found.limit);
    if (found.rows.empty()) return table;
    if (!found.note.empty()) table.summary += found.note + "\n";
    if (!found.size.empty()) table.summary += "batch: " + found.size + "\n";
    table.summary += found.rows.front().batch > 0 ? largestText(found) : onlyStepText(found);
    return table;
}

nlohmann::json fitJson(const BatchSearch& found) {
    nlohmann::json document = {{"memory_bytes", found.limit}};
    if (!found.size.empty()) document["size"] = found.size;
    if (!found.note.empty()) document["note"] = found.note;
    if (found.largest && found.largest->batch > 0) document["largest_batch"] = found.largest->batch;
    if (!found.next) return document;
    if (found.next->batch > 0) document["next_batch"] = found.next->batch;
    document["excess_bytes"] = found.next->step.peakBytes() - found.limit;
    return document;
}

}  // namespace aotscope
