#include "support/mapped_file.h"

#include "support/error.h"
#include "support/input_file.h"
#include "support/resident_memory.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

namespace aotscope {

/// Where a file is mapped, for the SIGBUS handler, which may only access atomics. Ranges are reused, never freed.
struct MappedRange {
    std::atomic<std::uintptr_t> begin{0}, end{0};
    std::atomic<std::uint64_t> damage{0};  ///< the number of the latest damage found in it
    std::atomic<bool> used{true};
    std::string path;  ///< guarded by the mutex
    MappedRange* next = nullptr;
};

namespace {

std::atomic<MappedRange*> ranges = nullptr;
std::atomic<std::uint64_t> damages = 0;
struct sigaction previousAction {};

std::mutex& mutex() {
    static std::mutex only;
    return only;
}

/// Replaces the missing rest of the file by zeros.
bool replaceRest(MappedRange& range, std::uintptr_t address) {
    const std::uintptr_t end = range.end, page = address & ~(static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE)) - 1);
    auto* const start = reinterpret_cast<void*>(page);  // NOLINT(performance-no-int-to-ptr): the system gave it
    if (::mmap(start, end - page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
               0) == MAP_FAILED)
        return false;
    range.damage = ++damages;
    return true;
}

void onBusError(int signal, siginfo_t* information, void* context) {
    const int error = errno;
    const auto address = reinterpret_cast<std::uintptr_t>(information->si_addr);
    for (MappedRange* range = ranges; range; range = range->next) {
        if (address < range->begin || address >= range->end || !replaceRest(*range, address)) continue;
        errno = error;
        return;
    }
    // Not ours: call the previous handler, or let the system handle it when the access fails again.
    if (previousAction.sa_flags & SA_SIGINFO) previousAction.sa_sigaction(signal, information, context);
    else if (previousAction.sa_handler != SIG_DFL && previousAction.sa_handler != SIG_IGN)
        previousAction.sa_handler(signal);
    else ::sigaction(SIGBUS, &previousAction, nullptr);
}

void installHandler() {
    [[maybe_unused]] static const bool once = [] {
        struct sigaction action {};
        action.sa_sigaction = onBusError;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        sigemptyset(&action.sa_mask);
        return ::sigaction(SIGBUS, &action, &previousAction) == 0;
    }();
}

MappedRange* newRange() {
    for (MappedRange* range = ranges; range; range = range->next)
        if (!range->used.exchange(true)) return range;
    auto* const range = new MappedRange;  // NOLINT: the handler may look at it as long as the process lives
    range->next = ranges;
    return ranges = range;
}

}  // namespace

std::shared_ptr<MappedFile> MappedFile::open(const std::filesystem::path& path) {
    const InputFile file(path);
    const auto size = static_cast<std::size_t>(file.size());
    // An empty mapping is an error for the system, but an empty file is not.
    if (size == 0) return std::shared_ptr<MappedFile>(new MappedFile(path, nullptr, 0));
    void* const data = mapLazily(size, file.descriptor());
    if (!data) throw Error("cannot read '" + path.string() + "': " + std::strerror(errno));
    return std::shared_ptr<MappedFile>(new MappedFile(path, static_cast<char*>(data), size));
}

MappedFile::MappedFile(const std::filesystem::path& path, char* data, std::size_t size)
    : path_(path), data_(data), size_(size) {
    if (!data_) return;
    const std::scoped_lock lock(mutex());
    installHandler();
    range_ = newRange();
    range_->path = path_.string();
    range_->damage = 0;
    range_->begin = reinterpret_cast<std::uintptr_t>(data_);
    range_->end = range_->begin + size_;
}

MappedFile::~MappedFile() {
    if (!data_) return;
    range_->begin = range_->end = 0;
    unmapLazy(data_, size_);
    range_->used = false;
}

void MappedFile::release(std::size_t bytes) const {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    if (const std::size_t whole = std::min(bytes, size_) / page * page; whole > 0)
        ::madvise(data_, whole, MADV_DONTNEED);
}

MappedFileWatch::MappedFileWatch() : since_(damages) {}

void MappedFileWatch::requireWhole() const {
    if (damages == since_) return;
    const std::scoped_lock lock(mutex());
    std::string name = "a file";
    for (MappedRange* range = ranges; range; range = range->next)
        if (range->damage > since_) name = "'" + range->path + "'";
    throw Error("cannot read " + name +
                ": it was truncated or its disk became unreadable while it was in use; restore it and open it again");
}

}  // namespace aotscope
