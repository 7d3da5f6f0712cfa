#include "compile/fused/operands.h"

#include "compile/fused/index_call.h"
#include "compile/fused/positional.h"
#include "compile/fused/scatter_sum.h"

#include "ops/op_table.h"

#include <algorithm>
#include <numeric>

namespace aotscope {

namespace {

/// Reductions to so few elements leave most of a GPU or CPU idle.
constexpr std::int64_t kFewKept = 16, kManyReduced = 16384;
/// As many threads keep a GPU busy.
constexpr std::int64_t kFewestParts = 4096;

std::vector<int> identity(std::size_t rank) {
    std::vector<int> dimensions(rank);
    std::iota(dimensions.begin(), dimensions.end(), 0);
    return dimensions;
}

/// Dimensions that are not of size one, in order.
std::vector<int> trueDimensions(const TensorType& type) {
    std::vector<int> dimensions;
    for (std::size_t d = 0; d < type.sizes.size(); ++d)
        if (!isOne(sizeOf(type, d))) dimensions.push_back(static_cast<int>(d));
    return dimensions;
}

/// prims.broadcast_in_dim maps each dimension of its operand to one of the result.
std::optional<std::vector<int>> broadcastDimensions(const Node& view) {
    std::vector<int> dimensions(view.type.tensor()->sizes.size(), -1);
    const Argument::List* places = view.args().size() > 2 ? view.args()[2].list() : nullptr;
    for (std::size_t d = 0; places && d < places->size(); ++d)
        if (const std::int64_t* place = (*places)[d].integer())
            dimensions[static_cast<std::size_t>(*place)] = static_cast<int>(d);
    return places ? std::optional(std::move(dimensions)) : std::nullopt;
}

/// Maps each dimension of `view` to one of `base`; nothing for other kinds of views.
std::optional<std::vector<int>> dimensionsOf(const Node& view, const TensorType& base) {
    const TensorType& type = *view.type.tensor();
    const std::string_view op = view.op();
    if (op == "aten.alias.default" || op == "aten.detach.default") return identity(type.sizes.size());
    if (op == "aten.expand.default") {
        std::vector<int> dimensions = identity(type.sizes.size());
        const int added = static_cast<int>(type.sizes.size() - base.sizes.size());
        for (int& d : dimensions) d = std::max(d - added, -1);
        return dimensions;
    }
    if (op == "prims.broadcast_in_dim.default") return broadcastDimensions(view);
    const std::string_view packet = packetOf(op);
    if (op != "aten.view.default" && packet != "aten._unsafe_view" && packet != "aten.unsqueeze" &&
        packet != "aten.squeeze")
        return std::nullopt;
    const std::vector<int> ours = trueDimensions(type), theirs = trueDimensions(base);
    const auto isSame = [&](int a, int b) {
        return sizeOf(type, static_cast<std::size_t>(a)) == sizeOf(base, static_cast<std::size_t>(b));
    };
    if (!std::equal(ours.begin(), ours.end(), theirs.begin(), theirs.end(), isSame)) return std::nullopt;
    std::vector<int> dimensions(type.sizes.size(), -1);
    for (std::size_t i = 0; i < ours.size(); ++i) dimensions[static_cast<std::size_t>(ours[i])] = theirs[i];
    return dimensions;
}

std::optional<std::vector<int>> seenDimensions(const Node& node) {
    const Node* base = node.kind() == NodeKind::call && !node.args().empty() ? node.args()[0].node() : nullptr;
    if (!base || !base->type.tensor() || !node.type.tensor()) return std::nullopt;
    return dimensionsOf(node, *base->type.tensor());
}

/// Maps each dimension of `view` to the dimensions of `base` that it merges, except those of size one; nothing if
/// dimensions are split.
std::optional<std::vector<std::vector<int>>> mergedDimensions(const TensorType& view, const TensorType& base) {
    const std::vector<int> theirs = trueDimensions(base);
    std::vector<std::vector<int>> parts(view.sizes.size());
    std::size_t next = 0;
    for (const int d : trueDimensions(view)) {
        const SymExpr size = sizeOf(view, static_cast<std::size_t>(d));
        for (SymExpr made = 1; !(made == size);) {
            if (next == theirs.size()) return std::nullopt;
            made = made * sizeOf(base, static_cast<std::size_t>(theirs[next]));
            parts[static_cast<std::size_t>(d)].push_back(theirs[next++]);
        }
    }
    return next == theirs.size() ? std::optional(std::move(parts)) : std::nullopt;
}

/// Whether the elements are contiguous in some order; with dynamic sizes, in row-major order.
bool isDense(const TensorType& type) {
    if (type.symbolic) return type.symbolic->strides == contiguousStrides(type.symbolic->sizes);
    std::vector<std::pair<std::int64_t, std::int64_t>> steps;
    for (std::size_t d = 0; d < type.sizes.size(); ++d)
        if (type.sizes[d] != 1) steps.emplace_back(type.strides[d], type.sizes[d]);
    std::sort(steps.begin(), steps.end());
    std::int64_t next = 1;
    for (const auto& [stride, size] : steps) {
        if (stride != next) return type.numel() == 0;
        next *= size;
    }
    return true;
}

/// Provides anything requested as an input without a name.
class AnySource final : public OperandSource {
public:
    explicit AnySource(KernelBuilder& builder) : builder_(builder) {}
    Expr tensor(const Node& node) override { return builder_.load(next_++, node.type.tensor()->dtype); }
    Expr number(const Node&) override { return builder_.number(next_++, ComputeType::f64); }
    std::size_t indexed(const Node&) override { return next_++; }

private:
    KernelBuilder& builder_;
    std::size_t next_ = 0;
};

class Reader {
public:
    explicit Reader(const Node& value) {
        operation_.value = &value;
        operation_.call = isGetitem(value) ? value.args()[0].node() : &value;
    }

