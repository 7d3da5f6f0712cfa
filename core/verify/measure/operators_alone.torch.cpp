#include "verify/measure/operators_alone.h"

#include "aten/convert.h"
#include "aten/find_operator.h"
#include "aten/random_state.h"
#include "aten/thread_limit.h"
#include "cost/book/record_operations.h"
#include "execute/plan.h"
#include "ops/op_table.h"
#include "ops/operator_facts.h"
#include "ops/trace_method.h"
#include "record/results/machine_load.h"
#include "support/elapsed.h"
#include "support/error.h"
#include "support/machine/cores.h"
#include "support/resident_memory.h"
#include "verify/device_timer.h"
#include "verify/measure/operation_memory.h"
#include "verify/measure/result_memory.h"
#include "verify/memory_meter.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty_strided.h>

#include <algorithm>
#include <map>

namespace aotscope {

namespace {

/// Times the step of a plan of one step, and watches its memory.
class AloneObserver final : public StepObserver {
public:
    AloneObserver(DeviceTimer& timer, MemoryMeter* meter) : timer_(timer), meter_(meter) {}

    void before(std::size_t) override {
        if (meter_) memory_.start(*meter_);
        timer_.mark();
    }
    void results(std::size_t, c10::ArrayRef<c10::IValue> values) override {
        timer_.mark();
        if (meter_) memory_.end(*meter_, values);
    }
    void after(std::size_t) override {}
    const OperationMemory& memory() const { return memory_; }

private:
    DeviceTimer& timer_;
    MemoryMeter* meter_;
    OperationMemory memory_{/*operandsStay=*/true};
};

/// One operation as a graph, whose inputs are its operands.
class Alone {
public:
    Alone(const Node& node, c10::Device device) : graph_("alone"), timer_(device) {
        std::map<const Node*, Node*> operands;
        for (const Node* input : node.inputs()) {
            operands[input] = graph_.addPlaceholder(input->name(), input->type);
            inputs_.push_back(madeUp(input->type, device));
        }
        call_ = graph_.copyNode(&node, [&](const Node* input) { return Argument(operands.at(input)); });
        call_->type = node.type;
        setOutputs();
        plan_ = makePlan(graph_, {});
    }

    /// For up to a fraction of a second.
    void measure(OperatorEntry& entry, const Progress& progress) {
        constexpr int kFewest = 5, kMost = 50;
        constexpr double kEnoughMs = 20, kTooLongMs = 1000;
        MemoryMeter* none = nullptr;
        run(none);  // the first call may prepare what later ones reuse
        timer_.take();
        {
            MemoryMeter meter(timer_.device());
            const OperationMemory memory = run(&meter).memory();
            entry.innerBytes = memory.inner();
            entry.resultBytes = beyondTypes(*call_, memory.made());
            timer_.take();
        }
        std::vector<double> us;
        const auto start = std::chrono::steady_clock::now();
        const double onCore = threadSeconds();
        while (us.size() < kMost && (us.size() < kFewest || msSince(start) < kEnoughMs)) {
            progress.throwIfCancelled();
            run(none);
            us.push_back(timer_.take().front());
            if (msSince(start) > kTooLongMs) break;
        }
        const double ms = msSince(start), onCoreMs = (threadSeconds() - onCore) * 1000;
        const Spread spread = spreadOf(us);
        entry.us = spread.median;
        entry.lowerUs = spread.lower;
        entry.upperUs = spread.upper;
        entry.waiting = timer_.device().is_cpu() && onCoreMs > 0 ? std::max(ms / onCoreMs, 1.0) : 1;
    }

private:
    /// Ones where a number is an index or a size would be out of bounds.
    static at::Tensor madeUp(const TensorType& type, c10::Device device) {
        const auto options = at::TensorOptions(device).dtype(toScalarType(type.dtype));
        at::Tensor tensor = at::empty_strided(type.sizes, type.strides, options);
        const bool real = kindOf(type.dtype) == DTypeKind::real || kindOf(type.dtype) == DTypeKind::complex;
        // Elements may share memory: the memory is filled, not they.
        at::Tensor memory = at::empty({0}, options)
                                .set_(tensor.storage(), 0,
                                      {static_cast<std::int64_t>(tensor.storage().nbytes() / tensor.itemsize())}, {1});
        memory.fill_(real ? c10::Scalar(0.5) : c10::Scalar(0));
        return tensor;
    }
    static c10::IValue madeUp(const ValueType& type, c10::Device device) {
        if (const TensorType* tensor = type.tensor()) return madeUp(*tensor, device);
        const ScalarType* scalar = type.scalar();
        if (!scalar) throw Error("it takes something other than tensors and numbers");
        switch (scalar->kind) {
            case ScalarType::Kind::integer: return static_cast<std::int64_t>(scalar->hint);
            case ScalarType::Kind::real: return scalar->hint;
            case ScalarType::Kind::boolean: return scalar->hint != 0;
        }
        return {};
    }

