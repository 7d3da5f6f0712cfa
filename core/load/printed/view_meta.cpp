#include "load/printed/view_meta.h"

#include "load/printed/text_parts.h"

namespace aotscope {

namespace {

/// The text after `key=`, up to the end of its value.
std::string_view partAfter(std::string_view text, std::string_view key) {
    for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
        const auto end = at + key.size();
        const bool whole = at == 0 || text[at - 1] == '(' || text[at - 1] == ' ' || text[at - 1] == '\n';
        if (whole && end < text.size() && text[end] == '=') return text.substr(end + 1);
    }
    return {};
}

bool flag(std::string_view text, std::string_view key) { return partAfter(text, key).starts_with("True"); }

/// The contents of the brackets that `text` begins with.
std::string_view bracketed(std::string_view text) {
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '[' || text[i] == '(') ++depth;
        if ((text[i] == ']' || text[i] == ')') && --depth <= 0) return text.substr(1, i - 1);
    }
    return {};
}

/// Calls `visit` with the text of every `name(...)` in a list.
template <typename Visit>
void forEachEntry(std::string_view list, std::string_view name, Visit&& visit) {
    for (auto at = list.find(name); at != std::string_view::npos; at = list.find(name)) {
        list.remove_prefix(at + name.size());
        const auto entry = bracketed(list);
        visit(entry);
        list.remove_prefix(entry.size());
    }
}

InputInfo readInput(std::string_view entry) {
    InputInfo info;
    info.isLeaf = flag(entry, "is_leaf");
    info.requiresGrad = flag(entry, "requires_grad");
    info.mutatesData = flag(entry, "mutates_data");
    info.mutatesMetadata = flag(entry, "mutates_metadata");
    info.mutatesStorageMetadata = flag(entry, "mutates_storage_metadata");
    info.mutationsHiddenFromAutograd = flag(entry, "mutations_hidden_from_autograd");
    info.mutationsUnderNoGrad = flag(entry, "mutations_under_no_grad_or_inference_mode");
    const bool mutates = info.mutatesData || info.mutatesMetadata || info.mutatesStorageMetadata;
    // PyTorch's rule: kept in the graph unless autograd or the shape depends on it.
    const bool keep = flag(entry, "keep_input_mutations") && !info.mutatesMetadata && !info.mutatesStorageMetadata &&
                      (info.mutationsHiddenFromAutograd || info.mutationsUnderNoGrad || !info.requiresGrad);
    if (mutates) info.mutation = keep ? MutationType::inGraph : MutationType::outOfGraph;
    return info;
}

OutputInfo readOutput(std::string_view entry) {
    OutputInfo info;
    auto type = partAfter(entry, "output_type");
    type = type.substr(0, type.find(':'));
    if (const auto dot = type.find('.'); dot != std::string_view::npos) type = type.substr(dot + 1);
    for (int i = 0; i < 8; ++i)
        if (const auto known = static_cast<OutputType>(i); name(known) == type) info.type = known;
    info.base = countAtStart(partAfter(entry, "base_idx"));
    info.requiresGrad = flag(entry, "requires_grad");
    info.requiresGradForBackward = flag(entry, "requires_grad_for_backward");
    info.isTensor = partAfter(entry, "raw_type").substr(0, 200).find("ensor") != std::string_view::npos;
    return info;
}

}  // namespace

ViewMeta readViewMeta(std::string_view text) {
    ViewMeta result;
    forEachEntry(bracketed(partAfter(text, "input_info")), "InputAliasInfo",
                 [&](std::string_view entry) { result.metadata.inputs.push_back(readInput(entry)); });
    forEachEntry(bracketed(partAfter(text, "output_info")), "OutputAliasInfo",
                 [&](std::string_view entry) { result.metadata.outputs.push_back(readOutput(entry)); });
    result.inputs = readSubclasses(bracketed(partAfter(text, "subclass_inp_meta")));
    result.outputs = readSubclasses(bracketed(partAfter(text, "subclass_fw_graph_out_meta")));
    result.metadata.intermediateBases = countAtStart(partAfter(text, "num_intermediate_bases")).value_or(0);
    if (const auto list = partAfter(text, "static_input_indices"); list.starts_with('['))
        for (const auto part : splitOutside(bracketed(list)))
            if (const auto index = countAtStart(part)) result.staticInputs.push_back(*index);
    return result;
}

}  // namespace aotscope
