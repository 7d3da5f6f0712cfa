#include "passes/printed_record.h"

#include "cost/copies_saved.h"
#include "ir/verifier.h"
#include "load/printed/syntax/roles.h"
#include "ops/decompositions/decomposition_table.h"
#include "passes/printed_comparison.h"
#include "passes/tail.h"
#include "record/model_kind.h"
#include "record/partition_figures.h"
#include "support/elapsed.h"
#include "support/error.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <stdexcept>

namespace aotscope {

const PrintedCompile& chooseCompile(const LogIndex& index, const std::string& id) {
    if (id.empty()) {
        const auto useful = std::find_if(index.compiles.begin(), index.compiles.end(), [](const PrintedCompile& c) {
            return std::any_of(c.sections.begin(), c.sections.end(), [](const PrintedSection& s) {
                return s.kind != PrintedKind::source && s.kind != PrintedKind::preGrad &&
                       s.kind != PrintedKind::metadata;
            });
        });
        return useful == index.compiles.end() ? index.compiles.front() : *useful;
    }
    constexpr std::size_t most = 12;
    std::string known;
    for (std::size_t i = 0; i < index.compiles.size(); ++i) {
        if (index.compiles[i].id == id) return index.compiles[i];
        if (i < most) known += (i ? ", " : "") + index.compiles[i].id;
    }
    if (index.compiles.size() > most) known += ", ...";
    throw UsageError("--compile-id " + id + ": '" + index.path.filename().string() + "' has " + known +
                     "; list them with 'aotscope compiles'");
}

namespace {

using Clock = std::chrono::steady_clock;

/// Python's own partition, derived from the printed forward and backward.
std::shared_ptr<const Partition> printedPartition(const PrintedFamily& family) {
    const auto forward = family.graphs.find(GraphKind::forward), backward = family.graphs.find(GraphKind::backward);
    if (forward == family.graphs.end() || backward == family.graphs.end()) return nullptr;
    auto partition = std::make_shared<Partition>();
    partition->algorithm = PartitionAlgorithm::printed;
    partition->forward = forward->second;
    partition->backward = backward->second;
    std::set<NodeId> inForward;
    for (const Node* node : forward->second->nodes())
        if (node->kind() == NodeKind::call) inForward.insert(node->id());
    for (const Node* node : backward->second->nodes()) {
        if (node->kind() == NodeKind::call && inForward.contains(node->id()))
            partition->recomputed.push_back(recomputedValue(*node));
        if (node->role != Role::saved && node->role != Role::savedSymint) continue;
        SavedValue value;
        value.node = node->id();
        value.name = node->name();
        const Node* made = forward->second->findById(node->id());
        const bool input = made && made->kind() == NodeKind::placeholder;
        value.op = !made || input ? "placeholder" : made->kind() == NodeKind::call ? made->op() : "constant";
        if (input) value.label = made->label;
        if (const auto* tensor = (made ? made : node)->type.tensor()) value.type = *tensor;
        else if (node->role == Role::savedSymint) value.type.dtype = DType::i64;
        else value.type.sizes = {0};  // unknown: no bytes
        if (const auto unsized = family.unsized.find(node->name()); unsized != family.unsized.end())
            value.unsized = unsized->second;
        value.kind = node->role == Role::savedSymint ? SavedValue::Kind::symint
                     : input                         ? SavedValue::Kind::input
                                                     : SavedValue::Kind::activation;
        value.reason = "saved in the printed graphs";
        partition->saved.push_back(std::move(value));
    }
    return partition;
}

/// A partitioner for which parameters are free never saves views of them. PyTorch before 2.7 counts them like any other
/// value, and logs do not contain the version.
bool savesViewsOfStaticInputs(const PrintedFamily& family) {
    const auto joint = family.graphs.find(GraphKind::joint), backward = family.graphs.find(GraphKind::backward);
    if (joint == family.graphs.end() || backward == family.graphs.end()) return false;
    std::set<std::int64_t> storages;
    for (const Node* input : joint->second->placeholders())
        if (const TensorType* type = input->type.tensor();
            type && (input->role == Role::parameter || input->role == Role::buffer))
            storages.insert(type->storage);
    return std::ranges::any_of(backward->second->placeholders(), [&](const Node* saved) {
        const Node* value = saved->role == Role::saved ? joint->second->findById(saved->id()) : nullptr;
        const TensorType* type = value ? value->type.tensor() : nullptr;
        return type && value->kind() == NodeKind::call && type->storage >= 0 && storages.contains(type->storage);
    });
}

constexpr const char* kTypesUnknown =
    "some sizes are symbols without a value; log their values as well, with TORCH_TRACE or TORCH_LOGS=dynamic, or give "
    "them: run LOG --check --at NAME=SIZE. No log contains data-dependent sizes, such as the number of steps of a "
    "while_loop";

class PrintedRecorder {
public:
    PrintedRecorder(const Options& options, PrintedFamily family, const GraphRules& rules, const SplitSources& sources)
        : options_(options), family_(std::move(family)), rules_(rules), sources_(sources) {}

