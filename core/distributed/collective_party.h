#pragma once

#include "distributed/world.h"

#include <ATen/core/ivalue.h>

namespace aotscope {

/// "Float[4, 8]": a type, as calls of collectives name it.
std::string typeText(at::ScalarType dtype, at::IntArrayRef sizes);
std::string typeText(const at::Tensor& tensor);
/// "all_reduce (sum) of Float[4, 8]".
std::string callText(std::string text, const std::vector<at::Tensor>& tensors);

/// What the calling rank brings to a collective: copies of the tensors.
Contribution contribution(std::string call, const std::vector<at::Tensor>& tensors);

/// The group that a call names, of as many ranks as the call says.
struct Party {
    std::shared_ptr<World> world = World::current();
    RankGroup group;

    /// Throws Error for a group that is no name, and for another size than the options say.
    explicit Party(const c10::IValue& name, std::optional<std::int64_t> size = {});

    std::int64_t size() const { return group.size(); }
    std::size_t ranks() const { return static_cast<std::size_t>(size()); }
    std::int64_t index() const { return static_cast<std::int64_t>(group.index); }

    /// The outcome gets what all bring on the device that has its results.
    void exchange(Contribution mine, Outcome outcome) const;
    /// `rank` of the group, as a program names it in the call `what`. Throws Error if there is none.
    std::size_t peer(std::int64_t rank, const char* what) const;
};

}  // namespace aotscope