    std::optional<FusibleOperation> run(bool sums) {
        const Node& call = *operation_.call;
        const TensorType* result = operation_.value->type.tensor();
        if (const auto sum = scatterSumOf(call, sums)) return accumulates(*sum);
        lowering_ = call.kind() == NodeKind::call ? findLowering(call.op()) : nullptr;
        if (!lowering_ || !result || !isDense(*result)) return std::nullopt;
        const bool gathers = lowering_->shape == Lowering::Shape::gather;
        if (!(gathers ? readIndices(*result) : readArguments(*result))) return std::nullopt;
        const bool isPointwise = lowering_->shape == Lowering::Shape::pointwise;
        const bool fits = gathers || (isPointwise ? iteratesOver(*result) : reduces(*result));
        if (!fits || !countInstructions()) return std::nullopt;
        separatePositions();
        if (!sizesAreKnown()) return std::nullopt;
        const bool copies = call.op() == "aten.clone.default" || call.op() == "aten._to_copy.default" ||
                            call.op() == "prims.convert_element_type.default";
        if (copies && !call.args()[0].node()->type.tensor()->sameLayout(*result) && !isMadeFor(call))
            return std::nullopt;
        return std::move(operation_);
    }

private:
    /// Whether what a call copies is computed for it alone: the kernel that does so can write it in the copy's layout.
    static bool isMadeFor(const Node& copy) {
        const Node& made = *copy.args()[0].node();
        return made.users().size() == 1 && made.kind() == NodeKind::call && findLowering(made.op()) &&
               findLowering(made.op())->shape != Lowering::Shape::reduction;
    }

    bool readArguments(const TensorType& result) {
        const auto read = [&](const Argument& argument) {
            if (argument.list()) {
                bool isLiteral = true;
                forEachNode(argument, [&](Node*) { isLiteral = false; });
                return isLiteral;
            }
            const Node* node = argument.node();
            if (!node) return true;
            if (node->type.scalar()) operation_.numbers.push_back(node);
            const TensorType* tensor = node->type.tensor();
            if (!tensor) return node->type.scalar() != nullptr;
            if (!isKernelType(tensor->dtype) || tensor->device.name != result.device.name) return false;
            seen_.push_back(tensor);
            SeenTensor seen = seeThrough(*node);
            if (!fillOf(*seen.node)) operation_.tensors.push_back(std::move(seen));
            return true;
        };
        const Node& call = *operation_.call;
        return std::all_of(call.args().begin(), call.args().end(), read) &&
               std::all_of(call.kwargs().begin(), call.kwargs().end(), [&](const auto& k) { return read(k.second); }) &&
               !operation_.tensors.empty();
    }

