#include "compile/captured_graph.h"

#include "aten/convert.h"
#include "aten/copy_tensor.h"
#include "aten/tensors.h"
#include "aten/torch_versions.h"
#include "ops/collectives.h"
#include "ops/op_table.h"
#include "support/error.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <torch/headeronly/version.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <unordered_map>

namespace aotscope {

namespace {

using Values = std::vector<c10::IValue>;

bool writesIntoInputs(const Graph& graph) {
    for (const Node* node : graph.nodes()) {
        if (node->kind() != NodeKind::call || isGetitem(*node)) continue;
        const auto op = c10::Dispatcher::singleton().findSchema(operatorName(node->op()));
        if (op && op->schema().is_mutable()) return true;
    }
    return false;
}

/// The host takes part in exchanges between ranks.
bool exchangesTensors(const Graph& graph) {
    return std::ranges::any_of(graph.nodes(), [](const Node* node) { return communicates(node->op()); });
}

/// Which subgraphs an operator runs, and how often, is known only at run time.
bool runsSubgraphs(const Graph& graph) {
    const auto nodes = graph.nodes();
    return std::any_of(nodes.begin(), nodes.end(), [](const Node* node) { return isHigherOrder(*node); });
}

/// Compares what a later call must agree with: everything but the elements and the address of a tensor.
bool sameKind(const c10::IValue& captured, const c10::IValue& value) {
    if (!isTensor(captured) || !isTensor(value)) return captured == value;
    const at::Tensor &a = captured.toTensor(), &b = value.toTensor();
    return a.sizes() == b.sizes() && a.strides() == b.strides() && a.dtype() == b.dtype() && a.device() == b.device();
}

bool samePlace(const c10::IValue& a, const c10::IValue& b) {
    return isTensor(a) && isTensor(b) && a.toTensor().data_ptr() == b.toTensor().data_ptr();
}

/// Capturing needs a stream that is not the default one.
class CaptureStream {
public:
    explicit CaptureStream(c10::Device device) {
        if (device.is_cpu()) return;
        const c10::impl::VirtualGuardImpl guard(device.type());
        const c10::Stream before = guard.getStream(device);
        guard.synchronizeStream(before);
        guard_.emplace(guard.getStreamFromGlobalPool(device, /*isHighPriority=*/false));
    }

private:
    std::optional<c10::StreamGuard> guard_;
};

/// A capture: the device's graph, and the memory that it reads and writes.
class Capture {
public:
    /// `fixed`: for each argument, whether it is used in place.
    Capture(const CompiledGraph& graph, const Values& args, std::vector<bool> fixed, c10::Device device)
        : fixed_(std::move(fixed)), graph_(makeDeviceGraph(device.type())) {
        std::unordered_map<const c10::StorageImpl*, c10::Storage> storages;
        for (std::size_t i = 0; i < args.size(); ++i) {
            const bool copies = isTensor(args[i]) && !fixed_[i];
            inputs_.push_back(copies ? c10::IValue(copyTensor(args[i].toTensor(), storages)) : args[i]);
        }
        const CaptureStream stream(device);
        graph_->begin();
        try {
            Values own = inputs_;
            outputs_ = graph.run(own);
        } catch (...) {
            graph_->abandon();
            throw;
        }
        graph_->end();
    }

    bool fits(const Values& args) const {
        for (std::size_t i = 0; i < args.size(); ++i)
            if (!sameKind(inputs_[i], args[i])) return false;
        return true;
    }
    /// Arguments that were expected to keep their address and did not.
    std::vector<std::size_t> moved(const Values& args) const {
        std::vector<std::size_t> list;
        for (std::size_t i = 0; i < args.size(); ++i)
            if (fixed_[i] && isTensor(args[i]) && !samePlace(inputs_[i], args[i])) list.push_back(i);
        return list;
    }

    Values replay(const Values& args) const {
        for (std::size_t i = 0; i < args.size(); ++i)
            if (isTensor(args[i]) && !fixed_[i]) inputs_[i].toTensor().copy_(args[i].toTensor(), /*non_blocking=*/true);
        graph_->replay();
        return results(args);
    }

