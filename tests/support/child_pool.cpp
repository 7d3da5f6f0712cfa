#include "support/child_pool.h"
#include "support/literals.h"
#include "support/machine/cores.h"

#include "support/sanitized.h"

#include <QFile>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <mutex>
#include <thread>
#include <vector>

#include <malloc.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

namespace aotscope::test {

namespace {

constexpr int kJobsInOneProcess = 50;
constexpr unsigned kLongestWait = 600;  ///< seconds by the clock

std::size_t peakBytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

std::size_t addressSpace() {
    QFile file(u"/proc/self/statm"_s);
    if (!file.open(QIODevice::ReadOnly)) return 0;
    return file.readAll().split(' ').first().toULongLong() * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// Limits the CPU time, whatever else the machine does; 0 removes the limit.
void limitTime(int seconds) {
    const itimerval timer{{}, {seconds, 0}};
    setitimer(ITIMER_PROF, &timer, nullptr);
    alarm(seconds > 0 ? kLongestWait : 0);
}

/// A sanitizer's shadow fills the address space, so the peak of used memory is limited instead.
void limitMemory(const ChildLimits& limits) {
    mallopt(M_ARENA_MAX, 2);  // every arena takes address space
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    if (kSanitized) return;
    constexpr std::size_t threads = std::size_t{256} << 20;
    const rlim_t most = addressSpace() + limits.extraBytes + threads;
    const rlimit space{most, most};
    setrlimit(RLIMIT_AS, &space);
}

/// One line for each job: "begin", then its result.
[[noreturn]] void runJobs(int pipe, int first, int last, const std::function<QString(int)>& job,
                          const ChildLimits& limits) {
    for (const int fatal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM, SIGPROF}) signal(fatal, SIG_DFL);
    limitMemory(limits);
    const auto say = [pipe](QByteArray line) {
        line.replace('\n', ' ');
        line += '\n';
        if (::write(pipe, line.constData(), static_cast<std::size_t>(line.size())) != line.size()) _exit(1);
    };
    for (int i = first; i < last; ++i) {
        say("begin");
        limitTime(limits.seconds);
        const std::size_t before = peakBytes();
        QByteArray result = job(i).toUtf8();
        if (peakBytes() > before + limits.extraBytes) result = "took too much memory: " + result;
        limitTime(0);
        say(result);
    }
    _exit(0);
}

QString cause(int status) {
    if (WIFEXITED(status)) return u"ended the process with status %1"_s.arg(WEXITSTATUS(status));
    if (WTERMSIG(status) == SIGPROF) return u"ran too long"_s;
    if (WTERMSIG(status) == SIGALRM) return u"waited for ever"_s;
    return u"killed by signal %1"_s.arg(WTERMSIG(status));
}

/// Runs jobs from `first` on in a new process; returns how many have a result.
int runProcess(int first, int last, const std::function<QString(int)>& job, const ChildLimits& limits,
               QStringList& results) {
    static std::mutex forking;  // so that no child inherits the other's pipe
    std::array<int, 2> ends{};
    pid_t child = 0;
    {
        const std::lock_guard lock(forking);
        if (pipe(ends.data()) != 0) qFatal("no pipe");
        child = fork();
        if (child == 0) runJobs(ends[1], first, last, job, limits);
        close(ends[1]);
    }
    QFile reader;
    QByteArray said;
    if (reader.open(ends[0], QIODevice::ReadOnly, QFileDevice::AutoCloseHandle)) said = reader.readAll();
    int status = 0;
    waitpid(child, &status, 0);
    QList<QByteArray> lines = said.split('\n');
    lines.removeLast();
    for (qsizetype i = 1; i < lines.size(); i += 2)
        results[first + static_cast<int>(i) / 2] = QString::fromUtf8(lines[i]);
    const int done = static_cast<int>(lines.size()) / 2;
    if (first + done >= last) return done;
    results[first + done] = cause(status);
    return done + 1;
}

}  // namespace

QStringList runInChildren(int count, const std::function<QString(int)>& job, const ChildLimits& limits) {
    QStringList results(count);
    std::atomic<int> next = 0;
    const auto work = [&] {
        for (int first = next.fetch_add(kJobsInOneProcess); first < count; first = next.fetch_add(kJobsInOneProcess)) {
            const int last = std::min(first + kJobsInOneProcess, count);
            for (int at = first; at < last;) at += runProcess(at, last, job, limits, results);
        }
    };
    std::vector<std::thread> threads;
    // A child inherits the locks of the sanitizer's allocator, and would wait forever for one that another thread
    // holds.
    const unsigned processors = kSanitized ? 1U : static_cast<unsigned>(std::min<std::size_t>(availableCores(), 8));
    for (unsigned i = 0; i < processors; ++i) threads.emplace_back(work);
    for (std::thread& thread : threads) thread.join();
    return results;
}

}  // namespace aotscope::test
