#include "verify/eager_log.h"

#include "aten/convert.h"
#include "aten/dispatch_mode.h"
#include "aten/find_operator.h"
#include "aten/random_state.h"
#include "aten/tensors.h"
#include "ir/printer.h"
#include "ops/before_autograd/rules.h"
#include "ops/op_table.h"
#include "support/error.h"
#include "support/names.h"
#include "trace/fake_inputs.h"
#include "verify/judge/comparison.h"
#include "verify/judge/random_rules.h"
#include "verify/run_io.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/equal.h>
#include <c10/core/AutogradState.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>

namespace aotscope {

namespace {

using Stack = torch::jit::Stack;

/// In-place operations and their functional variants have the same name.
std::string commonName(const std::string& op) {
    std::string name(shortOpName(op));
    if (name.ends_with('_')) name.pop_back();
    if (name.ends_with("_functional")) name.resize(name.size() - std::string_view("_functional").size());
    return name;
}

std::string shapeText(const at::Tensor& t) { return c10::str(t.scalar_type(), t.sizes()); }

/// All declared arguments of an operation, including defaults, with every tensor as "%".
std::string literalText(const c10::FunctionSchema& schema,
                        const std::function<Argument(const c10::Argument&, std::size_t)>& given) {
    std::string text;
    for (std::size_t i = 0; i < schema.arguments().size(); ++i)
        text += (i ? ", " : "") + printArgument(given(schema.arguments()[i], i));
    return text;
}

Argument literal(const c10::IValue& value, const c10::Argument& declared) {
    return toArgument(value, *declared.real_type(), [](const at::Tensor&) { return Argument("%"); });
}

std::string literalsOf(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> args) {
    return literalText(op.schema(),
                       [&](const c10::Argument& declared, std::size_t i) { return literal(args[i], declared); });
}

/// Nothing for an operation unknown to LibTorch.
std::optional<std::string> literalsOf(const Node& node) {
    const auto op = findOperator(node.op());
    if (!op) return std::nullopt;
    return literalText(op->schema(), [&](const c10::Argument& declared, std::size_t i) -> Argument {
        const auto blank = [](Node*) { return Argument("%"); };
        const Argument* given = node.argument(i, declared.name());
        if (given && given->subgraph()) return {};  // eager also runs it
        if (given) return mapNodes(*given, blank);
        return declared.default_value() ? literal(*declared.default_value(), declared) : Argument();
    });
}

}  // namespace

/// Runs operations unchanged, and keeps their results.
class EagerLog::Recording final : public DispatchHandler {
public:
    Recording(EagerLog& log, const Options& options, const Arithmetic& arithmetic)
        : log_(log), run_(makeHandler(arithmetic, options)), dialect_(options.dialect) {}

    void dispatch(const c10::OperatorHandle& op, Stack& stack) override {
        const auto& schema = op.schema();
        const auto count = schema.arguments().size(), results = schema.returns().size();
        const c10::ArrayRef<c10::IValue> args(stack.data() + (stack.size() - count), count);
        const PlainKernelScope plain;
        for (std::size_t i = 0; i < count; ++i)
            if (schema.arguments()[i].alias_info() && schema.arguments()[i].alias_info()->isWrite())
                forEachTensor(args[i], [this](const at::Tensor& t) { preserve(t); });
        const std::string literals = literalsOf(op, args);
        run_->dispatch(op, stack);
        const std::string name = commonName(graphName(op.operator_name()));
        ++log_.calls_[name];
        const std::size_t returned =
            results == 1 && stack.back().isTensorList() ? stack.back().toTensorList().size() : results;
        log_.returns_[name] = std::max(log_.returns_[name], returned);
        for (std::size_t i = stack.size() - results; i < stack.size(); ++i)
            forEachTensor(stack[i], [&](const at::Tensor& t) { keep(op, literals, t); });
    }

    /// As during tracing, so that the same operations arrive below autograd.
    bool intercept(const c10::OperatorHandle& op, c10::DispatchKeySet, Stack& stack) override {
        const auto rule = findBeforeAutograd(op.operator_name(), dialect_);
        return rule && rule(stack);
    }

private:
    /// Copies values that share memory with a tensor about to be written.
    void preserve(const at::Tensor& written) {
        const auto it = sharing_.find(storageOf(written));
        if (it == sharing_.end()) return;
        for (const std::size_t entry : it->second) log_.entries_[entry].value = log_.entries_[entry].value.clone();
        sharing_.erase(it);
    }

    void keep(const c10::OperatorHandle& op, const std::string& literals, const at::Tensor& value) {
        if (value.layout() != at::kStrided) return;
        const std::size_t entry = log_.entries_.size();
        const std::string name = commonName(graphName(op.operator_name()));
        log_.entries_.push_back({literals, value.detach()});
        log_.byOperation_[name + shapeText(value)].push_back(entry);
        log_.byShape_[shapeText(value)].push_back(entry);
        log_.byName_[name].push_back(entry);
        sharing_[storageOf(value)].push_back(entry);
    }

