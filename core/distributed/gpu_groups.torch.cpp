#include "distributed/gpu_groups.h"

#include "device/cuda_driver.h"
#include "distributed/group_keys.h"
#include "support/confinement.h"
#include "support/json/json_text.h"
#include "support/json/message_members.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/ops/empty_like.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <cstdlib>

namespace aotscope {

namespace {

/// Prefixes of the id of a connection, and of the reason why it failed.
constexpr char kConnects = '+', kDoesNot = '-';

/// NCCL_HOSTID makes GPUs count as those of several machines, as in NCCL itself.
RankGpu ownGpu(c10::Device device) {
    const char* host = std::getenv("NCCL_HOSTID");
    const std::string& missing = whyNoNccl();
    return {(host ? std::string(host) + " " : "") + cudaDriver().ids.at(static_cast<std::size_t>(device.index())),
            missing.empty() ? ncclVersion() : "", missing};
}

std::string rankText(const RankGroup& group, std::size_t index) {
    return "rank " + std::to_string(group.member(index));
}

/// Runs on the connection's stream.
void makeOn(const GpuConnection& gpus, const std::vector<at::Tensor>& mine, const Outcome& outcome) {
    const c10::StreamGuard stream(gpus.stream);
    const at::AutoDispatchBelowADInplaceOrView noHistory;
    std::vector<at::Tensor> results;
    for (const at::Tensor& t : outcome.results)
        results.push_back(t.is_contiguous() ? t : at::empty_like(t, at::MemoryFormat::Contiguous));
    gpus.nccl.together([&] { outcome.onGpus(gpus.nccl, mine, results); });
    for (std::size_t i = 0; i < results.size(); ++i)
        if (!results[i].is_same(outcome.results[i])) outcome.results[i].copy_(results[i]);
}

}  // namespace

RankGpu rankGpuFrom(const std::string& text) {
    const nlohmann::json message = messageIn(text);
    return {textOf(message, "gpu"), textOf(message, "nccl"), textOf(message, "missing")};
}

std::string whyNotByNccl(const RankGroup& group, const std::vector<RankGpu>& gpus) {
    std::map<std::string, std::size_t> firstOn;
    for (std::size_t i = 0; i < gpus.size(); ++i) {
        if (gpus[i].nccl.empty()) return rankText(group, i) + " has no NCCL (" + gpus[i].missing + ")";
        if (gpus[i].nccl != gpus[0].nccl)
            return rankText(group, i) + " has NCCL " + gpus[i].nccl + ", " + rankText(group, 0) + " " + gpus[0].nccl;
        const auto [first, isNew] = firstOn.emplace(gpus[i].gpu, i);
        if (!isNew) return rankText(group, first->second) + " and " + rankText(group, i) + " share a GPU";
    }
    return {};
}

// --- GPU work --------------------------------------------------------------------------------------------------------

GpuWork::GpuWork(const GpuConnection& gpus, const std::vector<at::Tensor>& mine, const Outcome& outcome)
    : done_(gpus.stream.device_type(), c10::EventFlag::PYTORCH_DEFAULT) {
    const c10::impl::VirtualGuardImpl guard(gpus.stream.device_type());
    c10::Event ready(gpus.stream.device_type(), c10::EventFlag::PYTORCH_DEFAULT);
    ready.record(guard.getStream(gpus.stream.device()));
    ready.block(gpus.stream);
    // NCCL may have to connect to other machines.
    runUnconfined([&] { makeOn(gpus, mine, outcome); });
    done_.record(gpus.stream);
    for (const auto* tensors : {&mine, &outcome.results})
        for (const at::Tensor& t : *tensors) guard.recordDataPtrOnStream(t.storage().data_ptr(), gpus.stream);
}

void GpuWork::wait() const { done_.block(c10::impl::VirtualGuardImpl(done_.device_type()).getStream(done_.device())); }

// --- How GPUs connect ------------------------------------------------------------------------------------------------

/// The id of the connection, created by the first rank of the group; empty if they cannot connect.
std::string GpuGroups::meet(const RankGroup& group, const RankGpu& mine) {
    const std::string key = "GPUs of " + keyOf(group) + "\n", waitsFor = "the GPUs of group '" + group.name + "'";
    const auto rankOf = [&](std::size_t i) { return static_cast<std::size_t>(group.member(i)); };
    if (group.index > 0) {
        words_.tell(rankOf(0), key + std::to_string(group.index),
                    jsonLine({{"gpu", mine.gpu}, {"nccl", mine.nccl}, {"missing", mine.missing}}));
        const std::string answer = words_.hear(key + "0", waitsFor);
        return answer.starts_with(kConnects) ? answer.substr(1) : "";
    }
    std::vector<RankGpu> gpus = {mine};
    for (std::size_t i = 1; i < static_cast<std::size_t>(group.size()); ++i) {
        const std::string said = words_.hear(key + std::to_string(i), waitsFor);
        gpus.push_back(readFromRank(rankOf(i), [&] { return rankGpuFrom(said); }));
    }
    const std::string why = whyNotByNccl(group, gpus);
    std::string id = why.empty() ? unconfined(NcclCommunicator::makeId) : "";
    if (!why.empty() && words_.say)
        words_.say(why + ": group '" + group.name + "' exchanges tensors through host memory, not by NCCL");
    for (std::size_t i = 1; i < gpus.size(); ++i)
        words_.tell(rankOf(i), key + "0", why.empty() ? kConnects + id : std::string(1, kDoesNot));
    return id;
}

const GpuConnection* GpuGroups::connection(const RankGroup& group, c10::Device device) {
    const std::string key = keyOf(group);
    {
        const std::lock_guard lock(mutex_);
        if (const auto found = connections_.find(key); found != connections_.end()) return found->second.get();
    }
    const std::string id = meet(group, ownGpu(device));
    std::unique_ptr<GpuConnection> made;
    if (!id.empty()) {
        const c10::impl::VirtualGuardImpl guard(device.type());
        runUnconfined([&] {
            made.reset(new GpuConnection{NcclCommunicator(id, group.index, static_cast<std::size_t>(group.size()),
                                                          device, words_.throwIfStopped),
                                         guard.getStreamFromGlobalPool(device, /*isHighPriority=*/true)});
        });
    }
    const std::lock_guard lock(mutex_);
    return connections_.emplace(key, std::move(made)).first->second.get();
}

void GpuGroups::abort() {
    const std::lock_guard lock(mutex_);
    for (const auto& [key, gpus] : connections_)
        if (gpus) gpus->nccl.abort();
}

}  // namespace aotscope
