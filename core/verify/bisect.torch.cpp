#include "verify/bisect.h"

#include "aten/full_precision.h"
#include "aten/random_state.h"
#include "ir/provenance.h"
#include "support/error.h"
#include "verify/check.h"
#include "verify/eager_log.h"
#include "verify/judge/operation_judge.h"
#include "verify/pass_values.h"

#include <algorithm>

namespace aotscope {

namespace {

class Bisection {
public:
    Bisection(const ModelRun& modelRun, const Compilation& compilation, const Options& options,
              const Progress& progress, const SymbolValues& sizes)
        : modelRun_(modelRun),
          options_(options),
          progress_(progress),
          sizes_(sizes),
          compilation_(compilation),
          record_(*compilation.record),
          runner_(modelRun, compilation, options, sizes) {}

    BisectResult run() {
        result_.sizes = sizes_;
        result_.notes = runner_.notes();
        const PassRecord* good = nullptr;
        for (std::size_t i = firstPass(); i < record_.passes.size() && !result_.found; ++i) {
            const PassRecord& pass = record_.passes[i];
            const std::string passName(name(pass));
            if (pass.graphs.empty()) {
                result_.notes.push_back("pass '" + passName + "' was left out: " + pass.log.front());
                continue;
            }
            progress_.enter(stageOf("pass", i, record_.passes.size() - 1));
            progress_.enter("values after " + passName);
            PassValues values = runner_.run(pass, before_, nullptr);
            if (!values.evaluated) {
                result_.notes.push_back("pass '" + passName +
                                        "' was left out: its graph takes other inputs than the "
                                        "compiled one");
                continue;
            }
            result_.passes.push_back(passName);
            if (values.differences.empty()) {
                before_ = std::move(values.returned);
                good = &pass;
                continue;
            }
            result_.found = true;
            result_.pass = pass.id;
            result_.title = pass.title;
            result_.outputs = std::move(values.differences);
            locate(pass, good);
        }
        for (Difference& difference : result_.outputs) difference.sizes = sizes_;
        return std::move(result_);
    }

private:
    /// After the source, which is text. At other sizes than the example's, graphs are valid only after the pass that
    /// expresses sizes.
    std::size_t firstPass() const {
        if (sizes_.empty()) return 1;
        const auto it = std::ranges::find(record_.passes, PassId::dynamicShapes, &PassRecord::id);
        return static_cast<std::size_t>(it - record_.passes.begin());
    }

    /// The values of the previous pass if nodes have the same ids, otherwise those of an eager run.
    std::unique_ptr<PassReference> referenceFor(const PassRecord& pass, const PassRecord* good) {
        if (pass.lineage == MatchBy::structure || !good ||
            good->graphs.front().first == GraphKind::preFunctionalization) {
            progress_.enter("operations of an eager run");
            auto log = EagerLog::record(modelRun_, options_, sizes_);
            log->measure(modelRun_, options_, sizes_);
            return log;
        }
        progress_.enter("values after " + std::string(name(*good)));
        std::vector<const Graph*> graphs;
        for (const auto& [kind, graph] : good->graphs) graphs.push_back(graph.get());
        auto reference = std::make_unique<SnapshotValues>(std::move(graphs));
        runner_.run(*good, {}, [&](const Node& node, const c10::IValue& value) {
            reference->add(node, value);
            return Judgement();
        });
        reference->measure([&](const Arithmetic& as) { return runner_.values(*good, as); });
        return reference;
    }

    void locate(const PassRecord& pass, const PassRecord* good) {
        if (pass.id == PassId::compile && locateWrongOperation(pass)) return;
        const auto reference = referenceFor(pass, good);
        progress_.enter("nodes after " + std::string(name(pass)));
        const PassValues values = runner_.run(
            pass, before_, [&](const Node& node, const c10::IValue& value) { return reference->judge(node, value); });
        for (std::size_t i = 0; i < values.runs.size(); ++i)
            if (const FirstBadNode bad = findFirstBadNode(values.runs[i], *reference); bad.node)
                return blame(bad, pass.graphs[i].first);
        result_.reason =
            pass.id == PassId::compile ? aroundTheNodes() : reference->missingFrom(*pass.graphs.front().second);
    }

