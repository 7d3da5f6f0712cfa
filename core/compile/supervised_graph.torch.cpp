#include "compile/supervised_graph.h"

#include "aten/convert.h"
#include "aten/random_state.h"
#include "ir/printer.h"
#include "ops/functional_graph.h"
#include "ops/op_table.h"
#include "support/elapsed.h"
#include "support/error.h"
#include "support/names.h"

#include <ATen/core/LegacyTypeDispatch.h>

#include <chrono>
#include <optional>

namespace aotscope {

namespace {

/// What is needed to run a graph again: its arguments, what it writes to, and the RNG state.
class Beginning {
public:
    Beginning(const Graph& graph, const std::vector<c10::IValue>& args) : args_(args) {
        const auto placeholders = graph.placeholders();
        for (const Node* node : graph.nodes()) {
            if (!random_ && hasTag(*node, kRandom)) random_.emplace();
            for (const Node* value : writtenValues(*node)) {
                const auto written = std::find(placeholders.begin(), placeholders.end(), value);
                if (written != placeholders.end())
                    keep(args_[static_cast<std::size_t>(written - placeholders.begin())]);
            }
        }
    }

    std::vector<c10::IValue> again() {
        const at::AutoDispatchBelowADInplaceOrView plainKernels;
        for (Written& w : written_) {
            w.tensor.set_(w.storage, w.before.storage_offset(), w.before.sizes(), w.before.strides());
            w.tensor.copy_(w.content);
        }
        if (random_) random_->restore();
        return args_;
    }

private:
    struct Written {
        at::Tensor tensor;
        at::Tensor before;  ///< the same memory
        c10::Storage storage;
        at::Tensor content;
    };

    void keep(const c10::IValue& arg) {
        const at::AutoDispatchBelowADInplaceOrView plainKernels;
        const at::Tensor& tensor = arg.toTensor();
        written_.push_back({tensor, tensor.alias(), tensor.storage(), tensor.clone()});
    }

