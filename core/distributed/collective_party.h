#pragma once

#include "distributed/world.h"

#include <ATen/core/ivalue.h>

namespace aotscope {

/// "Float[4, 8]": a type in descriptions of calls.
std::string typeText(at::ScalarType dtype, at::IntArrayRef sizes);
std::string typeText(const at::Tensor& tensor);
/// "all_reduce (sum) of Float[4, 8]".
std::string callText(std::string text, const std::vector<at::Tensor>& tensors);

/// The calling rank's contribution to a collective: copies of the tensors.
Contribution contribution(std::string call, const std::vector<at::Tensor>& tensors);

/// The group that a call names, with the size that the call gives.
struct Party {
    std::shared_ptr<World> world = World::current();
    RankGroup group;

    /// Throws Error if `name` is not a group name, or if the size contradicts the options.
    explicit Party(const c10::IValue& name, std::optional<std::int64_t> size = {});

    std::int64_t size() const { return group.size(); }
    std::size_t ranks() const { return static_cast<std::size_t>(size()); }
    std::int64_t index() const { return static_cast<std::int64_t>(group.index); }

    /// The outcome gets all contributions on the device of its results.
    void exchange(Contribution mine, Outcome outcome) const;
    /// The group's rank `rank`, as given in the call `what`. Throws Error if it does not exist.
    std::size_t peer(std::int64_t rank, const char* what) const;
};

}  // namespace aotscope
