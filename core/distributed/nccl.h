#pragma once

#include "distributed/reductions.h"

#include <c10/core/Device.h>

#include <functional>
#include <mutex>
#include <string>

namespace aotscope {

/// Why LibTorch's NCCL cannot be used, as one clause; empty if it can. CUDA has to be prepared.
const std::string& whyNoNccl();
/// "2.28.9"; only where NCCL can be used. Ranks need the same.
std::string ncclVersion();

/// One rank's end of a connection among GPUs by NVIDIA's NCCL, whose library is found at run time. Calls put work on
/// the current stream and return at once; every rank of the group has to make the same ones, in the same order.
/// Tensors are contiguous, on this device, and stay until the work is done.
class NcclCommunicator {
public:
    /// What the ranks of a group have to have to find each other; made by one of them. Throws Error.
    static std::string makeId();

    /// Connects. `index` of `count` ranks. `throwIfStopped` is called while there is something to wait for. Throws
    /// Error if NCCL cannot connect.
    NcclCommunicator(const std::string& id, std::size_t index, std::size_t count, c10::Device device,
                     std::function<void()> throwIfStopped);
    ~NcclCommunicator();
    NcclCommunicator(const NcclCommunicator&) = delete;
    NcclCommunicator& operator=(const NcclCommunicator&) = delete;

    /// Whether NCCL reduces such numbers so.
    static bool reduces(at::ScalarType dtype, Reduction how);

    /// What `calls` does with the functions below is one piece of work. Throws Error if NCCL refuses it.
    void together(const std::function<void()>& calls) const;

    void allReduce(const at::Tensor& mine, const at::Tensor& result, Reduction how) const;
    void allGather(const at::Tensor& mine, const at::Tensor& result) const;
    void reduceScatter(const at::Tensor& mine, const at::Tensor& result, Reduction how) const;
    void broadcast(const at::Tensor& mine, const at::Tensor& result, std::size_t source) const;
    /// `sent`, `expected`: rows for each rank, and from each.
    void allToAll(const at::Tensor& mine, c10::ArrayRef<std::int64_t> sent, const at::Tensor& result,
                  c10::ArrayRef<std::int64_t> expected) const;

    /// Ends all work, done or not; nothing can be called any more. From any thread.
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
