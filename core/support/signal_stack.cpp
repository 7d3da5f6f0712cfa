#include "support/signal_stack.h"

#include <algorithm>
#include <csignal>

#include <sys/mman.h>
#include <unistd.h>

namespace aotscope {

namespace {

/// Unwinding needs some kilobytes; so does saving wide registers, whose size the kernel reports.
std::size_t stackSize() {
    constexpr long least = 128L * 1024;
    return static_cast<std::size_t>(std::max(least, 4 * ::sysconf(_SC_SIGSTKSZ)));
}

class SignalStack {
public:
    SignalStack() {
        stack_t present{};
        if (::sigaltstack(nullptr, &present) != 0 || !(present.ss_flags & SS_DISABLE)) return;
        const std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
        size_ = stackSize() + page;
        memory_ = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
        if (memory_ == MAP_FAILED) return;
        ::mprotect(memory_, page, PROT_NONE);  // the stack grows down to it
        const stack_t mine{static_cast<char*>(memory_) + page, 0, size_ - page};
        ::sigaltstack(&mine, nullptr);
    }
    SignalStack(const SignalStack&) = delete;
    SignalStack& operator=(const SignalStack&) = delete;
    ~SignalStack() {
        if (memory_ == MAP_FAILED) return;
        const stack_t none{nullptr, SS_DISABLE, 0};
        ::sigaltstack(&none, nullptr);
        ::munmap(memory_, size_);
    }

private:
    void* memory_ = MAP_FAILED;
    std::size_t size_ = 0;
};

}  // namespace

void useSignalStack() { static const thread_local SignalStack stack; }

}  // namespace aotscope
