// Preloaded into the program under test. Loading LibTorch takes a quarter of a second, so it is done once: where main()
// would begin, the process waits for requests. For each one it forks a child that runs main() with its own arguments,
// environment, descriptors and folder. Runs are concurrent.

#include "support/fork_request.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <dlfcn.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace aotscope::test;
using Main = int (*)(int, char**, char**);

Main mainOfProgram = nullptr;

struct Request {
    std::vector<char> text = std::vector<char>(kLongestRequest);
    ForkDescriptors descriptors{};
};

struct Run {
    pid_t process;
    int ended;       ///< can be read from when it has
    int connection;  ///< -1: it has ended, and the run has been killed
};

bool receive(int connection, Request& request) {
    iovec text{request.text.data(), request.text.size()};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(ForkDescriptors))];
    msghdr message{};
    message.msg_iov = &text;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    ssize_t size = 0;
    while ((size = recvmsg(connection, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {}
    const cmsghdr* passed = size > 0 ? CMSG_FIRSTHDR(&message) : nullptr;
    if (!passed) return false;
    std::memcpy(request.descriptors.data(), CMSG_DATA(passed), sizeof request.descriptors);
    request.text.resize(static_cast<std::size_t>(size));
    return true;
}

/// The environment follows the arguments; a null pointer ends each.
[[noreturn]] void run(Request& request, char* program) {
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
    arguments[0] = program;
    arguments.push_back(nullptr), environment.push_back(nullptr);
    alarm(kLongestRun);
    signal(SIGPIPE, SIG_DFL);
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        dup2(request.descriptors[standard], standard);
    if (fchdir(request.descriptors[3]) != 0) _exit(125);
    close_range(STDERR_FILENO + 1, ~0U, 0);
    environ = environment.data();
    const int code = mainOfProgram(count, arguments.data(), environ);
    // LibTorch's destructors take twenty times as long as a short run.
    if (std::getenv("AOTSCOPE_FUZZ")) std::exit(code);
    std::fflush(nullptr);
    _exit(code);
}

void begin(std::vector<Run>& runs, int listener, char* program) {
    const int connection = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    Request request;
    if (!receive(connection, request)) {
        close(connection);
        return;
    }
    const pid_t child = fork();
    if (child == 0) run(request, program);
    for (const int descriptor : request.descriptors) close(descriptor);
    if (child < 0) _exit(1);
    runs.push_back({child, static_cast<int>(syscall(SYS_pidfd_open, child, 0)), connection});
}

/// Forwards a signal, or kills the run because its client has gone.
void signalTo(Run& run) {
    int signal = 0;
    if (recv(run.connection, &signal, sizeof signal, MSG_DONTWAIT) == sizeof signal) {
        kill(run.process, signal);
        return;
    }
    kill(run.process, SIGKILL);
    close(run.connection), run.connection = -1;
}

void reply(const Run& run) {
    ForkReply reply{};
    while (wait4(run.process, &reply.status, 0, &reply.used) < 0 && errno == EINTR) {}
    if (run.connection >= 0) send(run.connection, &reply, sizeof reply, MSG_NOSIGNAL);
    close(run.connection), close(run.ended);
}

int serve(int, char** arguments, char**) {
    const char* const number = std::getenv(kListenerVariable);
    if (!number) _exit(1);
    const int listener = std::atoi(number);
    const int test = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);  // open as long as the test runs
    std::vector<Run> runs;
    while (true) {
        std::vector<pollfd> events{{test, POLLIN, 0}, {listener, POLLIN, 0}};
        for (const Run& run : runs) {
            events.push_back({run.ended, POLLIN, 0});
            events.push_back({run.connection, POLLIN, 0});
        }
        if (poll(events.data(), events.size(), -1) < 0) continue;
        for (std::size_t i = runs.size(); i-- > 0;) {
            if (events[2 * i + 2].revents) {
                reply(runs[i]);
                runs.erase(runs.begin() + static_cast<std::ptrdiff_t>(i));
            } else if (events[2 * i + 3].revents) {
                signalTo(runs[i]);
            }
        }
        if (events[0].revents) {
            for (const Run& run : runs) kill(run.process, SIGKILL);
            _exit(0);
        }
        if (events[1].revents) begin(runs, listener, arguments[0]);
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
    const bool serves = std::getenv(kListenerVariable) != nullptr;
    mainOfProgram = main;
    return start(serves ? serve : main, count, arguments, begin, end, endOfLoader, stack);
}
