#include "verify/bisect.h"

#include "aten/random_state.h"
#include "ir/provenance.h"
#include "verify/check.h"
#include "verify/eager_log.h"
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
          record_(*compilation.record),
          runner_(modelRun, compilation, options, sizes) {}

    BisectResult run() {
        result_.sizes = sizes_;
        result_.notes = runner_.notes();
        const PassRecord* good = nullptr;
        for (std::size_t i = firstPass(); i < record_.passes.size() && !result_.found; ++i) {
            const PassRecord& pass = record_.passes[i];
            const std::string passName(name(pass.id));
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
            result_.pass = passName;
            result_.outputs = std::move(values.differences);
            locate(pass, good);
        }
        for (Difference& difference : result_.outputs) difference.sizes = sizes_;
        return std::move(result_);
    }

private:
    /// After the source, which is text. At other sizes than the example's, graphs are valid from the pass on that
    /// expresses sizes.
    std::size_t firstPass() const {
        if (sizes_.empty()) return 1;
        const auto it = std::ranges::find(record_.passes, PassId::dynamicShapes, &PassRecord::id);
        return static_cast<std::size_t>(it - record_.passes.begin());
    }

    /// The values of the pass before where nodes have the same ids, else those of an eager run.
    std::unique_ptr<PassReference> referenceFor(const PassRecord& pass, const PassRecord* good) {
        if (pass.lineage == MatchBy::structure || !good ||
            good->graphs.front().first == GraphKind::preFunctionalization) {
            progress_.enter("operations of an eager run");
            return EagerLog::record(modelRun_, options_, sizes_);
        }
        progress_.enter("values after " + std::string(name(good->id)));
        std::vector<const Graph*> graphs;
        for (const auto& [kind, graph] : good->graphs) graphs.push_back(graph.get());
        auto reference = std::make_unique<SnapshotValues>(std::move(graphs));
        runner_.run(*good, {}, [&](const Node& node, const c10::IValue& value) {
            reference->add(node, value);
            return Judgement();
        });
        return reference;
    }

    void locate(const PassRecord& pass, const PassRecord* good) {
        const auto reference = referenceFor(pass, good);
        progress_.enter("nodes after " + std::string(name(pass.id)));
        const PassValues values = runner_.run(
            pass, before_, [&](const Node& node, const c10::IValue& value) { return reference->judge(node, value); });
        for (std::size_t i = 0; i < values.runs.size(); ++i)
            if (const FirstBadNode bad = findFirstBadNode(values.runs[i], *reference); bad.node)
                return blame(bad, pass.graphs[i].first);
        result_.reason =
            pass.id == PassId::compile ? aroundTheNodes() : reference->missingFrom(*pass.graphs.front().second);
    }

    std::string aroundTheNodes() const {
        for (const CompilerUse& use : record_.compilers)
            if (use.used != "interpreter")
                return "every node is correct by itself; the fault is in " + use.used + ", which runs the " +
                       use.graph + " graph, or in what is done around the graphs";
        return "every node is correct; the fault is in what is done around the graphs (inputs written back, outputs "
               "regenerated, gradients passed on)";
    }

    /// Empty: by the interpreter.
    std::string computedBy(const std::string& graph) const {
        for (const CompilerUse& use : record_.compilers)
            if (use.graph == graph && use.used != "interpreter")
                return "it is computed by " + use.used + ", which runs the " + graph + " graph";
        return {};
    }

    void blame(const FirstBadNode& bad, GraphKind kind) {
        const Node& node = *bad.node;
        result_.graph = name(kind);
        result_.node = bad.removed ? kNoNode : node.id();
        result_.nodeName = node.name();
        result_.op = node.op();
        result_.place = placeText(provenanceOf(node).source.get());
        result_.reason = bad.reason;
        if (bad.reason.empty() && result_.pass == name(PassId::compile)) result_.reason = computedBy(result_.graph);
        result_.value = bad.value;
    }

    const ModelRun& modelRun_;
    const Options& options_;
    const Progress& progress_;
    SymbolValues sizes_;
    const CompileRecord& record_;
    PassRunner runner_;
    Returned before_;  ///< of the last pass that was right
    BisectResult result_;
};

}  // namespace

BisectResult bisectAgainstEager(const ModelRun& modelRun, const Compilation& compilation, const Options& options,
                                const Progress& progress) {
    const RandomStateGuard kept;
    progress.enter("eager run");
    BisectResult result = Bisection(modelRun, compilation, options, progress, {}).run();
    const auto& symbols = compilation.record->symbols;
    if (!result.found && !symbols.empty())
        for (const SymbolValues& sizes : sizesToCheck(modelRun, symbols, compilation.function->sizes(), options)) {
            if (compilation.function->failedGuard(modelRun.arguments(/*ownState=*/true, sizes).leaves)) continue;
            result = Bisection(modelRun, compilation, options, progress, sizes).run();
            if (result.found) break;
        }
    return result;
}

}  // namespace aotscope