    /// Copies of the captured results, since the next replay overwrites them; parts of an argument stay parts of it.
    Values results(const Values& args) const {
        std::unordered_map<const c10::StorageImpl*, c10::Storage> storages;
        for (std::size_t i = 0; i < args.size(); ++i)
            if (isTensor(args[i]))
                storages.emplace(storageOf(inputs_[i].toTensor()), c10::Storage(args[i].toTensor().storage()));
        Values results;
        for (const c10::IValue& output : outputs_)
            results.push_back(isTensor(output) ? c10::IValue(copyTensor(output.toTensor(), storages)) : output);
        return results;
    }

private:
    std::vector<bool> fixed_;
    Values inputs_, outputs_;
    std::unique_ptr<DeviceGraph> graph_;
};

/// Why a graph cannot be captured, as one clause; empty if it may be possible.
std::string whyNot(const Graph& graph) {
    if (writesIntoInputs(graph)) return "it writes into its inputs";
    if (runsSubgraphs(graph)) return "which of its subgraphs run is known at run time only";
    return exchangesTensors(graph) ? "it exchanges tensors with other ranks" : "";
}

class CapturedGraph final : public CompiledGraph {
public:
    /// `whyNot`: empty if it can be captured.
    CapturedGraph(std::shared_ptr<const CompiledGraph> inner, c10::Device device, const std::string& name,
                  const std::string& whyNot)
        : inner_(std::move(inner)), device_(device), name_(name) {
        if (!whyNot.empty()) giveUp(whyNot);
    }

    const std::vector<NodeId>& steps() const override { return inner_->steps(); }
    std::vector<std::vector<NodeId>> groups() const override { return inner_->groups(); }
    std::string note() const override {
        const std::lock_guard lock(noteMutex_);
        return note_.empty() ? inner_->note() : note_;
    }
    std::vector<NodeId> shownBy(std::size_t step) const override { return inner_->shownBy(step); }

    Values run(Values& args, StepObserver* observer) const override {
        const std::unique_lock lock(mutex_, std::try_to_lock);  // the captured memory serves one call at a time
        if (observer || !lock || failed_) return inner_->run(args, observer);
        if (calls_ < kWarmUps) return warmUp(args);
        try {
            if (!capture_) capture_.emplace(*inner_, args, fixed_, device_);
            if (!capture_->fits(args)) return inner_->run(args, nullptr);
            for (const std::size_t i : capture_->moved(args)) fixed_[i] = false, stale_ = true;
            if (stale_) capture_.emplace(*inner_, args, fixed_, device_);
            stale_ = false;
        } catch (const std::exception& e) {
            capture_.reset();
            giveUp(firstSentence(e.what()));
            return inner_->run(args, nullptr);
        }
        Values results = capture_->replay(args);
        args.clear();
        return results;
    }

private:
    void giveUp(const std::string& why) const {
        const std::lock_guard lock(noteMutex_);
        failed_ = true;
        note_ = "the " + name_ + " graph is not captured and runs operation by operation: " + why;
    }

    /// Lets libraries allocate their buffers, and finds the arguments that keep their address.
    Values warmUp(Values& args) const {
        if (calls_ == 0) {
            places_ = args;
            fixed_.assign(args.size(), true);
        }
        for (std::size_t i = 0; i < args.size(); ++i)
            fixed_[i] = fixed_[i] && (!isTensor(args[i]) || samePlace(places_[i], args[i]));
        if (++calls_ == kWarmUps) places_.clear();
        return inner_->run(args, nullptr);
    }

    static constexpr int kWarmUps = 2;
    std::shared_ptr<const CompiledGraph> inner_;
    c10::Device device_;
    std::string name_;
    mutable std::mutex mutex_, noteMutex_;
    mutable int calls_ = 0;
    mutable std::atomic<bool> failed_ = false;
    mutable bool stale_ = false;
    mutable std::string note_;
    mutable Values places_;  ///< arguments of the first call
    mutable std::vector<bool> fixed_;
    mutable std::optional<Capture> capture_;
};

class CapturingCompiler final : public Compiler {
public:
    CapturingCompiler(std::shared_ptr<const Compiler> compiler, c10::Device device)
        : compiler_(std::move(compiler)), device_(device) {}

    std::string name() const override { return compiler_->name(); }
    std::shared_ptr<const CompiledGraph> compile(const Graph& graph, const ConstantTable& constants) const override {
        return captured(compiler_->compile(graph, constants), graph, device_);
    }

private:
    std::shared_ptr<const Compiler> compiler_;
    c10::Device device_;
};

}  // namespace

std::string whyNoCapture(c10::DeviceType type) {
    if (hasDeviceGraphs(type)) return {};
    const std::string device = c10::DeviceTypeName(type, true);
    return "LibTorch " TORCH_VERSION " here cannot capture graphs on " + device +
           ": that takes PyTorch 2.13 or later, built for " + device;
}

std::shared_ptr<const CompiledGraph> captured(std::shared_ptr<const CompiledGraph> compiled, const Graph& graph,
                                              c10::Device device) {
    if (!hasDeviceGraphs(device.type())) return compiled;
    return std::make_shared<CapturedGraph>(std::move(compiled), device, graph.name(), whyNot(graph));
}

std::shared_ptr<const Compiler> capturing(std::shared_ptr<const Compiler> compiler, c10::Device device) {
    return std::make_shared<CapturingCompiler>(std::move(compiler), device);
}

}  // namespace aotscope
