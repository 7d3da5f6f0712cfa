#include "compile/fused/fused.h"

#include "compile/fused/group_call.h"
#include "execute/plan.h"
#include "support/error.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace aotscope {

namespace {

/// Rewrites the graph with a call in place of each group.
class Rewriting {
public:
    Rewriting(const Graph& graph, const GroupedGraph& grouped)
        : source_(graph), grouped_(grouped), graph_(std::make_unique<Graph>(graph.name())) {
        for (const Node* node : graph.nodes()) nextId_ = std::max(nextId_, node->id() + 1);
    }

    std::unique_ptr<Graph> run() {
        graph_->setSymbols(source_.symbols());
        for (const GroupedStep& step : grouped_.order) {
            if (!step.node) addGroup(step.group);
            else if (step.node->kind() == NodeKind::output) addOutput();
            else mapped_[step.node] = graph_->copyNode(step.node, [&](Node* n) { return Argument(mapped_.at(n)); });
        }
        return std::move(graph_);
    }

    static std::string opOf(std::size_t group) { return "fused.group." + std::to_string(group); }

private:
    /// The last value comes first: observers see it as the result of the step.
    void addGroup(std::size_t index) {
        const FusionGroup& group = grouped_.groups[index];
        std::vector<Argument> args;
        for (const GroupTensor& input : group.inputs) args.emplace_back(mapped_.at(input.node));
        for (const Node* base : group.bases)
            if (base) args.emplace_back(mapped_.at(base));
        for (const Node* number : group.numbers) args.emplace_back(mapped_.at(number));
        const Node* last = group.outputs.front().node;
        if (group.outputs.size() == 1) {
            Node* call = graph_->addCall(opOf(index), std::move(args), {}, last->type, last->name());
            graph_->setIdentity(call, last->id());
            mapped_[last] = call;
            return;
        }
        TupleType types;
        for (const GroupTensor& output : group.outputs) types.push_back(output.node->type);
        Node* call = graph_->addCall(opOf(index), std::move(args), {}, ValueType{std::move(types)});
        graph_->setIdentity(call, last->id());
        for (std::size_t i = 0; i < group.outputs.size(); ++i) {
            const Node* node = group.outputs[i].node;
            Node* item =
                graph_->addCall("operator.getitem", {call, static_cast<std::int64_t>(i)}, {}, node->type, node->name());
            graph_->setIdentity(item, nextId_++);
            mapped_[node] = item;
        }
    }

    void addOutput() {
        std::vector<Argument> values;
        for (const Argument& value : source_.outputs())
            values.push_back(mapNodes(value, [&](Node* n) { return Argument(mapped_.at(n)); }));
        graph_->setOutput(std::move(values), source_.outputSlots());
    }

    const Graph& source_;
    const GroupedGraph& grouped_;
    std::unique_ptr<Graph> graph_;
    std::unordered_map<const Node*, Node*> mapped_;
    NodeId nextId_ = 0;
};

class FusedCompiler final : public Compiler {
public:
    FusedCompiler(GroupingOptions options, KernelFactory make) : options_(std::move(options)), make_(std::move(make)) {}

    std::string name() const override { return "fused"; }

    std::shared_ptr<const CompiledGraph> compile(const Graph& graph, const ConstantTable& constants) const override {
        GroupingOptions options = options_;
        std::map<std::string, std::string> without;  // devices without kernels, and why
        options.runsOn = [&](const Device& device) {
            return !without.contains(device.name) && (!options_.runsOn || options_.runsOn(device));
        };
        for (;;) {
            const GroupedGraph grouped = groupOperations(graph, options);
            std::map<std::string, std::shared_ptr<const StepKernel>> kernels;
            const std::size_t before = without.size();
            for (std::size_t i = 0; i < grouped.groups.size() && without.size() == before; ++i) {
                const FusionGroup& group = grouped.groups[i];
                const Device& device = group.outputs.front().node->type.tensor()->device;
                try {
                    kernels[Rewriting::opOf(i)] = makeGroupCall(group, make_(group.kernel, device));
                } catch (const Error& e) {
                    without.emplace(device.name, e.what());
                }
            }
            if (without.size() > before) continue;
            const auto rewritten = Rewriting(graph, grouped).run();
            PlanRules rules;
            rules.kernel = [&](const Node& node) {
                const auto it = kernels.find(node.op());
                return it == kernels.end() ? nullptr : it->second;
            };
            return interpret(makePlan(*rewritten, constants, rules), idsOf(grouped), noteOn(graph, without));
        }
    }

private:
    static std::string noteOn(const Graph& graph, const std::map<std::string, std::string>& without) {
        std::string note;
        for (const auto& [device, why] : without)
            note += (note.empty() ? "" : "; ") + ("the " + graph.name() + " graph's operations on '" + device) +
                    "' run one by one, for " + why;
        return note;
    }
    static std::vector<std::vector<NodeId>> idsOf(const GroupedGraph& grouped) {
        std::vector<std::vector<NodeId>> groups;
        for (const FusionGroup& group : grouped.groups) {
            auto& ids = groups.emplace_back();
            for (const Node* node : group.nodes) ids.push_back(node->id());
        }
        return groups;
    }

    GroupingOptions options_;
    KernelFactory make_;
};

}  // namespace

std::unique_ptr<Compiler> makeFused(const GroupingOptions& options, KernelFactory make) {
    return std::make_unique<FusedCompiler>(options, std::move(make));
}

}  // namespace aotscope