    /// An operand whose dimensions are followed by `trailing` others of the space.
    static SeenTensor indexOperand(const Node& index, std::size_t trailing) {
        SeenTensor seen = seeThrough(index);
        seen.dimensions.insert(seen.dimensions.end(), trailing, -1);
        return seen;
    }
    static SeenTensor indexedTensor(const IndexCall& call) {
        SeenTensor seen{call.tensor, call.tensor, call.direct};
        for (const IndexedDimension& indexed : call.indexed) seen.indexed.push_back(indexed.dimension);
        return seen;
    }
    void readIndicesOf(const IndexCall& call) {
        for (const IndexedDimension& indexed : call.indexed)
            if (!fillOf(*seeThrough(*indexed.index).node))
                operation_.tensors.push_back(indexOperand(*indexed.index, call.trailing));
    }
    static bool areOn(const Device& device, const IndexCall& call) {
        return std::all_of(call.indexed.begin(), call.indexed.end(), [&](const IndexedDimension& indexed) {
            return indexed.index->type.tensor()->device.name == device.name;
        });
    }

    /// A call that selects elements by indices.
    bool readIndices(const TensorType& result) {
        const auto call = indexCallOf(*operation_.call);
        if (!call || call->values || call->direct.size() != result.sizes.size()) return false;
        const TensorType& type = *call->tensor->type.tensor();
        if (!isKernelType(type.dtype) || type.device.name != result.device.name || !areOn(result.device, *call))
            return false;
        if (call->rule == IndexRule::embedded && call->trailing > 0 && type.sizes.back() == 0) return false;
        operation_.tensors.push_back(indexedTensor(*call));
        readIndicesOf(*call);
        operation_.isWorthAlone = call->isWorthAlone;
        setSpace(result);
        operation_.place = identity(result.sizes.size());
        return true;
    }

    /// Calls that add values at indices.
    std::optional<FusibleOperation> accumulates(const ScatterSum& sum) {
        const IndexCall first = *indexCallOf(*sum.puts.front());
        const TensorType& result = *operation_.value->type.tensor();
        if (!isDense(result) || (result.device.name.starts_with("cuda") && partsOf(first) < kFewestParts))
            return std::nullopt;
        operation_.target = indexedTensor(first);
        // Kernels make these themselves: new_zeros would have to wait for a tensor that it does not read.
        if (addsToZeros(first) && !result.symbolic) operation_.target.node = nullptr;
        operation_.puts = sum.puts;
        operation_.absorbed = sum.absorbed;
        setSpace(*first.values->type.tensor());
        for (std::size_t d = 0; d < result.sizes.size(); ++d) {
            const auto place = std::find(first.direct.begin(), first.direct.end(), static_cast<int>(d));
            operation_.place.push_back(place == first.direct.end() ? -1
                                                                   : static_cast<int>(place - first.direct.begin()));
        }
        for (const Node* put : sum.puts) {
            const IndexCall call = *indexCallOf(*put);
            if (!areOn(result.device, call)) return std::nullopt;
            if (!fillOf(*seeThrough(*call.values).node)) operation_.tensors.push_back(seeThrough(*call.values));
            readIndicesOf(call);
            operation_.instructions += 1 + call.indexed.size();
        }
        operation_.isWorthAlone = first.isWorthAlone;
        const FusibleOperation withTensors = operation_;
        separatePositions();
        if (!sizesAreRead(first)) operation_ = withTensors;
        return sizesAreRead(first) && sizesAreKnown() ? std::optional(std::move(operation_)) : std::nullopt;
    }

    /// How many threads may accumulate.
    static std::int64_t partsOf(const IndexCall& call) {
        std::int64_t parts = 1;
        for (const int d : call.direct)
            if (d >= 0) parts *= call.tensor->type.tensor()->sizes[static_cast<std::size_t>(d)];
        return parts;
    }

