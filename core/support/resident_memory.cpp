#include "support/resident_memory.h"

#include <array>
#include <cstdlib>
#include <fstream>
#include <string>

#include <fcntl.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace aotscope {

std::int64_t residentBytes() {
    std::ifstream file("/proc/self/statm");
    std::int64_t pages = 0, resident = 0;
    return file >> pages >> resident ? resident * ::sysconf(_SC_PAGESIZE) : 0;
}

std::int64_t availableBytes() {
    std::ifstream file("/proc/meminfo");
    std::string name, unit;
    for (std::int64_t kilobytes = 0; file >> name >> kilobytes; std::getline(file, unit))
        if (name == "MemAvailable:") return kilobytes * 1024;
    return static_cast<std::int64_t>(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGESIZE);
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