    std::shared_ptr<CompileRecord> run() {
        record_->fellBack = family_.unreadable;
        record_->warnings = family_.problems;
        if (family_.underived) record_->warnings.push_back(underivedWarning());
        record_->metadata = record_->graphMetadata = std::make_shared<FunctionMetadata>(family_.metadata);
        record_->staticParameters = family_.staticInputs && !savesViewsOfStaticInputs(family_);
        if (!family_.typesKnown) record_->whyNotSplit = kTypesUnknown;
        printed(PassId::source, "the graph that TorchDynamo captured", {GraphKind::source});
        inductor(PassId::preGrad, "Inductor's rewriting of the captured graph", family_.inductor.preGrad);
        printed(PassId::preFunctionalization, "the operations of the program, as exported",
                {GraphKind::preFunctionalization});
        printed(PassId::functional, "without mutation, as exported", {GraphKind::functional});
        printed(PassId::joint, "forward and backward in one graph, as printed", {GraphKind::joint});
        const bool joint = family_.graphs.contains(GraphKind::joint);
        if (joint && !splits()) inductor(PassId::printed, "Inductor's passes over it", family_.inductor.joint);
        if (!splits()) {
            printed(PassId::partition, "forward and backward, as printed", {GraphKind::forward, GraphKind::backward});
            record_->partition = printedPartition(family_);
        } else {
            try {
                split();
            } catch (const Error& e) {
                record_->error = std::string("the printed joint graph cannot be split: ") + e.what();
            } catch (const std::logic_error& e) {  // an invariant that the text does not preserve
                record_->error =
                    std::string("the printed joint graph does not have the form that AOTAutograd produces (") +
                    e.what() + "): print it again without changing it";
            }
        }
        printed(PassId::inference, "no gradients, as printed", {GraphKind::inference});
        if (!joint) inductor(PassId::printed, "Inductor's passes over it", family_.inductor.joint);
        inductor(PassId::postGrad, "Inductor's graph in front of code generation", family_.inductor.postGrad);
        if (!record_->passes.empty()) record_->passes.front().metadata = record_->metadata;
        if (!record_->passes.empty()) record_->passes.front().log = family_.notes;
        warnOfCopies(*record_);
        return record_;
    }

private:
    bool splits() const { return options_.repartition || options_.decompositions; }

    /// Graphs from elsewhere are sound, but may mutate: Inductor's do, and users edit what they paste.
    void add(PassRecord pass, bool changed = true) {
        pass.changed = changed && !record_->passes.empty();
        if (options_.verify)
            for (const auto& [kind, graph] : pass.graphs) requireSound(*graph, name(pass.id));
        addPass(*record_, std::move(pass), /*verify=*/false);
    }

    void printed(PassId id, const char* help, const std::vector<GraphKind>& kinds) {
        PassRecord pass;
        pass.id = id;
        pass.help = help;
        pass.lineage = id == PassId::partition ? MatchBy::id : MatchBy::structure;
        for (const auto kind : kinds)
            if (const auto it = family_.graphs.find(kind); it != family_.graphs.end())
                keepGraph(*record_, pass, kind, it->second);
        if (!pass.graphs.empty()) add(std::move(pass));
    }

    /// Their nodes have the ids of the graphs that they derive from, which are printed, too.
    void inductor(PassId id, const char* help, const std::vector<InductorGraph>& graphs) {
        for (const InductorGraph& own : graphs) {
            PassRecord pass;
            pass.id = own.title.empty() ? id : PassId::printed;
            pass.title = own.title;
            pass.help = help;
            pass.lineage = own.continues && !splits() ? MatchBy::id : MatchBy::structure;
            if (!record_->graphs.contains(own.kind)) record_->graphs[own.kind] = own.graph;
            pass.graphs.emplace_back(own.kind, own.graph);
            add(std::move(pass), own.changed);
        }
    }