    /// The result does not have the sizes along which values are accumulated.
    bool sizesAreRead(const IndexCall& call) const {
        for (std::size_t d = 0; d < call.direct.size(); ++d)
            if (call.direct[d] < 0 && !isOne(operation_.space[d]) && !isRead(d)) return false;
        return true;
    }
    bool isRead(std::size_t dimension) const {
        return std::any_of(operation_.tensors.begin(), operation_.tensors.end(), [&](const SeenTensor& tensor) {
            const std::size_t missing = operation_.space.size() - tensor.dimensions.size();
            const int from = dimension < missing ? -1 : tensor.dimensions[dimension - missing];
            return from >= 0 && !isOne(sizeOf(*tensor.node->type.tensor(), static_cast<std::size_t>(from)));
        });
    }

    /// Positions need not be read where something else is; sizes of reduced dimensions follow from what is read.
    void separatePositions() {
        if (!operation_.reduced.empty()) return;
        auto& tensors = operation_.tensors;
        const auto stays = [](const SeenTensor& tensor) {
            return !tensor.indexed.empty() || !isPositional(*tensor.argument);
        };
        const auto positions = std::stable_partition(tensors.begin(), tensors.end(), stays);
        if (positions == tensors.begin() && operation_.puts.empty()) return;
        operation_.positions.assign(std::make_move_iterator(positions), std::make_move_iterator(tensors.end()));
        tensors.erase(positions, tensors.end());
    }

    void setSpace(const TensorType& type) {
        for (std::size_t d = 0; d < type.sizes.size(); ++d) operation_.space.push_back(sizeOf(type, d));
    }

    bool iteratesOver(const TensorType& result) {
        setSpace(result);
        operation_.place = identity(result.sizes.size());
        const auto fits = [&](const TensorType* type) {
            const std::size_t rank = type->sizes.size();
            if (rank > result.sizes.size()) return false;
            for (std::size_t d = 0; d < rank; ++d) {
                const std::size_t to = d + result.sizes.size() - rank;
                if (!isOne(sizeOf(*type, d)) && type->sizes[d] != result.sizes[to]) return false;
            }
            return true;
        };
        return std::all_of(seen_.begin(), seen_.end(), fits);
    }

    /// Reduces dimensions that a view merges one by one, where the kept dimensions of the view are unchanged.
    void reduceBeforeMerging() {
        const Node* view = operation_.tensors.front().node;
        const bool isView = view->op() == "aten.view.default" || packetOf(view->op()) == "aten._unsafe_view";
        if (!isView || operation_.tensors.size() != 1 || view != operation_.call->args()[0].node()) return;
        const Node& base = *view->args()[0].node();
        const auto parts = mergedDimensions(*view->type.tensor(), *base.type.tensor());
        if (!parts) return;
        std::vector<int> reduced, place(operation_.place.size(), -1);
        for (std::size_t d = 0; d < parts->size(); ++d) {
            const std::vector<int>& from = (*parts)[d];
            if (std::find(operation_.reduced.begin(), operation_.reduced.end(), static_cast<int>(d)) !=
                operation_.reduced.end()) {
                reduced.insert(reduced.end(), from.begin(), from.end());
                continue;
            }
            if (from.size() > 1) return;
            const auto in = std::find(operation_.place.begin(), operation_.place.end(), static_cast<int>(d));
            if (!from.empty() && in != operation_.place.end())
                place[static_cast<std::size_t>(in - operation_.place.begin())] = from.front();
        }
        operation_.space.clear();
        setSpace(*base.type.tensor());
        operation_.reduced = std::move(reduced);
        operation_.place = std::move(place);
        operation_.tensors = {seeThrough(base)};
        operation_.tensors.front().argument = operation_.call->args()[0].node();
    }

    /// Whether a result extends along a dimension: not along reduced ones.
    bool extendsAlong(int dimension, const std::vector<int>& reduced) const {
        return !operation_.isReduction || !std::binary_search(reduced.begin(), reduced.end(), dimension);
    }

