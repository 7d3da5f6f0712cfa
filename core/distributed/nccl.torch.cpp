#include "distributed/nccl.h"

#include "support/error.h"
#include "support/library_function.h"

#include <c10/core/DeviceGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <array>
#include <chrono>
#include <cstring>
#include <optional>
#include <thread>

namespace aotscope {

namespace {

/// Results of NCCL's functions.
constexpr int kSuccess = 0, kInProgress = 7;

/// The id by which ranks find each other; NCCL passes it by value.
struct UniqueId {
    std::array<char, 128> bytes;
};

/// The first members of ncclConfig_t, those of NCCL 2.14; NCCL gives the others their defaults.
struct Config {
    std::size_t size = sizeof(Config);
    unsigned magic = 0xcafebeef, version = 21400;
    int blocking = 0;
};

/// The functions of NCCL's C interface that are used here.
struct Functions {
    int (*getVersion)(int*);
    int (*getUniqueId)(UniqueId*);
    int (*initRank)(void** communicator, int count, UniqueId, int index, Config*);
    int (*asyncError)(void* communicator, int*);
    int (*abort)(void* communicator);
    const char* (*errorText)(int);
    const char* (*lastError)(void* communicator);
    int (*groupStart)();
    int (*groupEnd)();
    int (*allReduce)(const void*, void*, std::size_t count, int type, int how, void* communicator, void* stream);
    int (*allGather)(const void*, void*, std::size_t count, int type, void* communicator, void* stream);
    int (*reduceScatter)(const void*, void*, std::size_t count, int type, int how, void* communicator, void* stream);
    int (*broadcast)(const void*, void*, std::size_t count, int type, int root, void* communicator, void* stream);
    int (*send)(const void*, std::size_t count, int type, int peer, void* communicator, void* stream);
    int (*receive)(void*, std::size_t count, int type, int peer, void* communicator, void* stream);
};

/// The library, or why it cannot be used.
struct Nccl {
    Functions functions{};
    std::string missing;
};

Nccl load() {
    Nccl nccl;
    // The one that LibTorch's CUDA library has loaded, or the system's.
    void* library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        nccl.missing = "libnccl.so.2 is not found";
        return nccl;
    }
    const auto find = [&](const char* name, auto& function) {
        if (!findFunction(library, name, function))
            nccl.missing = "libnccl.so.2 lacks the function " + std::string(name) + ", which NCCL 2.14 has";
    };
    Functions& f = nccl.functions;
    find("ncclGetVersion", f.getVersion);
    find("ncclGetUniqueId", f.getUniqueId);
    find("ncclCommInitRankConfig", f.initRank);
    find("ncclCommGetAsyncError", f.asyncError);
    find("ncclCommAbort", f.abort);
    find("ncclGetErrorString", f.errorText);
    find("ncclGetLastError", f.lastError);
    find("ncclGroupStart", f.groupStart);
    find("ncclGroupEnd", f.groupEnd);
    find("ncclAllReduce", f.allReduce);
    find("ncclAllGather", f.allGather);
    find("ncclReduceScatter", f.reduceScatter);
    find("ncclBroadcast", f.broadcast);
    find("ncclSend", f.send);
    find("ncclRecv", f.receive);
    return nccl;
}

const Nccl& nccl() {
    static const Nccl loaded = load();
    return loaded;
}
const Functions& library() { return nccl().functions; }

/// Data as NCCL sees it: `perElement` numbers of `type` for each element.
struct Numbers {
    int type = 0;
    std::size_t perElement = 1;
};
constexpr Numbers kBytes{.type = 1};

std::optional<Numbers> numbersOf(at::ScalarType dtype) {
    switch (dtype) {
        case at::kChar: return Numbers{0};
        case at::kByte:
        case at::kBool: return Numbers{1};
        case at::kInt: return Numbers{2};
        case at::kLong: return Numbers{4};
        case at::kHalf: return Numbers{6};
        case at::kFloat: return Numbers{7};
        case at::kDouble: return Numbers{8};
        case at::kBFloat16: return Numbers{9};
        case at::kComplexFloat: return Numbers{7, 2};
        case at::kComplexDouble: return Numbers{8, 2};
        default: return {};
    }
}

/// Nothing if NCCL has no equivalent.
std::optional<int> operationFor(at::ScalarType dtype, Reduction how) {
    constexpr int sum = 0, product = 1, maximum = 2, minimum = 3, average = 4;
    if (dtype == at::kBool) {  // as bytes that are 0 or 1
        if (how == Reduction::sum || how == Reduction::maximum || how == Reduction::bitOr) return maximum;
        if (how == Reduction::product || how == Reduction::minimum || how == Reduction::bitAnd) return minimum;
        return {};
    }
    const bool parts = c10::isComplexType(dtype);
    if (how == Reduction::sum) return sum;
    if (how == Reduction::average && !c10::isIntegralType(dtype, true)) return average;
    if (how == Reduction::product && !parts) return product;
    if (how == Reduction::maximum && !parts) return maximum;
    if (how == Reduction::minimum && !parts) return minimum;
    return {};
}

/// How a tensor is reduced: count, type, operation.
struct Reduced {
    std::size_t count = 0;
    int type = 0, operation = 0;
};

Reduced reducedNumbers(const at::Tensor& tensor, Reduction how) {
    const auto numbers = numbersOf(tensor.scalar_type());
    const auto operation = operationFor(tensor.scalar_type(), how);
    check(numbers && operation, "NCCL reduces these numbers");
    return {static_cast<std::size_t>(tensor.numel()) * numbers->perElement, numbers->type, *operation};
}

constexpr std::chrono::microseconds kPoll{50};

}  // namespace

const std::string& whyNoNccl() { return nccl().missing; }

