// late_pipe MILLISECONDS FILE COMMAND...: runs the command; what it reads and writes comes later by as much, as over a
// network. FILE gets how many bytes have gone to and fro.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

namespace {

using Clock = std::chrono::steady_clock;

std::chrono::milliseconds delay;
const char* file = nullptr;
std::atomic<long> sent, received;

void note() {
    if (FILE* out = std::fopen(file, "w")) {
        std::fprintf(out, "%ld %ld\n", sent.load(), received.load());
        std::fclose(out);
    }
}

/// Reads at once, and writes later.
void pass(int from, int to, std::atomic<long>& count) {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<std::pair<Clock::time_point, std::string>> pieces;  // an empty one ends it
    std::thread writer([&] {
        while (true) {
            std::unique_lock lock(mutex);
            changed.wait(lock, [&] { return !pieces.empty(); });
            const auto [due, bytes] = std::move(pieces.front());
            pieces.pop_front();
            lock.unlock();
            std::this_thread::sleep_until(due);
            if (bytes.empty()) break;
            for (std::size_t at = 0; at < bytes.size();) {
                const auto written = write(to, bytes.data() + at, bytes.size() - at);
                if (written <= 0) break;
                at += static_cast<std::size_t>(written);
            }
        }
        close(to);
    });
    char buffer[65536];
    ssize_t got = 0;
    do {
        got = read(from, buffer, sizeof buffer);
        if (got > 0) count += got;
        note();
        const std::scoped_lock lock(mutex);
        pieces.emplace_back(Clock::now() + delay, std::string(buffer, static_cast<std::size_t>(got > 0 ? got : 0)));
        changed.notify_one();
    } while (got > 0);
    writer.join();
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 4) return 2;
    delay = std::chrono::milliseconds(std::atoi(arguments[1]));
    file = arguments[2];
    signal(SIGPIPE, SIG_IGN);
    int in[2], out[2];
    if (pipe(in) != 0 || pipe(out) != 0) return 1;
    const pid_t child = fork();
    if (child == 0) {
        dup2(in[0], STDIN_FILENO), dup2(out[1], STDOUT_FILENO);
        for (const int end : {in[0], in[1], out[0], out[1]}) close(end);
        execvp(arguments[3], arguments + 3);
        _exit(127);
    }
    close(in[0]), close(out[1]);
    std::thread forth([&] { pass(STDIN_FILENO, in[1], sent); });
    pass(out[0], dup(STDOUT_FILENO), received);
    int status = 0;
    waitpid(child, &status, 0);
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);  // the other thread still reads
}
