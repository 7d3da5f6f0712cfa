#include "compile/fused/index_call.h"

#include "compile/fused/lowering.h"

#include <algorithm>
#include <numeric>

namespace aotscope {

namespace {

/// As many as the offsets of one instruction.
constexpr std::size_t kMostIndexed = 3;

const TensorType& typeOf(const Node& node) { return *node.type.tensor(); }
int rankOf(const Node& node) { return static_cast<int>(typeOf(node).sizes.size()); }

/// Masks are not indices.
bool isIndex(const Node* node) {
    const TensorType* type = node ? node->type.tensor() : nullptr;
    return type && (type->dtype == DType::i64 || type->dtype == DType::i32);
}

const Node* tensorAt(const Node& call, std::size_t i, std::string_view name) {
    const Argument* argument = call.argument(i, name);
    const Node* node = argument ? argument->node() : nullptr;
    return node && node->type.tensor() ? node : nullptr;
}

/// The dimension that the second argument names.
std::optional<int> dimensionOf(const Node& call, int rank) {
    const Argument* argument = call.argument(1, "dim");
    const std::int64_t* given = argument ? argument->integer() : nullptr;
    if (!given || *given < -rank || *given >= rank) return std::nullopt;
    return static_cast<int>(*given < 0 ? *given + rank : *given);
}

/// The space in which dimensions of indices, which are broadcast, replace those from `first` on.
void placeIndices(IndexCall& call, int first, int indexRank) {
    const int rank = rankOf(*call.tensor), count = static_cast<int>(call.indexed.size());
    for (int d = 0; d < first; ++d) call.direct.push_back(d);
    call.direct.insert(call.direct.end(), static_cast<std::size_t>(indexRank), -1);
    for (int d = first + count; d < rank; ++d) call.direct.push_back(d);
    call.trailing = static_cast<std::size_t>(rank - first - count);
}

/// aten.index and the like: a list with an index, or None, for each dimension.
bool readIndices(const Node& node, IndexCall& call) {
    const Argument* given = node.argument(1, "indices");
    if (!given || !given->list()) return false;
    int indexRank = 0;
    for (std::size_t d = 0; d < given->list()->size(); ++d) {
        const Argument& argument = (*given->list())[d];
        if (argument.isNone()) continue;
        if (!isIndex(argument.node())) return false;
        call.indexed.push_back({static_cast<int>(d), argument.node()});
        indexRank = std::max(indexRank, rankOf(*argument.node()));
    }
    if (call.indexed.empty() || call.indexed.size() > kMostIndexed) return false;
    const int first = call.indexed.front().dimension;
    // Elsewhere their dimensions come first.
    if (call.indexed.back().dimension - first + 1 != static_cast<int>(call.indexed.size())) return false;
    if (call.indexed.back().dimension >= rankOf(*call.tensor)) return false;
    placeIndices(call, first, indexRank);
    return true;
}

bool readIndex(const Node& node, IndexCall& call) {
    call.isWorthAlone = node.op().starts_with("aten._unsafe_index");
    return readIndices(node, call);
}

bool readIndexPut(const Node& node, IndexCall& call) {
    const Argument* accumulates = node.argument(3, "accumulate");
    const bool* given = accumulates ? std::get_if<bool>(&accumulates->value) : nullptr;
    call.values = tensorAt(node, 2, "values");
    if (!given || !*given || !call.values || !readIndex(node, call)) return false;
    const bool isShared = std::any_of(call.direct.begin(), call.direct.end(), [](int d) { return d >= 0; });
    call.isWorthAlone = call.isWorthAlone || isShared;
    return typeOf(*call.tensor).dtype != DType::b8 && (call.isWorthAlone || isShared);
}

bool readEmbedding(const Node& node, IndexCall& call) {
    const Node* index = tensorAt(node, 1, "indices");
    if (!isIndex(index) || rankOf(*call.tensor) != 2) return false;
    call.indexed = {{0, index}};
    call.rule = IndexRule::embedded;
    placeIndices(call, 0, rankOf(*index));
    return true;
}

bool readIndexSelect(const Node& node, IndexCall& call) {
    const auto dimension = dimensionOf(node, rankOf(*call.tensor));
    const Node* index = tensorAt(node, 2, "index");
    if (!dimension || !isIndex(index) || rankOf(*index) != 1) return false;
    call.indexed = {{*dimension, index}};
    call.rule = IndexRule::embedded;
    placeIndices(call, *dimension, 1);
    return true;
}

bool readGather(const Node& node, IndexCall& call) {
    const int rank = rankOf(*call.tensor);
    const auto dimension = dimensionOf(node, rank);
    const Node* index = tensorAt(node, 2, "index");
    if (!dimension || !isIndex(index) || rankOf(*index) != rank) return false;
    call.indexed = {{*dimension, index}};
    call.rule = IndexRule::counts;
    call.direct.resize(static_cast<std::size_t>(rank));
    std::iota(call.direct.begin(), call.direct.end(), 0);
    call.direct[static_cast<std::size_t>(*dimension)] = -1;
    for (std::size_t d = 0; d < call.direct.size(); ++d)
        if (call.direct[d] >= 0 && !(sizeOf(typeOf(*call.tensor), d) == sizeOf(typeOf(*index), d))) return false;
    return true;
}

/// Other dimensions of values are those of the tensor.
bool isAlikeExcept(int dimension, const Node& values, const Node& tensor) {
    if (rankOf(values) != rankOf(tensor)) return false;
    for (int d = 0; d < rankOf(values); ++d) {
        const auto at = static_cast<std::size_t>(d);
        if (d != dimension && !(sizeOf(typeOf(values), at) == sizeOf(typeOf(tensor), at))) return false;
    }
    return true;
}

bool readIndexAdd(const Node& node, IndexCall& call) {
    call.values = tensorAt(node, 3, "source");
    const Argument* alpha = node.argument(4, "alpha");
    return !alpha && call.values && typeOf(*call.tensor).dtype != DType::b8 && readIndexSelect(node, call) &&
           isAlikeExcept(call.indexed.front().dimension, *call.values, *call.tensor);
}

bool readScatterAdd(const Node& node, IndexCall& call) {
    call.values = tensorAt(node, 3, "src");
    if (!call.values || typeOf(*call.tensor).dtype == DType::b8 || !readGather(node, call)) return false;
    const Node& index = *call.indexed.front().index;
    return isAlikeExcept(-1, *call.values, index);
}

struct IndexCallRow {
    std::string_view op;
    bool (*read)(const Node& node, IndexCall& call);
};
constexpr IndexCallRow kIndexCalls[] = {
    {"aten._unsafe_index.Tensor", readIndex},
    {"aten.index.Tensor", readIndex},
    {"aten._unsafe_index_put.default", readIndexPut},
    {"aten.index_put.default", readIndexPut},
    {"aten.embedding.default", readEmbedding},
    {"aten.index_select.default", readIndexSelect},
    {"aten.gather.default", readGather},
    {"aten.index_add.default", readIndexAdd},
    {"aten.scatter_add.default", readScatterAdd},
};

}  // namespace

std::optional<IndexCall> indexCallOf(const Node& call) {
    if (call.kind() != NodeKind::call || !call.type.tensor()) return std::nullopt;
    for (const IndexCallRow& row : kIndexCalls) {
        if (row.op != call.op()) continue;
        IndexCall found;
        found.tensor = tensorAt(call, 0, {});
        if (found.tensor && rankOf(*found.tensor) > 0 && row.read(call, found)) return found;
    }
    return std::nullopt;
}

}  // namespace aotscope
