#pragma once

#include "distributed/nccl.h"
#include "distributed/world.h"

#include <c10/core/Event.h>
#include <c10/core/Stream.h>

#include <map>

namespace aotscope {

/// What a rank says of the GPU that has its tensors.
struct RankGpu {
    std::string gpu;      ///< the same text on two ranks: they share it
    std::string nccl;     ///< its version; empty: it cannot be used there
    std::string missing;  ///< why
};

/// From what the rank has sent. Throws Error, a clause, for anything else.
RankGpu rankGpuFrom(const std::string& text);

/// Why NCCL cannot connect the GPUs of a group's ranks, one clause; empty if it can.
std::string whyNotByNccl(const RankGroup& group, const std::vector<RankGpu>& gpus);

/// A rank's end of the connection among the GPUs of a group, and the stream on which its collectives run.
struct GpuConnection {
    NcclCommunicator nccl;
    c10::Stream stream;
};

/// A collective that GPUs make beside what the current stream does.
class GpuWork {
public:
    /// Starts it as soon as the current stream gets there.
    GpuWork(const GpuConnection& gpus, const std::vector<at::Tensor>& mine, const Outcome& outcome);
    /// What the current stream does from now on comes after it.
    void wait() const;

private:
    c10::Event done_;
};

/// The GPUs of the ranks, as the process of one of them sees them.
class GpuGroups {
public:
    /// Texts between the ranks of the world.
    struct Words {
        std::function<void(std::size_t to, const std::string& key, const std::string& text)> tell;
        std::function<std::string(const std::string& key, const std::string& waitsFor)> hear;
        std::function<void()> throwIfStopped;
        std::function<void(const std::string&)> say = nullptr;  ///< tells the user; none: nobody listens
    };
    explicit GpuGroups(Words words) : words_(std::move(words)) {}

    /// Made at the first call, to which all ranks of the group have to come. Null: NCCL cannot connect them, and the
    /// first of them has said why. Throws Error.
    const GpuConnection* connection(const RankGroup& group, c10::Device device);
    /// Ends what GPUs do together. From any thread.
    void abort();
    /// Who hears why GPUs are not connected.
    void setListener(std::function<void(const std::string&)> say) { words_.say = std::move(say); }

private:
    std::string meet(const RankGroup& group, const RankGpu& mine);

    Words words_;
    std::mutex mutex_;                                                   ///< guards connections_
    std::map<std::string, std::unique_ptr<GpuConnection>> connections_;  ///< by keyOf(); null: there is none
};

}  // namespace aotscope
