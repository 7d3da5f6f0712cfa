#pragma once

#include "distributed/reductions.h"

#include <c10/core/Device.h>

#include <functional>
#include <mutex>
#include <string>

namespace aotscope {

/// Why LibTorch's NCCL cannot be used, as one clause; empty if it can. CUDA must be prepared.
const std::string& whyNoNccl();
/// "2.28.9"; only if NCCL can be used. All ranks need the same one.
std::string ncclVersion();

/// One rank's end of an NCCL connection among GPUs; the library is loaded at run time. Calls enqueue work on the
/// current stream and return at once; every rank of the group must make the same ones in the same order. Tensors must
/// be contiguous, on this device, and alive until the work is done.
class NcclCommunicator {
public:
    /// Created by one rank of a group and needed by all to find each other. Throws Error.
    static std::string makeId();

    /// Connects as `index` of `count` ranks. Calls `throwIfStopped` while it waits. Throws Error if NCCL cannot
    /// connect.
    NcclCommunicator(const std::string& id, std::size_t index, std::size_t count, c10::Device device,
                     std::function<void()> throwIfStopped);
    ~NcclCommunicator();
    NcclCommunicator(const NcclCommunicator&) = delete;
    NcclCommunicator& operator=(const NcclCommunicator&) = delete;

    /// Whether NCCL supports this reduction for `dtype`.
    static bool reduces(at::ScalarType dtype, Reduction how);

    /// Runs the calls that `calls` makes to the functions below as one piece of work. Throws Error if NCCL refuses it.
    void together(const std::function<void()>& calls) const;

    void allReduce(const at::Tensor& mine, const at::Tensor& result, Reduction how) const;
    void allGather(const at::Tensor& mine, const at::Tensor& result) const;
    void reduceScatter(const at::Tensor& mine, const at::Tensor& result, Reduction how) const;
    void broadcast(const at::Tensor& mine, const at::Tensor& result, std::size_t source) const;
    /// `sent`, `expected`: rows to and from each rank.
    void allToAll(const at::Tensor& mine, c10::ArrayRef<std::int64_t> sent, const at::Tensor& result,
                  c10::ArrayRef<std::int64_t> expected) const;

    /// Aborts all work; nothing can be called afterwards. Callable from any thread.
    void abort();

private:
    void expect(int result, const char* what) const;
    void settle(const char* what) const;
    void* stream() const;

    c10::Device device_;
    std::function<void()> throwIfStopped_;
    mutable std::mutex mutex_;  ///< guards communicator_
    void* communicator_ = nullptr;
};

}  // namespace aotscope
