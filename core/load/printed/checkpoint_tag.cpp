#include "load/printed/checkpoint_tag.h"

#include <charconv>

namespace aotscope {

namespace {

/// Removes everything up to the end of `key`; false if it does not occur.
bool skipTo(std::string_view& text, std::string_view key) {
    const auto at = text.find(key);
    if (at == std::string_view::npos) return false;
    text.remove_prefix(at + key.size());
    return true;
}

CheckpointPolicy policyAt(std::string_view text) {
    return checkpointPolicyFromName(text.substr(0, text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_")))
        .value_or(CheckpointPolicy::none);
}

}  // namespace

CheckpointTag checkpointTagIn(std::string_view comment) {
    CheckpointTag tag;
    std::string_view rest = comment;
    if (!skipTo(rest, " ac_graph_id: ")) {
        if (skipTo(rest, " recompute: ")) tag.policy = policyAt(rest);
        return tag;
    }
    std::int32_t region = 0;
    const auto [end, failure] = std::from_chars(rest.data(), rest.data() + rest.size(), region);
    if (failure != std::errc{} || region < 0) return {};
    tag.region = region;
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    if (skipTo(rest, " - ")) tag.policy = policyAt(rest);
    return tag;
}

}  // namespace aotscope
