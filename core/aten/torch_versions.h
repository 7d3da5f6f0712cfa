#pragma once

#include <c10/core/DeviceType.h>
#include <torch/csrc/autograd/function.h>

#if __has_include(<ATen/core/GraphImplInterface.h>)
#include <ATen/core/GraphImplInterface.h>
#endif

#include <memory>
#include <type_traits>
#include <utility>

/// The differences between the supported versions of LibTorch (2.11 to 2.15), in this one place.
namespace aotscope {

/// An autograd node: older versions hold nodes by shared_ptr, newer ones by intrusive_ptr.
template <typename NodeType, typename... Args>
auto makeAutogradNode(Args&&... args) {
    using Pointer = decltype(torch::autograd::Edge::function);
    if constexpr (std::is_same_v<Pointer, std::shared_ptr<torch::autograd::Node>>)
        return std::make_shared<NodeType>(std::forward<Args>(args)...);
    else return c10::make_intrusive<NodeType>(std::forward<Args>(args)...);
}

/// Device work that is captured once and replayed as a whole, such as a CUDA graph.
class DeviceGraph {
public:
    virtual ~DeviceGraph() = default;
    virtual void begin() = 0;
    virtual void end() = 0;
    /// Discards the capture after an error since begin().
    virtual void abandon() = 0;
    virtual void replay() = 0;
};

#if __has_include(<ATen/core/GraphImplInterface.h>)
class RegisteredGraph final : public DeviceGraph {
public:
    explicit RegisteredGraph(c10::DeviceType type) : graph_(at::create_graph_impl(type)) {}
    void begin() override { graph_->capture_begin({0, 0}, at::GraphCaptureMode::ThreadLocal); }
    void end() override { graph_->capture_end(); }
    void abandon() override {
        try {
            graph_->capture_end();
        } catch (const std::exception&) {
            // The capture is useless anyway.
        }
        graph_->reset();
    }
    void replay() override { graph_->replay(); }

private:
    std::unique_ptr<at::GraphImplInterface> graph_;
};
inline bool hasDeviceGraphs(c10::DeviceType type) { return at::has_graph_impl(type); }
inline std::unique_ptr<DeviceGraph> makeDeviceGraph(c10::DeviceType type) {
    return std::make_unique<RegisteredGraph>(type);
}
#else
inline bool hasDeviceGraphs(c10::DeviceType) { return false; }
inline std::unique_ptr<DeviceGraph> makeDeviceGraph(c10::DeviceType) { return nullptr; }
#endif

}  // namespace aotscope
