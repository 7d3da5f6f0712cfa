// The program's allocation functions, also for LibTorch: while code from a model runs, its allocations are charged to
// its budget. A limit for the whole process (RLIMIT_DATA) would also affect the window's threads.

#include "support/counted_new.h"

#include "support/budget.h"

#include <cstdlib>
#include <new>

namespace aotscope {

bool mayAllocate(std::size_t bytes) noexcept {
    constexpr std::size_t kLarge = std::size_t{1} << 20;
    ForeignRun* run = ForeignRun::current();
    if (!run) [[likely]]
        return true;
    return bytes < kLarge ? run->countAllocated(bytes) : run->mayAllocate(bytes);
}

}  // namespace aotscope

#if defined(__SANITIZE_ADDRESS__) && !defined(__clang__)
// The sanitizer's own functions would let memory run out. It still sees malloc and free, but reports false mismatches
// if memory from an allocation function that is not replaced here is freed by one that is.
extern "C" const char* __asan_default_options() { return "alloc_dealloc_mismatch=0"; }
#endif

// Other sanitizers, and the fuzzer, have their own allocation functions.
#if !defined(__SANITIZE_THREAD__) && !(defined(__SANITIZE_ADDRESS__) && defined(__clang__))

void* operator new(std::size_t bytes) {
    if (!aotscope::mayAllocate(bytes)) throw std::bad_alloc();
    while (true) {
        if (void* memory = std::malloc(bytes ? bytes : 1)) return memory;
        const std::new_handler handler = std::get_new_handler();
        if (!handler) throw std::bad_alloc();
        handler();
    }
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

#endif
