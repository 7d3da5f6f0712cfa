#include "cli/start_failure.h"

#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include <unistd.h>

namespace aotscope {

namespace {

std::terminate_handler previousHandler = nullptr;

/// No memory may be left for anything else.
[[noreturn]] void failToStart() {
    constexpr std::string_view sentence =
        "aotscope: not enough memory to start; raise the limit (ulimit -v) or close other programs\n";
    try {
        if (const auto current = std::current_exception()) std::rethrow_exception(current);
    } catch (const std::bad_alloc&) {
        [[maybe_unused]] const auto written = ::write(STDERR_FILENO, sentence.data(), sentence.size());
        ::_exit(1);
    } catch (...) {  // for the default handler
    }
    if (previousHandler) previousHandler();
    std::abort();
}

void watchLibraries(int /*argc*/, char** /*argv*/, char** /*environment*/) { watchStart(); }

/// The system calls this before it initializes any library.
[[gnu::section(".preinit_array"), gnu::used]] void (*const beforeLibraries)(int, char**, char**) = watchLibraries;

}  // namespace

void watchStart() { previousHandler = std::set_terminate(failToStart); }

void endOfStart() {
    if (previousHandler) std::set_terminate(previousHandler);
}

}  // namespace aotscope
