#include "verify/kept_values.h"

#include "aten/tensors.h"
#include "ir/subgraphs.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace aotscope {

namespace {

constexpr std::size_t kMostKept = 64 << 20;  ///< bytes

/// How much a value of the run is needed.
enum class Need : std::uint8_t { none, better, must };

/// Random numbers are meaningless: they are not indices, a mask or a state.
bool canBeDrawn(const at::Tensor& tensor) {
    return tensor.layout() == at::kStrided && !tensor.is_quantized() &&
           (at::isFloatingType(tensor.scalar_type()) || at::isComplexType(tensor.scalar_type()));
}

/// Whether `op` only accepts certain values: invertible matrices, something that ends a loop, an assertion.
bool isParticular(std::string_view op) {
    constexpr std::array<std::string_view, 5> kNames = {"linalg_", "cholesky", "_assert", "while_loop",
                                                        "masked_scatter"};
    return std::ranges::any_of(kNames, [&](std::string_view name) { return op.find(name) != std::string_view::npos; });
}

bool isParticular(const Graph& graph) {
    const auto takes = [](const Graph& one) {
        return std::ranges::any_of(one.nodes(), [](const Node* node) {
            return node->kind() == NodeKind::call && isParticular(std::string_view(node->op()));
        });
    };
    return takes(graph) ||
           std::ranges::any_of(subgraphsWithin(graph), [&](const auto& inner) { return takes(*inner); });
}

struct Candidate {
    const at::Tensor& tensor;
    ValueSketch& sketch;
    Need need;
    bool isWritten;  ///< its elements are in the program, unless it shares them with another input
};

class Keeper {
public:
    void add(const at::Tensor& tensor, ValueSketch& sketch, Need need, bool isWritten) {
        candidates_.push_back({tensor, sketch, need, isWritten});
        ++sharing_[memoryOf(tensor)];
    }

    /// Keeps what is required first. Returns how many had no room.
    std::size_t keep(std::size_t room) {
        std::size_t leftOut = 0;
        for (const Need need : {Need::must, Need::better})
            for (const Candidate& each : candidates_)
                if (each.need == need && !isMade(each) && !takes(each.tensor, room)) ++leftOut;
        for (const Candidate& each : candidates_) each.sketch.kept = storages_.contains(memoryOf(each.tensor));
        return leftOut;
    }

private:
    /// Tensors without identifiable memory are kept separately.
    static const void* memoryOf(const at::Tensor& tensor) {
        return tensor.has_storage() ? static_cast<const void*>(tensor.storage().unsafeGetStorageImpl())
                                    : tensor.unsafeGetTensorImpl();
    }

    bool isMade(const Candidate& each) const { return each.isWritten && sharing_.at(memoryOf(each.tensor)) == 1; }

    bool takes(const at::Tensor& tensor, std::size_t& room) {
        const void* memory = memoryOf(tensor);
        if (storages_.contains(memory)) return true;
        const std::size_t size = tensor.has_storage() ? tensor.storage().nbytes() : tensor.nbytes();
        if (size > room) return false;
        room -= size;
        storages_.insert(memory);
        return true;
    }

    std::vector<Candidate> candidates_;
    std::map<const void*, int> sharing_;  ///< number of tensors by storage
    std::set<const void*> storages_;
};

}  // namespace

void keepValues(GraphExample& example, const Graph& graph, const ExampleRun& run, bool all, bool readsData) {
    if (all) {
        for (ValueSketch& sketch : example.inputs) sketch.kept = true;
        for (auto& [name, sketch] : example.constants) sketch.kept = true;
        return;
    }
    const bool particular = readsData || isParticular(graph);
    const auto placeholders = graph.placeholders();
    Keeper keeper;
    const auto add = [&](const at::Tensor& tensor, ValueSketch& sketch, bool saved) {
        const Need need = !canBeDrawn(tensor) ? Need::must : saved || particular ? Need::better : Need::none;
        keeper.add(tensor, sketch, need, !sketch.elements.empty() || tensor.numel() == 0);
    };
    for (std::size_t i = 0; i < run.inputs.size(); ++i) {
        const Node& node = *placeholders[i];
        const bool isTyped = node.type.tensor() || node.type.scalar();  // those of a source graph have none
        if (!isTensor(run.inputs[i])) example.inputs[i].kept = !isTyped;
        else if (!isTyped) keeper.add(run.inputs[i].toTensor(), example.inputs[i], Need::must, false);
        else add(run.inputs[i].toTensor(), example.inputs[i], node.role == Role::saved);
    }
    for (auto& [name, sketch] : example.constants) add(run.constants->at(name), sketch, false);
    example.leftOut = keeper.keep(kMostKept);
}

bool keepsAny(const GraphExample& example) {
    const auto kept = [](const ValueSketch& sketch) { return sketch.kept; };
    return std::ranges::any_of(example.inputs, kept) ||
           std::ranges::any_of(example.constants, [&](const auto& each) { return kept(each.second); });
}

}  // namespace aotscope
