#include "ops/redistribution.h"

#include "ir/provenance.h"
#include "ops/op_table.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

namespace aotscope {

namespace {

bool saysDTensor(const SourceInfo* source) {
    if (!source) return false;
    const auto has = [](const std::string& text, const char* what) { return text.find(what) != std::string::npos; };
    return has(source->file, "distributed/tensor/") || has(source->text, "DTensor") ||
           has(source->text, "redistribute(") || has(source->text, "full_tensor(");
}

/// Whether its source line says so, or that of one of the values that it is computed from.
bool isOfDTensor(const Node& collective) {
    constexpr std::size_t most = 500;
    std::vector<const Node*> waiting{&collective};
    std::unordered_set<const Node*> seen{&collective};
    for (std::size_t i = 0; i < waiting.size() && i < most; ++i) {
        if (saysDTensor(provenanceOf(*waiting[i]).source.get())) return true;
        for (const Node* input : waiting[i]->inputs())
            if (seen.insert(input).second) waiting.push_back(input);
    }
    return false;
}

/// The integer argument of `node` at `position`; `otherwise` if it is not an integer.
std::int64_t integerAt(const Node& node, std::size_t position, std::int64_t otherwise) {
    const auto* number = position < node.args().size() ? node.args()[position].integer() : nullptr;
    return number ? *number : otherwise;
}

/// The node that computes the tuple of an element.
const Node* ownerOf(const Node* node) {
    return node && isGetitem(*node) && !node->args().empty() ? node->args()[0].node() : node;
}

std::string shard(std::int64_t dimension) { return "Shard(" + std::to_string(dimension) + ")"; }

bool isSplit(const Node& node) {
    const auto packet = packetOf(node.op());
    return packet == "aten.split" || packet == "aten.chunk" || packet == "aten.split_with_sizes";
}

/// The node that concatenates all elements of `split` again, in another dimension; null if there is no such node.
const Node* joinOf(const Node& split) {
    for (const Node* element : split.users())
        for (const Node* user : element->users()) {
            const auto* parts =
                user->isCall("aten.cat.default") && !user->args().empty() ? user->args()[0].list() : nullptr;
            if (parts && parts->size() == split.users().size() &&
                std::ranges::all_of(*parts, [&](const Argument& part) { return ownerOf(part.node()) == &split; }))
                return user;
        }
    return nullptr;
}

/// Collectives gather along the first dimension, and each rank may keep its shard of another one.
std::string gathered(const Node& collective) {
    const auto isWait = [](const Node* user) { return packetOf(user->op()) == "_c10d_functional.wait_tensor"; };
    const auto wait = std::ranges::find_if(collective.users(), isWait);
    std::int64_t from = 0;
    const Node* whole = wait == collective.users().end() ? &collective : *wait;
    for (const Node* user : whole->users())
        if (const Node* join = isSplit(*user) ? joinOf(*user) : nullptr) {
            from = integerAt(*join, 1, 0);
            whole = join;
            break;
        }
    const auto keepsOne = [](const Node* user) { return isSplit(*user) && user->users().size() == 1; };
    if (whole->users().empty() || !std::ranges::all_of(whole->users(), keepsOne))
        return shard(from) + " -> Replicate()";
    return shard(from) + " -> " + shard(integerAt(*whole->users().front(), 2, 0));
}

/// The dimension along which the operand of `scatter` was split, to be scattered along the first.
std::int64_t cutAlong(const Node& scatter) {
    const Node* joined = scatter.args().empty() ? nullptr : scatter.args()[0].node();
    if (!joined || !joined->isCall("aten.cat.default") || joined->args().empty()) return 0;
    std::int64_t along = 0;
    forEachNode(joined->args()[0], [&](const Node* part) {
        if (const Node* split = ownerOf(part); split && isSplit(*split)) along = integerAt(*split, 2, 0);
    });
    return along;
}

std::string partial(const Node& collective) {
    const auto* how = collective.args().size() > 1 ? std::get_if<std::string>(&collective.args()[1].value) : nullptr;
    return "Partial(" + (how ? *how : std::string()) + ")";
}

}  // namespace

std::string redistributionOf(const Node& collective) {
    const auto packet = packetOf(collective.op());
    const auto is = [&](const char* name) { return packet == name; };
    const bool gathers = is("_c10d_functional.all_gather_into_tensor");
    const bool scatters = is("_c10d_functional.reduce_scatter_tensor"), reduces = is("_c10d_functional.all_reduce");
    const bool exchanges = is("_dtensor.shard_dim_alltoall");
    if (!(gathers || scatters || reduces || exchanges) || !(exchanges || isOfDTensor(collective))) return {};
    if (gathers) return gathered(collective);
    if (reduces) return partial(collective) + " -> Replicate()";
    if (scatters) return partial(collective) + " -> " + shard(cutAlong(collective));
    return shard(integerAt(collective, 1, 0)) + " -> " + shard(integerAt(collective, 2, 0));
}

}  // namespace aotscope
