#include "crash/crash_stack.h"

#include <cstring>

#include <dlfcn.h>
#include <execinfo.h>
#include <ucontext.h>

namespace aotscope {

namespace {

/// The thread's registers when the signal came; null on unknown machines.
const void* interruptedAt(const void* context) {
    const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
    return reinterpret_cast<const void*>(registers.gregs[REG_RIP]);
#elif defined(__aarch64__)
    return reinterpret_cast<const void*>(registers.pc);
#else
    return (void)registers, nullptr;
#endif
}

const char* fileName(const char* path) {
    const char* slash = std::strrchr(path, '/');
    return slash ? slash + 1 : path;
}

}  // namespace

void CrashStack::prepare() {
    std::array<void*, 4> calls{};
    ::backtrace(calls.data(), static_cast<int>(calls.size()));
}

void CrashStack::take(const void* context) {
    const int all = ::backtrace(calls_.data(), kMost);
    const void* place = context ? interruptedAt(context) : nullptr;
    first_ = 0;
    for (int i = 0; i < all && place; ++i)
        if (calls_[static_cast<std::size_t>(i)] == place) first_ = i;
    count_ = all - first_;
}

CrashStack::Place CrashStack::at(int index) const {
    Place place;
    place.address =
        reinterpret_cast<std::uintptr_t>(calls_[static_cast<std::size_t>(first_) + static_cast<std::size_t>(index)]);
    // A call returns to the instruction after it, which may belong to the next function.
    const std::uintptr_t asked = index == 0 ? place.address : place.address - 1;
    Dl_info info{};
    if (::dladdr(reinterpret_cast<const void*>(asked), &info) == 0) return place;
    place.module = info.dli_fname;
    place.inModule = place.address - reinterpret_cast<std::uintptr_t>(info.dli_fbase);
    if (!info.dli_sname) return place;
    place.symbol = info.dli_sname;
    place.inSymbol = place.address - reinterpret_cast<std::uintptr_t>(info.dli_saddr);
    return place;
}

const char* CrashStack::culprit() const {
    for (int i = 0; i < count_; ++i) {
        const char* module = at(i).module;
        if (!module) continue;
        const std::string_view name = fileName(module);
        if (!name.starts_with("libc.so") && !name.starts_with("libstdc++.so") && !name.starts_with("libgcc_s.so"))
            return name.data();
    }
    return nullptr;
}

}  // namespace aotscope