    bool reduces(const TensorType& result) {
        const Node* input = operation_.call->args().empty() ? nullptr : operation_.call->args()[0].node();
        if (!input || !input->type.tensor()) return false;
        const TensorType& type = *input->type.tensor();
        const auto isAlike = [&](const TensorType* other) { return other->sizes == type.sizes; };
        if (!std::all_of(seen_.begin(), seen_.end(), isAlike)) return false;
        setSpace(type);
        const std::vector<int> reduced = reducedDimensions(*operation_.call);
        std::int64_t kept = 1, total = type.numel();
        for (std::size_t d = 0; d < type.sizes.size(); ++d) {
            const bool isReduced = std::binary_search(reduced.begin(), reduced.end(), static_cast<int>(d));
            if (isReduced && !isOne(sizeOf(type, d))) operation_.reduced.push_back(static_cast<int>(d));
            if (!isReduced) kept *= type.sizes[d];
            if (!isReduced || result.sizes.size() == type.sizes.size()) operation_.place.push_back(static_cast<int>(d));
        }
        operation_.isReduction = lowering_->shape == Lowering::Shape::reduction;
        if (operation_.place.size() != result.sizes.size()) return false;
        for (std::size_t d = 0; d < result.sizes.size(); ++d)
            if (!isOne(sizeOf(result, d)) && !extendsAlong(operation_.place[d], reduced)) return false;
        if (operation_.isReduction) reduceBeforeMerging();
        return total > 0 && !operation_.reduced.empty() && (kept >= kFewKept || total < kManyReduced);
    }

    bool countInstructions() {
        KernelBuilder builder;
        AnySource source(builder);
        const std::size_t results = lower(*operation_.call, builder, source).size();
        operation_.instructions = builder.kernel.code.size();
        const std::int64_t* item = isGetitem(*operation_.value) ? operation_.value->args()[1].integer() : nullptr;
        return results > (item ? static_cast<std::size_t>(*item) : 0);
    }

    /// The size of a kernel's space is fixed, or comes from the tensors it reads, before they are expanded.
    bool sizesAreKnown() const {
        const auto& space = operation_.space;
        const auto& reduced = operation_.reduced;
        for (std::size_t d = 0; d < space.size(); ++d) {
            const bool isFixed =
                space[d].isNumber() && std::find(reduced.begin(), reduced.end(), static_cast<int>(d)) == reduced.end();
            if (!isOne(space[d]) && !isFixed && !isRead(d)) return false;
        }
        return true;
    }

    const Lowering* lowering_ = nullptr;
    std::vector<const TensorType*> seen_;
    FusibleOperation operation_;
};

}  // namespace

SeenTensor seeThrough(const Node& tensor) {
    SeenTensor seen{&tensor, &tensor, identity(tensor.type.tensor()->sizes.size())};
    while (const auto dimensions = seenDimensions(*seen.node)) {
        for (int& d : seen.dimensions)
            if (d >= 0) d = (*dimensions)[static_cast<std::size_t>(d)];
        seen.node = seen.node->args()[0].node();
    }
    return seen;
}

std::optional<Argument> fillOf(const Node& node) {
    if (node.kind() != NodeKind::call || !node.type.tensor() || !isKernelType(node.type.tensor()->dtype))
        return std::nullopt;
    const std::string_view packet = packetOf(node.op());
    if (packet == "aten.zeros" || packet == "aten.zeros_like" || packet == "aten.new_zeros") return Argument(0);
    if (packet == "aten.ones" || packet == "aten.ones_like" || packet == "aten.new_ones") return Argument(1);
    const std::size_t place = packet == "aten.scalar_tensor" ? 0 : packet == "aten.new_full" ? 2 : 1;
    const bool isFull = packet == "aten.full" || packet == "aten.full_like" || packet == "aten.new_full" ||
                        packet == "aten.scalar_tensor" || node.op() == "aten.fill.Scalar";
    if (!isFull || place >= node.args().size()) return std::nullopt;
    const Argument& value = node.args()[place];
    const bool isLiteral =
        value.integer() || std::holds_alternative<double>(value.value) || std::holds_alternative<bool>(value.value);
    return isLiteral ? std::optional<Argument>(value) : std::nullopt;
}

std::optional<FusibleOperation> fusibleOperation(const Node& value, bool sums) { return Reader(value).run(sums); }

}  // namespace aotscope
