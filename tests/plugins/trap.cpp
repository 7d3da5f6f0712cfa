// A library that must not be loaded: if it is, it leaves a file next to itself.

#include <cstdio>
#include <string>

#include <dlfcn.h>

namespace {

__attribute__((constructor)) void spring() {
    Dl_info self{};
    if (dladdr(reinterpret_cast<void*>(&spring), &self) == 0 || !self.dli_fname) return;
    if (std::FILE* mark = std::fopen((std::string(self.dli_fname) + ".loaded").c_str(), "w")) std::fclose(mark);
}

}  // namespace
