// The interpreter with a fault: one operation returns other numbers.

#include "plant_fault.h"

#include <cmath>
#include <memory>

using namespace aotscope;

namespace {

/// A copy in which the result of `node` is multiplied by a number.
std::unique_ptr<Graph> scaled(const Graph& graph, NodeId node, double by) {
    auto copy = graph.clone();
    Node* right = copy->findById(node);
    Node* wrong = plantBehind(*copy, right, "aten.mul.Scalar", by);
    // Observers see the wrong value as that of the node.
    const NodeId fresh = wrong->id() + 1;
    copy->setIdentity(wrong, node);
    copy->setIdentity(right, fresh);
    return copy;
}

class PlantedCompiler final : public Compiler {
public:
    explicit PlantedCompiler(const CompilerSettings& settings)
        : at_(settings.at("at")), graph_(settings.at("graph")), by_(std::stod(settings.at("by"))) {}
    std::string name() const override { return "planted"; }
    std::shared_ptr<const CompiledGraph> compile(const Graph& graph, const ConstantTable& constants) const override {
        const Node* node = graph_.empty() || graph.name() == graph_ ? concerned(graph) : nullptr;
        return makeInterpreter()->compile(node ? *scaled(graph, node->id(), by_) : graph, constants);
    }

private:
    const Node* concerned(const Graph& graph) const {
        for (const Node* node : graph.nodes())
            if (node->name() == at_ && node->kind() == NodeKind::call && node->type.tensor()) return node;
        return nullptr;
    }

    std::string at_, graph_;
    double by_;
};

const CompilerPlugin kPlugin = {{"planted",
                                 "computes one operation wrong",
                                 {{"at", "", "the name of its node", {}},
                                  {"graph", "", "only in the graph of this name; empty: in all", {}},
                                  {"by", "2", "what its result is multiplied by", {}}}},
                                [](const CompilerSettings& settings) -> std::unique_ptr<Compiler> {
                                    return std::make_unique<PlantedCompiler>(settings);
                                }};

}  // namespace

AOTSCOPE_COMPILER_PLUGIN(kPlugin)