    std::vector<c10::IValue> args_;
    std::vector<Written> written_;
    std::optional<RandomState> random_;  ///< if the graph draws random numbers
};

/// Hides a graph's arguments from an observer that has already seen them.
class StepsOnly final : public StepObserver {
public:
    explicit StepsOnly(StepObserver& observer) : observer_(observer) {}
    void before(std::size_t step) override { observer_.before(step); }
    void results(std::size_t step, c10::ArrayRef<c10::IValue> values) override { observer_.results(step, values); }
    void after(std::size_t step) override { observer_.after(step); }

private:
    StepObserver& observer_;
};

std::string shapeText(TensorType type) {
    type.strides = contiguousStrides(type.sizes);
    type.symbolic = nullptr;
    type.device = {};
    return printTensorType(type);
}

/// The workspace that oneDNN's recurrent layers keep: their shape rule treats it as empty.
bool isOfUnknownSize(const Node& node) {
    return isGetitem(node) && node.args()[0].node()->isCall("aten.mkldnn_rnn_layer.default") &&
           *node.args()[1].integer() == 3;
}

/// Why the results of `graph` do not match its types; nothing if they do.
std::optional<std::string> mismatch(const Graph& graph, const std::vector<c10::IValue>& results) {
    const auto& outputs = graph.outputs();
    if (results.size() != outputs.size())
        return "returned " + counted(results.size(), "value") + ", expected " + std::to_string(outputs.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const TensorType* expected = outputs[i].node() ? outputs[i].node()->type.tensor() : nullptr;
        if (!expected || isOfUnknownSize(*outputs[i].node())) continue;
        const std::string where = " for %" + outputs[i].node()->name() + ", expected " + shapeText(*expected);
        if (!results[i].isTensor() || !results[i].toTensor().defined()) return "returned no tensor" + where;
        const TensorType found = typeOf(results[i].toTensor());
        const bool fits =
            expected->symbolic ? found.sizes.size() == expected->sizes.size() : found.sizes == expected->sizes;
        if (!fits || found.dtype != expected->dtype) return "returned " + shapeText(found) + where;
    }
    return std::nullopt;
}

}  // namespace

SupervisedGraph::SupervisedGraph(std::shared_ptr<const Compiler> compiler, GraphKind kind,
                                 std::shared_ptr<const Graph> graph, ConstantTable constants)
    : compiler_(std::move(compiler)), kind_(kind), graph_(std::move(graph)), constants_(std::move(constants)) {}

void SupervisedGraph::compile() const {
    if (current_) return;
    const std::lock_guard lock(mutex_);
    if (current_) return;
    if (compiler_->name() == "interpreter") trusted_ = true;
    const auto start = std::chrono::steady_clock::now();
    try {
        compiled_ = compiler_->compile(*graph_, constants_);
        ms_ = msSince(start);
        current_ = compiled_.get();
    } catch (const Cancelled&) {
        throw;
    } catch (const std::exception& e) {
        if (trusted_) throw;
        takeOver(makeInterpreter()->compile(*graph_, constants_), "cannot compile it: " + firstSentence(e.what()));
    }
}

void SupervisedGraph::takeOver(std::shared_ptr<const CompiledGraph> interpreted, const std::string& why) const {
    interpreted_ = std::move(interpreted);
    note_ = "the interpreter runs the " + std::string(name(kind_)) + " graph, for " + compiler_->name() + " " + why;
    current_ = interpreted_.get();
    trusted_ = true;
}

std::vector<c10::IValue> SupervisedGraph::run(std::vector<c10::IValue>& args, StepObserver* observer) const {
    compile();
    std::optional<StepsOnly> steps;
    if (observer) {  // backends may skip observers
        observer->arguments(args);
        steps.emplace(*observer);
    }
    StepObserver* own = steps ? &*steps : nullptr;
    if (!trusted_) {
        const std::lock_guard lock(mutex_);
        if (!trusted_) return firstRun(args, own);
    }
    return current_.load()->run(args, own);
}

std::vector<c10::IValue> SupervisedGraph::firstRun(std::vector<c10::IValue>& args, StepObserver* observer) const {
    Beginning beginning(*graph_, args);
    std::optional<std::string> why;
    try {
        std::vector<c10::IValue> results = compiled_->run(args);
        why = mismatch(*graph_, results);
        if (!why && !observer) {
            trusted_ = true;
            return results;
        }
    } catch (const Cancelled&) {
        throw;
    } catch (const std::exception& e) {
        why = "fails: " + firstSentence(e.what());
    }
    args = beginning.again();
    if (!why) {
        trusted_ = true;
        return compiled_->run(args, observer);
    }
    // An error that also occurs here is not the backend's fault.
    auto interpreted = makeInterpreter()->compile(*graph_, constants_);
    std::vector<c10::IValue> results = interpreted->run(args);
    takeOver(std::move(interpreted), *why);
    return results;
}

const std::vector<NodeId>& SupervisedGraph::steps() const {
    compile();
    return current_.load()->steps();
}

std::vector<std::vector<NodeId>> SupervisedGraph::groups() const {
    compile();
    return current_.load()->groups();
}

std::vector<NodeId> SupervisedGraph::shownBy(std::size_t step) const {
    compile();
    return current_.load()->shownBy(step);
}

std::string SupervisedGraph::note() const { return use().note; }

CompilerUse SupervisedGraph::use() const {
    const std::lock_guard lock(mutex_);
    CompilerUse use{kind_, compiler_->name(), interpreted_ ? "interpreter" : compiler_->name(), note_};
    if (const CompiledGraph* compiled = current_) {
        use.ms = ms_;
        use.groups = compiled->groups();
        if (use.note.empty()) use.note = compiled->note();
    }
    return use;
}

}  // namespace aotscope
