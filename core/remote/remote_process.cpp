#include "remote/remote_process.h"

#include "support/error.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;  // NOLINT(readability-redundant-declaration): not every system's unistd.h has it

namespace aotscope {

namespace {

using namespace std::chrono_literals;

struct Pipe {
    int read = -1, write = -1;

    Pipe() {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0) throw Error(std::string("cannot create a pipe: ") + std::strerror(errno));
        read = ends[0], write = ends[1];
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    ~Pipe() {
        for (const int end : {read, write})
            if (end >= 0) ::close(end);
    }
    int takeRead() { return std::exchange(read, -1); }
    int takeWrite() { return std::exchange(write, -1); }
};

/// What the new process does before it executes the program.
class SpawnSettings {
public:
    /// Its standard input, output and error. Null: discarded.
    SpawnSettings(const Pipe& input, const Pipe* output, const Pipe* errors) {
        ::posix_spawn_file_actions_init(&actions_);
        ::posix_spawn_file_actions_adddup2(&actions_, input.read, STDIN_FILENO);
        write(output, STDOUT_FILENO);
        write(errors, STDERR_FILENO);
        // Descriptors that libraries have just opened are not marked yet: whoever waits for the end of a pipe would
        // wait for this process, too.
        ::posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
        ::posix_spawnattr_init(&attributes_);
        sigset_t none, usual;
        sigemptyset(&none);
        sigemptyset(&usual);
        sigaddset(&usual, SIGPIPE);  // the window ignores it
        ::posix_spawnattr_setsigmask(&attributes_, &none);
        ::posix_spawnattr_setsigdefault(&attributes_, &usual);
        ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    }
    SpawnSettings(const SpawnSettings&) = delete;
    SpawnSettings& operator=(const SpawnSettings&) = delete;
    ~SpawnSettings() {
        ::posix_spawn_file_actions_destroy(&actions_);
        ::posix_spawnattr_destroy(&attributes_);
    }
    const posix_spawn_file_actions_t* actions() const { return &actions_; }
    const posix_spawnattr_t* attributes() const { return &attributes_; }

private:
    void write(const Pipe* pipe, int descriptor) {
        if (pipe) ::posix_spawn_file_actions_adddup2(&actions_, pipe->write, descriptor);
        else ::posix_spawn_file_actions_addopen(&actions_, descriptor, "/dev/null", O_WRONLY, 0);
    }

    posix_spawn_file_actions_t actions_{};
    posix_spawnattr_t attributes_{};
};

/// Starts a program found in PATH. Returns an error number; 0: it has started.
int spawn(std::vector<std::string> command, const SpawnSettings& settings, pid_t& process) {
    std::vector<char*> words;
    for (std::string& word : command) words.push_back(word.data());
    words.push_back(nullptr);
    return ::posix_spawnp(&process, words.front(), settings.actions(), settings.attributes(), words.data(), environ);
}

/// In case we end without a destructor, for example by a signal: a process that gets the id of another one, sees the
/// end of its input when we end, waits a moment, kills whatever is left of the other one, and removes its folder.
constexpr const char* kGuard =
    "if read -r group; then "
    "read -r _; sleep 1; kill -s TERM -- \"-$group\" && sleep 1 && kill -s KILL -- \"-$group\"; "
    "fi; [ -z \"$1\" ] || rm -rf -- \"$1\"";

void closeOnce(int& descriptor) {
    if (descriptor >= 0) ::close(std::exchange(descriptor, -1));
}

}  // namespace

RemoteProcess::RemoteProcess(const std::vector<std::string>& command, const std::filesystem::path& folder) {
    Pipe input, output, errors, life;
    // Before the other one, which is therefore hardly ever without it.
    if (spawn({"sh", "-c", kGuard, "sh", folder.string()}, SpawnSettings(life, nullptr, nullptr), guard_) != 0)
        guard_ = -1;
    life_ = life.takeWrite();
    const int failure = spawn(command, SpawnSettings(input, &output, &errors), process_);
    if (failure != 0) {
        dismissGuard();
        throw Error("cannot run '" + command.front() + "': " + std::strerror(failure) +
                    "; install it, or name another command with --remote-command");
    }
    const std::string group = std::to_string(process_) + '\n';
    (void)!::write(life_, group.data(), group.size());
    input_ = input.takeWrite();
    output_ = output.takeRead();
    errors_ = errors.takeRead();
    ::fcntl(input_, F_SETFL, O_NONBLOCK);
}

RemoteProcess::~RemoteProcess() {
    closeInput();
    for (const int signal : {SIGTERM, SIGKILL}) {
        if (outcome(300ms)) break;
        ::kill(-process_, signal);
    }
    dismissGuard();              // before the process id may be reused
    ::kill(-process_, SIGKILL);  // its remaining children; its id is reserved until it is reaped
    ::waitpid(process_, nullptr, 0);
    closeOnce(output_);
    closeOnce(errors_);
}

void RemoteProcess::dismissGuard() {
    if (guard_ > 0) {
        ::kill(-guard_, SIGKILL);
        ::waitpid(guard_, nullptr, 0);
    }
    closeOnce(life_);
}

void RemoteProcess::kill() { ::kill(-process_, SIGKILL); }

void RemoteProcess::closeInput() { closeOnce(input_); }

std::optional<int> RemoteProcess::outcome(std::chrono::milliseconds patience) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!outcome_) {
        siginfo_t info{};
        const int failed = ::waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT);
        if (failed == 0 && info.si_pid == process_)
            outcome_ = info.si_code == CLD_EXITED ? info.si_status : -info.si_status;
        else if (failed != 0 && errno != EINTR) outcome_ = 0;  // reaped elsewhere
        else if (std::chrono::steady_clock::now() >= end) break;
        else std::this_thread::sleep_for(2ms);
    }
    return outcome_;
}

}  // namespace aotscope
