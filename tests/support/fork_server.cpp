// Preloaded into the program under test. Loading LibTorch takes a quarter of a second, so it is done once: where main()
// would begin, the process waits for requests. For each one it forks a child that runs main() with its own arguments,
// environment and output.

#include "support/fork_request.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace aotscope::test;
using Main = int (*)(int, char**, char**);

Main mainOfProgram = nullptr;

struct Request {
    std::vector<char> text = std::vector<char>(kLongestRequest);
    int output = -1, errors = -1;
};

/// Returns false if the test has ended.
bool receive(int socket, Request& request) {
    iovec text{request.text.data(), request.text.size()};
    alignas(cmsghdr) char control[CMSG_SPACE(2 * sizeof(int))];
    msghdr message{};
    message.msg_iov = &text;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    ssize_t size = 0;
    while ((size = recvmsg(socket, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {}
    const cmsghdr* passed = size > 0 ? CMSG_FIRSTHDR(&message) : nullptr;
    if (!passed) return false;
    int descriptors[2];
    std::memcpy(descriptors, CMSG_DATA(passed), sizeof descriptors);
    request.output = descriptors[0], request.errors = descriptors[1];
    request.text.resize(static_cast<std::size_t>(size));
    return true;
}

/// The environment follows the arguments; a null pointer ends each.
[[noreturn]] void run(Request& request, int socket) {
    char* at = request.text.data();
    char* const end = at + request.text.size();
    const auto next = [&] {
        char* word = at;
        at += std::strlen(at) + 1;
        return word;
    };
    std::vector<char*> arguments, environment;
    const int count = std::atoi(next());
    for (int i = 0; i < count; ++i) arguments.push_back(next());
    while (at < end) environment.push_back(next());
    arguments.push_back(nullptr), environment.push_back(nullptr);
    alarm(kLongestRun);
    signal(SIGPIPE, SIG_DFL);
    dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
    dup2(request.output, STDOUT_FILENO), dup2(request.errors, STDERR_FILENO);
    close(request.output), close(request.errors), close(socket);
    environ = environment.data();
    const int code = mainOfProgram(count, arguments.data(), environ);
    // LibTorch's destructors take twenty times as long as a short run.
    if (std::getenv("AOTSCOPE_FUZZ")) std::exit(code);
    std::fflush(nullptr);
    _exit(code);
}

int serve(int, char**, char**) {
    const char* const number = std::getenv(kForkServerVariable);
    if (!number) _exit(1);
    const int socket = std::atoi(number);
    while (true) {
        Request request;
        if (!receive(socket, request)) _exit(0);
        const pid_t child = fork();
        if (child == 0) run(request, socket);
        close(request.output), close(request.errors);
        ForkReply reply{};
        while (wait4(child, &reply.status, 0, &reply.used) < 0 && errno == EINTR) {}
        if (send(socket, &reply, sizeof reply, MSG_NOSIGNAL) != sizeof reply) _exit(1);
    }
}

}  // namespace

/// Overrides the function of the C library, which calls its first argument when all libraries are initialized.
// NOLINTNEXTLINE(bugprone-reserved-identifier): its name is given
extern "C" __attribute__((visibility("default"))) int __libc_start_main(Main main, int count, char** arguments,
                                                                        void (*begin)(), void (*end)(),
                                                                        void (*endOfLoader)(), void* stack) {
    using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
    const auto start = reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"));
    const bool serves = std::getenv(kForkServerVariable) != nullptr;
    mainOfProgram = main;
    return start(serves ? serve : main, count, arguments, begin, end, endOfLoader, stack);
}
