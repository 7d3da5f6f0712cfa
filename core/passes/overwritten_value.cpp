#include "passes/overwritten_value.h"

#include "ir/place_with_code.h"
#include "ops/functional_graph.h"

#include <charconv>
#include <map>
#include <optional>

namespace aotscope {

namespace {

std::optional<std::size_t> numberBehind(std::string_view text, std::string_view words) {
    const auto at = text.find(words);
    if (at == std::string_view::npos) return std::nullopt;
    text.remove_prefix(at + words.size());
    std::size_t number = 0;
    return std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc() ? std::optional(number)
                                                                                             : std::nullopt;
}

/// "[2, 3]" as autograd prints sizes.
std::string sizesText(const TensorType& type) {
    std::string text;
    for (const std::int64_t size : type.sizes) text += (text.empty() ? "" : ", ") + std::to_string(size);
    return " [" + text + "]";
}

std::int64_t storageOfNode(const Node& node) { return node.type.tensor() ? node.type.tensor()->storage : -1; }

std::string withPlace(const Node& node) {
    const std::string place = placeWithCode(node);
    return "%" + node.name() + (place.empty() ? "" : " (" + place + ")");
}

std::string nameOfStorage(const Graph& graph, std::int64_t storage) {
    for (const Node* node : graph.nodes())
        if (storageOfNode(*node) == storage) return "'" + (node->label.empty() ? node->name() : node->label) + "'";
    return "a value";
}

}  // namespace

std::string overwrittenValue(const Graph& asWritten, std::string_view refusal) {
    const auto expected = numberBehind(refusal, "; expected version ");
    if (!expected) return {};
    // Autograd counts the writes to each memory.
    std::map<std::int64_t, std::size_t> writes;
    std::map<std::int64_t, const Node*> readers;  // the last one of the saved version
    for (const Node* node : asWritten.nodes()) {
        if (node->kind() != NodeKind::call) continue;
        const auto all = writtenValues(*node);
        const Node* written = all.empty() ? nullptr : all.front();
        const std::int64_t target = written ? storageOfNode(*written) : -1;
        for (const Node* input : node->inputs()) {
            const std::int64_t storage = storageOfNode(*input);
            const bool saved = storage >= 0 && storage != target && writes[storage] == *expected &&
                               refusal.find(sizesText(*input->type.tensor())) != std::string_view::npos;
            if (saved) readers[storage] = node;
        }
        if (target < 0 || writes[target]++ != *expected) continue;
        if (const auto reader = readers.find(target); reader != readers.end())
            return withPlace(*node) + " overwrites " + nameOfStorage(asWritten, target) + " after " +
                   withPlace(*reader->second) + " has used it";
    }
    return {};
}

}  // namespace aotscope