    std::shared_ptr<const Graph> decomposed(const Graph& joint) {
        const auto start = Clock::now();
        LoweredGraph lowered = rules_.lower(joint, options_.decompositions, options_.allow);
        PassRecord pass;
        pass.id = PassId::decompose;
        pass.help = "replace operations by simpler ones, as " + options_.decompositions->name + " has it";
        pass.lineage = MatchBy::structure;
        pass.ms = msSince(start);
        keepGraph(*record_, pass, GraphKind::joint, lowered.graph);
        record_->rewrites = std::move(lowered.rewrites);
        add(std::move(pass));
        return record_->graph(GraphKind::joint);
    }

    /// The pipeline's own passes from the joint graph on.
    void split() {
        const auto printedJoint = family_.graphs.find(GraphKind::joint);
        if (printedJoint == family_.graphs.end())
            throw Error("the file has no joint graph; print it with TORCH_LOGS=aot_joint_graph or TORCH_TRACE");
        if (!record_->whyNotSplit.empty()) throw Error(record_->whyNotSplit);
        std::shared_ptr<const Graph> joint = printedJoint->second;
        if (const std::string why = whyNoForward(*joint); !why.empty()) throw Error(why);
        if (options_.decompositions) joint = decomposed(*joint);
        Tail tail{.record = *record_,
                  .partition = options_.partition,
                  .model = rooflineTimes(sources_.machine),
                  .plans = sources_.plans,
                  .graph = std::move(joint)};
        runTail(tail, options_.verify);
        const PrintedComparison found = compareWithPrinted(*record_, family_);
        record_->notes = found.equal;
        record_->warnings.insert(record_->warnings.end(), found.different.begin(), found.different.end());
        auto& log = record_->passes.back().log;
        log.insert(log.end(), found.equal.begin(), found.equal.end());
        log.insert(log.end(), found.different.begin(), found.different.end());
    }

    const Options& options_;
    PrintedFamily family_;
    const GraphRules& rules_;
    const SplitSources& sources_;
    std::shared_ptr<CompileRecord> record_ = std::make_shared<CompileRecord>();
};

}  // namespace

namespace {

bool hasSymbol(const PrintedFamily& family, const std::string& name) {
    return std::any_of(family.graphs.begin(), family.graphs.end(), [&](const auto& entry) {
        const auto& symbols = entry.second->symbols();
        return std::ranges::find(symbols, name, &Symbol::name) != symbols.end();
    });
}

/// The graphs with symbol values from the options instead of those that were traced.
PrintedFamily familyAt(const LogIndex& index, PrintedCompile compile, const Options& options, const GraphRules& rules) {
    for (const SymbolValues& values : options.checkSizes)
        for (const auto& [name, value] : values) compile.hints[name] = value;
    PrintedFamily family = readFamily(index, compile, rules);
    for (const SymbolValues& values : options.checkSizes)
        for (const auto& [name, value] : values)
            if (!hasSymbol(family, name))
                throw UsageError("--at " + name + "=" + std::to_string(value) +
                                 ": the printed graphs have no size of this name; expected a symbol of their types, as "
                                 "in f32[s0, 4]");
    return family;
}

}  // namespace

std::shared_ptr<const CompileRecord> makePrintedRecord(const Options& options, const LogIndex& index,
                                                       const GraphRules& rules, const Progress& progress,
                                                       const SplitSources& sources) {
    const auto start = Clock::now();
    const PrintedCompile& compile = chooseCompile(index, options.compileId);
    auto family = familyAt(index, compile, options, rules);
    progress.throwIfCancelled();
    const double load = msSince(start);
    const auto record = PrintedRecorder(options, std::move(family), rules, sources).run();
    record->times.load = load;
    record->times.total = msSince(start);
    record->model = {index.path.stem().string() + (index.compiles.size() > 1 ? " [" + compile.id + "]" : ""),
                     index.path.string(),
                     std::string(index.exported ? kExportedGraph
                                 : index.trace  ? kTraceLog
                                                : kPrintedGraphs),
                     {}};
    return record;
}

}  // namespace aotscope
