#include "support/resident_memory.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <string>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace aotscope {

namespace {

std::int64_t memoryBytes() { return static_cast<std::int64_t>(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGESIZE); }

/// The sizes in /proc/self/statm: virtual, resident, of files, of programs, unused, data and stacks; 0 if unknown.
std::array<std::int64_t, 6> ownBytes() {
    std::ifstream file("/proc/self/statm");
    std::array<std::int64_t, 6> sizes{};
    for (std::int64_t& size : sizes) {
        file >> size;
        size *= ::sysconf(_SC_PAGESIZE);
    }
    return sizes;
}

std::mutex limiting;
std::int64_t dataLimit = 0;  ///< 0: none

void raiseLimit(std::int64_t bytes) {
    dataLimit += bytes;
    struct rlimit limit {};
    ::getrlimit(RLIMIT_DATA, &limit);
    limit.rlim_cur = std::min(static_cast<rlim_t>(dataLimit), limit.rlim_max);
    ::setrlimit(RLIMIT_DATA, &limit);
}

/// Raises that limit for data that needs no memory, or lowers it again. Without one, does nothing.
void allowData(std::int64_t bytes) {
    const std::scoped_lock lock(limiting);
    if (dataLimit != 0) raiseLimit(bytes);
}

}  // namespace

std::int64_t residentBytes() { return ownBytes()[1]; }

std::int64_t availableBytes() {
    std::ifstream file("/proc/meminfo");
    std::string name, unit;
    for (std::int64_t kilobytes = 0; file >> name >> kilobytes; std::getline(file, unit))
        if (name == "MemAvailable:") return kilobytes * 1024;
    return memoryBytes();
}

void limitData() {
    const std::scoped_lock lock(limiting);
    raiseLimit(ownBytes()[5] + availableBytes() + memoryBytes() / 4);
}

void* mapLazily(std::size_t bytes, int file) {
    constexpr std::size_t addresses = std::size_t{1} << 48;
    if (bytes > addresses) {
        errno = ENOMEM;
        return nullptr;
    }
    allowData(static_cast<std::int64_t>(bytes));
    void* const data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_NORESERVE | (file < 0 ? MAP_ANONYMOUS : 0), file, 0);
    if (data != MAP_FAILED) return data;
    const int error = errno;
    allowData(-static_cast<std::int64_t>(bytes));
    errno = error;
    return nullptr;
}

void unmapLazy(void* data, std::size_t bytes) {
    ::munmap(data, bytes);
    allowData(-static_cast<std::int64_t>(bytes));
}

// Called by allocation functions: does not allocate.
std::int64_t privateBytes() {
    const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    std::array<char, 128> text{};
    const ssize_t size = ::read(file, text.data(), text.size() - 1);
    ::close(file);
    if (size <= 0) return 0;
    char* at = text.data();
    std::strtoll(at, &at, 10);  // virtual pages
    const std::int64_t resident = std::strtoll(at, &at, 10), ofFiles = std::strtoll(at, &at, 10);
    return (resident - ofFiles) * ::sysconf(_SC_PAGESIZE);
}

void keepFreedMemory() {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the largest that glibc accepts; larger blocks are returned to the system
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    mallopt(M_ARENA_MAX, 1);  // the heaps of other threads are returned regardless of the threshold
#endif
}

}  // namespace aotscope
