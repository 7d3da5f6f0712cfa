// late_pipe MILLISECONDS FILE COMMAND...: runs the command with delayed input and output, as over a network. FILE gets
// the number of bytes in both directions, FILE.processes the numbers of this process and of the command. If FILE.cut
// exists, it is removed, and this process ends after the number of bytes in it.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <limits>
#include <mutex>
#include <string>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

namespace {

using Clock = std::chrono::steady_clock;

std::chrono::milliseconds delay;
const char* file = nullptr;
std::atomic<long> sent, received, left = std::numeric_limits<long>::max();

std::string beside(const char* ending) { return std::string(file) + ending; }

void note() {
    if (FILE* out = std::fopen(file, "w")) {
        std::fprintf(out, "%ld %ld\n", sent.load(), received.load());
        std::fclose(out);
    }
}

void noteProcesses(pid_t child) {
    if (FILE* out = std::fopen(beside(".processes").c_str(), "a")) {
        std::fprintf(out, "%d %d\n", getpid(), child);
        std::fclose(out);
    }
}

void takeCut() {
    const std::string name = beside(".cut");
    long bytes = 0;
    if (FILE* in = std::fopen(name.c_str(), "r")) {
        if (std::fscanf(in, "%ld", &bytes) == 1) left = bytes;
        std::fclose(in);
        unlink(name.c_str());
    }
}

struct Piece {
    Clock::time_point due;
    std::string bytes;  ///< none: it is the end
    bool cut;           ///< the connection ends after it
};

/// Reads at once, and writes later.
void pass(int from, int to, std::atomic<long>& count) {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<Piece> pieces;
    std::thread writer([&] {
        while (true) {
            std::unique_lock lock(mutex);
            changed.wait(lock, [&] { return !pieces.empty(); });
            const auto [due, bytes, cut] = std::move(pieces.front());
            pieces.pop_front();
            lock.unlock();
            std::this_thread::sleep_until(due);
            if (bytes.empty() && !cut) break;
            for (std::size_t at = 0; at < bytes.size();) {
                const auto written = write(to, bytes.data() + at, bytes.size() - at);
                if (written <= 0) break;
                at += static_cast<std::size_t>(written);
            }
            if (cut) _exit(0);
        }
        close(to);
    });
    char buffer[65536];
    ssize_t got = 0;
    do {
        got = read(from, buffer, sizeof buffer);
        if (got > 0) count += got;
        note();
        const long wanted = got > 0 ? got : 0, before = left.fetch_sub(wanted);
        const bool cut = before <= wanted;
        const std::scoped_lock lock(mutex);
        pieces.push_back({Clock::now() + delay,
                          std::string(buffer, static_cast<std::size_t>(cut ? std::max(before, 0L) : wanted)), cut});
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
    takeCut();
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
    noteProcesses(child);
    std::thread forth([&] { pass(STDIN_FILENO, in[1], sent); });
    pass(out[0], dup(STDOUT_FILENO), received);
    int status = 0;
    waitpid(child, &status, 0);
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);  // the other thread still reads
}
