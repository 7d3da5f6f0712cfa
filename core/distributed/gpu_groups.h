#pragma once

#include "distributed/nccl.h"
#include "distributed/world.h"

#include <c10/core/Event.h>
#include <c10/core/Stream.h>

#include <map>

namespace aotscope {

/// A rank's description of the GPU that holds its tensors.
struct RankGpu {
    std::string gpu;      ///< equal on two ranks that share a GPU
    std::string nccl;     ///< its version; empty: NCCL cannot be used there
    std::string missing;  ///< why
};

/// Parses a rank's message. Throws Error, a clause, for anything else.
RankGpu rankGpuFrom(const std::string& text);

/// Why NCCL cannot connect the GPUs of a group's ranks, as one clause; empty if it can.
std::string whyNotByNccl(const RankGroup& group, const std::vector<RankGpu>& gpus);

/// A rank's end of the connection among the GPUs of a group, and the stream on which its collectives run.
struct GpuConnection {
    NcclCommunicator nccl;
    c10::Stream stream;
};

/// A collective that runs on GPUs concurrently with the current stream.
class GpuWork {
public:
    /// Starts it after the current work of the current stream.
    GpuWork(const GpuConnection& gpus, const std::vector<at::Tensor>& mine, const Outcome& outcome);
    /// Makes later work of the current stream wait for it.
    void wait() const;

private:
    c10::Event done_;
};

/// The GPUs of the ranks, as seen by one of their processes.
class GpuGroups {
public:
    /// Text messages between the ranks of the world.
    struct Words {
        std::function<void(std::size_t to, const std::string& key, const std::string& text)> tell;
        std::function<std::string(const std::string& key, const std::string& waitsFor)> hear;
        std::function<void()> throwIfStopped;
        std::function<void(const std::string&)> say = nullptr;  ///< informs the user; may be empty
    };
    explicit GpuGroups(Words words) : words_(std::move(words)) {}

    /// Connected at the first call, which all ranks of the group must make. Null: NCCL cannot connect them, and the
    /// first of them has reported why. Throws Error.
    const GpuConnection* connection(const RankGroup& group, c10::Device device);
    /// Aborts all joint work of the GPUs. Callable from any thread.
    void abort();
    /// Sets who is informed why GPUs are not connected.
    void setListener(std::function<void(const std::string&)> say) { words_.say = std::move(say); }

private:
    std::string meet(const RankGroup& group, const RankGpu& mine);

    Words words_;
    std::mutex mutex_;                                                   ///< guards connections_
    std::map<std::string, std::unique_ptr<GpuConnection>> connections_;  ///< by keyOf(); null: not connected
};

}  // namespace aotscope