    /// A compiler's own fault: its graph is right, and the first operation that computes a wrong result from its
    /// operands is to blame, whatever follows.
    bool locateWrongOperation(const PassRecord& pass) {
        progress_.enter("operations one by one");
        std::vector<const Graph*> graphs;
        for (const auto& [kind, graph] : pass.graphs) graphs.push_back(graph.get());
        OperationJudge operations(graphs, compilation_.constants.working, options_);
        const PassValues values = runner_.run(
            pass, {}, [&](const Node& node, const c10::IValue& value) { return operations.judge(node, value); });
        for (std::size_t i = 0; i < values.runs.size(); ++i)
            for (const Node* node : graphs[i]->nodes()) {
                const auto judged = values.runs[i].judgements.find(node->id());
                if (judged == values.runs[i].judgements.end() || judged->second.verdict != Verdict::bad) continue;
                blame({node, false, {}, judged->second.difference}, pass.graphs[i].first);
                return true;
            }
        return false;
    }

    std::string aroundTheNodes() const {
        for (const CompilerUse& use : record_.compilers)
            if (use.used != "interpreter")
                return "every node is correct by itself; the fault is in " + use.used + ", which runs the " +
                       std::string(name(use.graph)) + " graph, or in what is done around the graphs";
        return "every node is correct; the fault is in what is done around the graphs (inputs written back, outputs "
               "regenerated, gradients passed on)";
    }

    /// Empty for the interpreter.
    std::string computedBy(GraphKind graph) const {
        for (const CompilerUse& use : record_.compilers)
            if (use.graph == graph && use.used != "interpreter")
                return "it is computed by " + use.used + ", which runs the " + std::string(name(graph)) + " graph";
        return {};
    }

    void blame(const FirstBadNode& bad, GraphKind kind) {
        const Node& node = *bad.node;
        result_.graph = kind;
        result_.node = bad.removed ? kNoNode : node.id();
        result_.nodeName = node.name();
        result_.op = node.op();
        result_.place = placeText(provenanceOf(node).source.get());
        result_.reason = bad.reason;
        if (bad.reason.empty() && result_.pass == PassId::compile) result_.reason = computedBy(kind);
        result_.value = bad.value;
    }

    const ModelRun& modelRun_;
    const Options& options_;
    const Progress& progress_;
    SymbolValues sizes_;
    const Compilation& compilation_;
    const CompileRecord& record_;
    PassRunner runner_;
    Returned before_;  ///< of the last correct pass
    BisectResult result_;
};

BisectResult bisectAtExample(const ModelRun& modelRun, const Compilation& compilation, const Options& options,
                             const Progress& progress) {
    const RandomStateGuard kept;
    const FullPrecision inFull;
    progress.enter("eager run");
    return Bisection(modelRun, compilation, options, progress, {}).run();
}

}  // namespace

BisectResult bisectAgainstEager(const ModelRun& modelRun, const Compilation& compilation, const Options& options,
                                const Progress& progress) {
    BisectResult result = bisectAtExample(modelRun, compilation, options, progress);
    const RandomStateGuard kept;
    const FullPrecision inFull;
    const auto& symbols = compilation.record->symbols;
    if (!result.found && !symbols.empty())
        for (const SymbolValues& sizes : sizesToCheck(modelRun, symbols, compilation.function->sizes(), options)) {
            if (compilation.function->failedGuard(modelRun.arguments(/*ownState=*/true, sizes).leaves)) continue;
            if (!runsInEager(modelRun, sizes, options)) continue;
            result = Bisection(modelRun, compilation, options, progress, sizes).run();
            if (result.found) break;
        }
    return result;
}

std::optional<BisectResult> firstDifference(const ModelRun& modelRun, const Compilation& compilation,
                                            const Options& options, const Progress& progress) {
    const CheckResult checked = checkAtExample(modelRun, compilation.function, options, progress);
    switch (checked.verdict()) {
        case CheckVerdict::equal: return std::nullopt;
        case CheckVerdict::notCompared: throw Error("there is nothing to compare with: " + backwardFailure(checked));
        case CheckVerdict::differs: break;
    }
    BisectResult result = bisectAtExample(modelRun, compilation, options, progress);
    if (!result.found) result.outputs = checked.differences;  // of strides, aliasing and the like
    return result;
}

}  // namespace aotscope
