#include "support/resident_memory.h"

#include <fstream>
#include <string>

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

void keepFreedMemory() {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the most that glibc accepts; larger blocks go back to the system
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    mallopt(M_ARENA_MAX, 1);  // the heaps of further threads go back whatever the threshold
#endif
}

}  // namespace aotscope
