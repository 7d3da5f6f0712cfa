#include "load/printed/log/unknown_kinds.h"

#include "load/printed/printed_metadata.h"
#include "load/printed/syntax/roles.h"
#include "support/error.h"

#include <algorithm>
#include <array>
#include <exception>
#include <unordered_set>

namespace aotscope {

namespace {

bool dependsOn(const Argument& output, const std::unordered_set<const Node*>& nodes) {
    return output.node() && nodes.contains(output.node());
}

/// An operation below TorchDynamo: one with an overload, "mylib.f.default", or one of the few without.
bool isLowered(const Node& node) {
    static constexpr std::array<std::string_view, 5> kWithout = {"operator.", "higher_order.", "math.", "torch.sym_",
                                                                 "torch._sym_"};
    const std::string_view op = node.op();
    return packetOf(op).size() < op.size() ||
           std::any_of(kWithout.begin(), kWithout.end(), [&](std::string_view start) { return op.starts_with(start); });
}

/// TorchDynamo's graph calls Python functions, and its inputs are named after variables: "L_x_".
bool isSource(const Graph& graph) {
    for (const Node* node : graph.nodes()) {
        if (node->kind() == NodeKind::call && !isLowered(*node)) return true;
        if (node->kind() == NodeKind::placeholder && node->name().starts_with("L_")) return true;
    }
    return false;
}

}  // namespace

PrintedKind guessKind(PrintedModule& module) {
    setPlaceholderRoles(module, false);
    if (tangentsOf(*module.graph).empty()) {
        if (isSource(*module.graph)) return PrintedKind::source;
        return hasPrimals(*module.graph) ? PrintedKind::forward : PrintedKind::inference;
    }
    // A joint graph returns the outputs of the forward, followed by one gradient for every primal.
    const auto dependent = dependOnTangents(*module.graph);
    const auto first = std::find_if(module.outputs.begin(), module.outputs.end(),
                                    [](const Argument& output) { return output.node() != nullptr; });
    const bool forwardFirst = first != module.outputs.end() && !dependsOn(*first, dependent);
    const bool joint =
        module.jointSignature || (forwardFirst && module.outputs.size() > primalsOf(*module.graph).size());
    return joint ? PrintedKind::joint : PrintedKind::backward;
}

void resolveUnknown(LogIndex& index) {
    if (index.compiles.size() == 1) return;  // nothing to pair it with: its kind is determined when it is read
    std::vector<PrintedCompile> resolved;
    bool joinable = false;  // the last one only has graphs without a heading
    std::exception_ptr failure;
    for (auto& compile : index.compiles) {
        const bool unknown = compile.sections.size() == 1 && compile.sections[0].kind == PrintedKind::unknown;
        if (unknown) {
            PrintedSection& section = compile.sections[0];
            try {
                section.kind = guessKind(*parsePrinted(readSection(index, section), compile.hints));
            } catch (const Error&) {  // another class; ignored if there are graphs besides it
                if (!failure) failure = std::current_exception();
                continue;
            }
            const auto has = [&](PrintedKind kind) {
                return std::any_of(resolved.back().sections.begin(), resolved.back().sections.end(),
                                   [&](const PrintedSection& s) { return s.kind == kind; });
            };
            const bool half = section.kind == PrintedKind::forward || section.kind == PrintedKind::backward;
            if (joinable && half && !has(section.kind) && (has(PrintedKind::joint) || has(PrintedKind::forward))) {
                resolved.back().sections.push_back(std::move(section));
                continue;
            }
        }
        joinable = unknown;
        resolved.push_back(std::move(compile));
    }
    if (resolved.empty() && failure) std::rethrow_exception(failure);
    index.compiles = std::move(resolved);
}

}  // namespace aotscope
