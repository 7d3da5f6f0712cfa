#include "compile/fused/fused.h"

#include "compile/fused/group_call.h"
#include "compile/fused/grouped_graph.h"
#include "execute/plan.h"
#include "support/error.h"

#include <map>
#include <vector>

namespace aotscope {

namespace {

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
            std::vector<std::shared_ptr<const StepKernel>> kernels;
            const std::size_t before = without.size();
            for (std::size_t i = 0; i < grouped.groups.size() && without.size() == before; ++i) {
                const FusionGroup& group = grouped.groups[i];
                const Device& device = group.outputs.front().node->type.tensor()->device;
                try {
                    kernels.push_back(makeGroupCall(group, make_(group.kernel, device)));
                } catch (const Error& e) {
                    without.emplace(device.name, e.what());
                }
            }
            if (without.size() > before) continue;
            const GraphOfGroups rewritten = graphOfGroups(graph, grouped);
            PlanRules rules;
            rules.kernel = [&](const Node& node) {
                const auto call = rewritten.groupOf.find(&node);
                return call == rewritten.groupOf.end() ? nullptr : kernels[call->second];
            };
            return interpret(makePlan(*rewritten.graph, constants, rules), idsOf(grouped), noteOn(graph, without));
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

    GroupingOptions options_;
    KernelFactory make_;
};

}  // namespace

std::unique_ptr<Compiler> makeFused(const GroupingOptions& options, KernelFactory make) {
    return std::make_unique<FusedCompiler>(options, std::move(make));
}

}  // namespace aotscope