    /// The elements of a tuple one by one, as in any graph.
    void setOutputs() {
        std::vector<Argument> outputs;
        const TupleType* tuple = call_->type.tuple();
        if (!tuple) outputs.emplace_back(call_);
        for (std::size_t i = 0; tuple && i < tuple->size(); ++i)
            if ((*tuple)[i].tensor())
                outputs.emplace_back(graph_.addCall("operator.getitem",
                                                    {Argument(call_), Argument(static_cast<int>(i))}, {}, (*tuple)[i]));
        std::vector<OutputSlot> slots(outputs.size());
        graph_.setOutput(std::move(outputs), std::move(slots));
    }

    AloneObserver run(MemoryMeter* meter) {
        std::vector<c10::IValue> args = inputs_;
        AloneObserver observer(timer_, meter);
        runPlan(plan_, args, &observer);
        return observer;
    }

    Graph graph_;
    Node* call_ = nullptr;
    Plan plan_;
    std::vector<c10::IValue> inputs_;
    DeviceTimer timer_;
};

std::int64_t bytesOf(const Node& node) {
    std::int64_t bytes = node.type.tensorBytes();
    for (const Node* input : node.inputs()) bytes += input->type.tensorBytes();
    return bytes;
}

bool readsValues(const Node& node) {
    const auto op = findOperator(node.op());
    return op && dependsOnData(*op);
}

/// Memory in a layout and of a size that only the library of the operation knows, which its type says nothing about: a
/// workspace that a forward keeps for its backward. Made up, it would be read beyond its end.
bool isOpaque(const TensorType* type) { return type && type->dtype == DType::u8 && type->numel() == 0; }

/// A clause; empty: it may.
std::string whyNotAlone(const Node& node) {
    if (!node.op().starts_with("aten.") && !node.op().starts_with("prims."))
        return "it is not one of PyTorch's operators";
    if (hasTag(node, kRandom)) return "it draws random numbers";
    if (hasTag(node, kEffect)) return "it has an effect";
    if (isMutating(node.op())) return "it writes into an operand";
    if (readsValues(node)) return "what it does depends on the values";
    if (!node.type.tensor() && !node.type.tuple()) return "its result is no tensor";
    if (std::ranges::any_of(node.inputs(), [](const Node* input) { return isOpaque(input->type.tensor()); }))
        return "it reads memory whose contents only its library knows";
    // Twice the operands and results, for what it needs while it runs.
    if (2 * bytesOf(node) > availableBytes()) return "it does not fit into memory";
    return {};
}

bool isKnown(const OperatorBook& book, const OperatorEntry& entry, int threads) {
    const OperatorEntry* known = book.find(entry.signature, threads);
    return known && known->us && known->innerBytes && known->waiting <= kMostDisturbance;
}

}  // namespace

MeasuredOperators measureAlone(const CompileRecord& record, const OperatorBook& book, const std::string& device,
                               const EntrySink& keep, const Progress& progress) {
    const RandomStateGuard kept;
    const ThreadLimit limit(freeCores());
    const int threads = at::get_num_threads();
    MeasuredOperators found;
    const std::vector<AlikeOperations> wanted = operationsIn(record, GraphsOf::runs);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        progress.enter(stageOf("operator", i + 1, wanted.size()));
        const Node* node = wanted[i].node;
        OperatorEntry entry = entryOf(*node);
        if (isKnown(book, entry, threads)) {
            ++found.known;
            continue;
        }
        std::string why = whyNotAlone(*node);
        try {
            if (why.empty()) {
                entry.threads = threads;
                Alone(*node, c10::Device(device)).measure(entry, progress);
                keep(entry);
                ++found.measured;
            }
        } catch (const Cancelled&) {
            throw;
        } catch (const std::exception& e) {  // made-up values may be impossible ones
            why = "it fails on made-up values: " + firstSentence(e.what());
        }
        if (!why.empty()) found.left.push_back({entry.signature, std::move(why)});
    }
    return found;
}

}  // namespace aotscope