std::string ncclVersion() {
    int version = 0;
    library().getVersion(&version);
    return std::to_string(version / 10'000) + "." + std::to_string(version / 100 % 100) + "." +
           std::to_string(version % 100);
}

std::string NcclCommunicator::makeId() {
    UniqueId id{};
    if (const int result = library().getUniqueId(&id); result != kSuccess)
        throw Error(std::string("NCCL cannot open a port for its ranks: ") + library().errorText(result) +
                    "; NCCL_SOCKET_IFNAME names the network to use");
    return {id.bytes.begin(), id.bytes.end()};
}

NcclCommunicator::NcclCommunicator(const std::string& id, std::size_t index, std::size_t count, c10::Device device,
                                   std::function<void()> throwIfStopped)
    : device_(device), throwIfStopped_(std::move(throwIfStopped)) {
    UniqueId unique{};
    if (id.size() != unique.bytes.size()) throw Error("sends an id of NCCL of a wrong size");
    std::memcpy(unique.bytes.data(), id.data(), id.size());
    Config config;
    const c10::DeviceGuard guard(device);
    const int result =
        library().initRank(&communicator_, static_cast<int>(count), unique, static_cast<int>(index), &config);
    try {
        expect(result, "connect the GPUs of the ranks");
        settle("connect the GPUs of the ranks");
    } catch (...) {
        abort();
        throw;
    }
}

NcclCommunicator::~NcclCommunicator() { abort(); }

void NcclCommunicator::abort() {
    const std::lock_guard lock(mutex_);
    if (void* mine = std::exchange(communicator_, nullptr)) library().abort(mine);
}

bool NcclCommunicator::reduces(at::ScalarType dtype, Reduction how) {
    return numbersOf(dtype) && operationFor(dtype, how);
}

void NcclCommunicator::expect(int result, const char* what) const {
    if (result == kSuccess || result == kInProgress) return;
    const char* last = communicator_ ? library().lastError(communicator_) : nullptr;
    const std::string more = last && *last ? " (" + firstSentence(last) + ")" : "";
    throw Error(std::string("NCCL cannot ") + what + ": " + library().errorText(result) + more +
                "; set NCCL_DEBUG=INFO for details");
}

/// Waits until the host's part of the work is done.
void NcclCommunicator::settle(const char* what) const {
    for (int state = kInProgress; state == kInProgress;) {
        throwIfStopped_();
        {
            const std::lock_guard lock(mutex_);
            if (!communicator_) throw Error("the ranks have stopped");
            expect(library().asyncError(communicator_, &state), what);
            expect(state, what);
        }
        if (state == kInProgress) std::this_thread::sleep_for(kPoll);
    }
}

void* NcclCommunicator::stream() const {
    const c10::impl::VirtualGuardImpl guard(device_.type());
    return guard.getStream(device_).native_handle();
}

void NcclCommunicator::together(const std::function<void()>& calls) const {
    constexpr const char* what = "start a collective";
    const c10::DeviceGuard guard(device_);
    {
        const std::lock_guard lock(mutex_);
        if (!communicator_) throw Error("the ranks have stopped");
        expect(library().groupStart(), what);
        calls();
        expect(library().groupEnd(), what);
    }
    settle(what);
}

void NcclCommunicator::allReduce(const at::Tensor& mine, const at::Tensor& result, Reduction how) const {
    const Reduced numbers = reducedNumbers(mine, how);
    expect(library().allReduce(mine.const_data_ptr(), result.mutable_data_ptr(), numbers.count, numbers.type,
                               numbers.operation, communicator_, stream()),
           "reduce");
}

void NcclCommunicator::allGather(const at::Tensor& mine, const at::Tensor& result) const {
    expect(library().allGather(mine.const_data_ptr(), result.mutable_data_ptr(), mine.nbytes(), kBytes.type,
                               communicator_, stream()),
           "gather");
}

void NcclCommunicator::reduceScatter(const at::Tensor& mine, const at::Tensor& result, Reduction how) const {
    const Reduced numbers = reducedNumbers(result, how);
    expect(library().reduceScatter(mine.const_data_ptr(), result.mutable_data_ptr(), numbers.count, numbers.type,
                                   numbers.operation, communicator_, stream()),
           "reduce and scatter");
}

void NcclCommunicator::broadcast(const at::Tensor& mine, const at::Tensor& result, std::size_t source) const {
    expect(library().broadcast(mine.const_data_ptr(), result.mutable_data_ptr(), mine.nbytes(), kBytes.type,
                               static_cast<int>(source), communicator_, stream()),
           "broadcast");
}

void NcclCommunicator::allToAll(const at::Tensor& mine, c10::ArrayRef<std::int64_t> sent, const at::Tensor& result,
                                c10::ArrayRef<std::int64_t> expected) const {
    const auto rowBytes = [](const at::Tensor& t) {
        return t.size(0) == 0 ? 0 : t.nbytes() / static_cast<std::size_t>(t.size(0));
    };
    const auto* from = static_cast<const char*>(mine.const_data_ptr());
    auto* to = static_cast<char*>(result.mutable_data_ptr());
    for (std::size_t peer = 0; peer < sent.size(); ++peer) {
        const std::size_t out = static_cast<std::size_t>(sent[peer]) * rowBytes(mine),
                          in = static_cast<std::size_t>(expected[peer]) * rowBytes(result);
        const int rank = static_cast<int>(peer);
        if (out > 0) expect(library().send(from, out, kBytes.type, rank, communicator_, stream()), "send");
        if (in > 0) expect(library().receive(to, in, kBytes.type, rank, communicator_, stream()), "receive");
        from += out;
        to += in;
    }
}

}  // namespace aotscope
