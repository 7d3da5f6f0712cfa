#pragma once

#include <torch/csrc/autograd/edge.h>

#include <memory>
#include <type_traits>
#include <utility>

/// What differs between the supported versions of LibTorch (2.11 to 2.13), kept in this one place.
namespace aotscope {

/// A node of the autograd graph. Edges hold nodes by shared_ptr in older versions, by intrusive_ptr in newer ones.
template <typename NodeType, typename... Args>
auto makeAutogradNode(Args&&... args) {
    using Pointer = decltype(torch::autograd::Edge::function);
    if constexpr (std::is_same_v<Pointer, std::shared_ptr<torch::autograd::Node>>)
        return std::make_shared<NodeType>(std::forward<Args>(args)...);
    else return c10::make_intrusive<NodeType>(std::forward<Args>(args)...);
}

}  // namespace aotscope
