#include "support/resident_memory.h"

#include <fstream>

#include <unistd.h>

namespace aotscope {

std::int64_t residentBytes() {
    std::ifstream file("/proc/self/statm");
    std::int64_t pages = 0, resident = 0;
    return file >> pages >> resident ? resident * ::sysconf(_SC_PAGESIZE) : 0;
}

}  // namespace aotscope