    EagerLog& log_;
    std::unique_ptr<RandomRulesHandler> run_;
    Dialect dialect_;
    std::unordered_map<const c10::StorageImpl*, std::vector<std::size_t>> sharing_;
};

std::unique_ptr<EagerLog> EagerLog::record(const ModelRun& modelRun, const Options& options, const SymbolValues& sizes,
                                           const Arithmetic& arithmetic) {
    auto log = std::make_unique<EagerLog>();
    runTraceThread([&] {
        const RunArguments arguments = modelRun.arguments(/*ownState=*/true, sizes);
        const FlatFunction function = modelRun.at(sizes);
        LocationSink location(function.program().locations());
        prepareLeaves(arithmetic, arguments.leaves);
        std::vector<at::Tensor> inputs;
        for (const auto& leaf : arguments.leaves)
            if (isTensor(leaf) && leaf.toTensor().requires_grad()) inputs.push_back(leaf.toTensor());
        Recording recording(*log, options, arithmetic);
        const at::AutoGradMode grad(!options.inference);
        seedRandom(options.seed);
        std::vector<c10::IValue> outputs;
        {
            const DispatchScope dispatch(recording);
            outputs = function(arguments.leaves, &location).leaves;
        }
        const BackwardStart start = modelRun.startOf(outputs);
        if (options.inference || start.outputs.empty() || inputs.empty()) return;
        const DispatchScope dispatch(recording);
        c10::AutogradState::get_tls_state().set_multithreading_enabled(false);
        torch::autograd::backward(start.outputs, start.tangents);
    });
    return log;
}

NamedTensors EagerLog::values() const {
    NamedTensors named;
    for (std::size_t i = 0; i < entries_.size(); ++i) named.emplace_back(std::to_string(i), entries_[i].value);
    return named;
}

void EagerLog::measure(const ModelRun& modelRun, const Options& options, const SymbolValues& sizes) {
    noise_.emplace();
    noise_->measure(
        true, [&] { return values(); },
        [&](const Arithmetic& as) {
            const auto again = record(modelRun, options, sizes, as);
            check(again->entries_.size() == entries_.size(), "eager runs the same operations each time");
            return again->values();
        });
}

Tolerance EagerLog::toleranceOf(std::size_t entry) const {
    return noise_ ? Tolerance{&*noise_, true, std::to_string(entry)} : kUnmeasurable;
}

const EagerLog::Entry* EagerLog::find(const std::vector<std::size_t>& among, const at::Tensor& value,
                                      bool exactly) const {
    for (const std::size_t i : among) {
        const Entry& entry = entries_[i];
        if (exactly ? at::equal(entry.value, value)
                    : !compareTensors({}, entry.value, value, toleranceOf(i)).difference)
            return &entry;
    }
    return nullptr;
}

std::optional<Difference> EagerLog::closest(const std::vector<std::size_t>& among, const std::string& what,
                                            const at::Tensor& value) const {
    constexpr std::size_t enough = 16;
    std::optional<Difference> best;
    for (std::size_t i = 0; i < std::min(among.size(), enough); ++i) {
        auto difference = compareTensors(what, entries_[among[i]].value, value, toleranceOf(among[i])).difference;
        if (difference && (!best || difference->maxRel < best->maxRel)) best = std::move(difference);
    }
    return best;
}

/// A functional operation also returns what eager's writes into its arguments.
bool EagerLog::isReturned(const Node& node) const {
    if (!isGetitem(node)) return true;
    const auto returned = returns_.find(commonName(makerOf(node).op()));
    return returned != returns_.end() && *node.args()[1].integer() < static_cast<std::int64_t>(returned->second);
}

Judgement EagerLog::judge(const Node& node, const c10::IValue& value) const {
    if (!isTensor(value) || isMeaningless(node)) return {};
    const at::Tensor& actual = value.toTensor();
    const auto same = byOperation_.find(commonName(makerOf(node).op()) + shapeText(actual));
    if (same != byOperation_.end()) {
        if (find(same->second, actual, true) || find(same->second, actual, false)) return {Verdict::good, {}};
    }
    // An operation that replaces another one in functionalization also computes a value of the program.
    const auto alike = byShape_.find(shapeText(actual));
    if (alike != byShape_.end() && find(alike->second, actual, true)) return {Verdict::likely, {}};
    if (same == byOperation_.end() || !isReturned(node)) return {};
    return {Verdict::bad, closest(same->second, "%" + node.name(), actual)};
}

OperationChange EagerLog::changeOf(const Node& node) const {
    const Node& call = makerOf(node);
    const auto literals = literalsOf(call);
    const auto it = byName_.find(commonName(call.op()));
    if (!literals || it == byName_.end()) return {};
    for (const std::size_t i : it->second)
        if (entries_[i].literals == *literals) return {};
    OperationChange change;
    change.literals = true;
    change.text =
        "eager has no " + std::string(shortOpName(call.op())) + " with the arguments (" + printArguments(call) + ")";
    return change;
}

std::string EagerLog::missingFrom(const Graph& graph) const {
    std::map<std::string, int> calls;
    for (const Node* node : graph.nodes())
        if (node->kind() == NodeKind::call && !isGetitem(*node)) ++calls[commonName(node->op())];
    for (const auto& [name, count] : calls_)
        if (calls[name] < count)
            return "eager runs '" + name + "' " + counted(static_cast<std::size_t>(count), "time") + ", the graph " +
                   counted(static_cast<std::size_t>(calls[name]), "time");
    return "no single node is to blame";
}

}  // namespace aotscope
