#include "crash/crash_handler.h"

#include "crash/crash_file.h"
#include "crash/crash_stack.h"
#include "support/signal_stack.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <typeinfo>

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace aotscope {

namespace {

constexpr std::size_t kKeptReports = 10;
constexpr unsigned kPatienceSeconds = 10;

struct Fatal {
    int signal;
    const char* meaning;
};
constexpr std::array kFatal = {Fatal{SIGSEGV, "segmentation fault"}, Fatal{SIGBUS, "bus error"},
                               Fatal{SIGFPE, "arithmetic error"}, Fatal{SIGILL, "illegal instruction"},
                               Fatal{SIGABRT, "aborted"}};

/// A text that one thread changes now and then and that a signal handler may read at any time.
class Note {
public:
    void set(std::string_view text) {
        const int other = 1 - shown_;
        CrashText<1000>& next = texts_[static_cast<std::size_t>(other)];
        next.clear();
        next << text;
        shown_ = other;
    }
    std::string_view get() const { return texts_[static_cast<std::size_t>(shown_.load())].view(); }

private:
    std::array<CrashText<1000>, 2> texts_;
    std::atomic<int> shown_ = 0;
};

/// Everything that a handler needs, in memory reserved from the start. Handlers get no argument of ours.
struct State {
    CrashText<6000> program;  ///< the lines of the report that are known in advance
    std::array<Note, 3> notes;
    CrashText<2000> exception;  ///< the uncaught exception
    CrashFile file;
    CrashStack stack;
    CrashText<65536> text;
    std::array<struct sigaction, kFatal.size()> before{};
    int (*report)(const std::exception_ptr&) = nullptr;  ///< of uncaught errors; null: they are crashes
    std::atomic<pid_t> reporter = 0;                     ///< the thread that writes the report
    int signal = 0;
};
State state;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

std::string_view noted(CrashNote note) { return state.notes[static_cast<std::size_t>(note)].get(); }

const char* meaningOf(int signal) {
    for (const Fatal& fatal : kFatal)
        if (fatal.signal == signal) return fatal.meaning;
    return "unknown";
}

std::string_view firstLine(std::string_view text) { return text.substr(0, text.find('\n')); }

/// The default action follows when the signal is raised again.
void stepAside() {
    for (std::size_t i = 0; i < kFatal.size(); ++i) ::sigaction(kFatal[i].signal, &state.before[i], nullptr);
}

/// The report hangs, as it may after a crash under a lock: the program ends with an incomplete report.
void giveUp(int) {
    stepAside();
    sigset_t fatal;
    sigemptyset(&fatal);
    sigaddset(&fatal, state.signal);
    ::pthread_sigmask(SIG_UNBLOCK, &fatal, nullptr);
    ::raise(state.signal);
}

void giveUpLater() {
    struct sigaction late {};
    late.sa_handler = giveUp;
    ::sigaction(SIGALRM, &late, nullptr);
    ::alarm(kPatienceSeconds);
}

/// A line of the report, if it has content.
void add(const char* what, std::string_view text) {
    if (!text.empty()) state.text << what << ": " << text << "\n";
}

void flush() {
    state.file.write(state.text.view());
    state.text.clear();
}

void writeReport(const siginfo_t& info, std::time_t now) {
    std::array<char, 17> thread{};
    ::prctl(PR_GET_NAME, thread.data());
    add("time", utcTime(now, true).view());
    state.text << "signal: ";
    (state.text.number(info.si_signo) << " (" << meaningOf(info.si_signo) << "), code ").number(info.si_code);
    if (info.si_code > 0) (state.text << ", address ").hex(reinterpret_cast<std::uintptr_t>(info.si_addr), 16);
    else if (info.si_code == SI_USER) (state.text << ", sent by process ").number(info.si_pid);
    state.text << "\n";
    add("exception", state.exception.view());
    add("open", noted(CrashNote::model));
    add("working on", noted(CrashNote::work));
    add("recovery copy", noted(CrashNote::recovery));
    state.text << state.program.view();
    (state.text << "thread: ").number(state.reporter) << " " << thread.data() << "\nstack:\n";
    flush();
    state.stack.writeTo(state.text);
    flush();
}

void say(const siginfo_t& info, bool reported) {
    CrashText<6000> sentence;
    (sentence << "aotscope: crashed (signal ").number(info.si_signo) << ", ";
    if (state.exception.view().empty()) sentence << meaningOf(info.si_signo) << ")";
    else sentence << "uncaught exception: " << firstLine(state.exception.view()).substr(0, 500) << ")";
    if (const char* module = info.si_code == SI_USER ? nullptr : state.stack.culprit()) sentence << " in " << module;
    if (const auto model = noted(CrashNote::model); !model.empty()) sentence << ", with " << model << " open";
    if (reported) sentence << "; a report is in ";
    else sentence << "; no report could be written to ";
    sentence << state.file.path() << "\n";
    writeAll(STDERR_FILENO, sentence.view());
}

void onFatalSignal(int signal, siginfo_t* info, void* context) {
    const int error = errno;
    // Several threads may crash for the same reason; the first one reports, and then the program ends.
    const auto thread = static_cast<pid_t>(::syscall(SYS_gettid));
    for (pid_t nobody = 0; !state.reporter.compare_exchange_strong(nobody, thread); nobody = 0) ::pause();
    state.signal = signal;
    giveUpLater();
    const std::time_t now = ::time(nullptr);
    state.stack.take(context);
    const bool open = state.file.open(now);
    if (open) writeReport(*info, now);
    say(*info, open);
    ::alarm(0);
    stepAside();
    if (info->si_code <= 0) ::raise(signal);  // otherwise the instruction is retried, with the same result
    errno = error;
}

[[noreturn]] void endByError(const std::exception_ptr& error) {
    state.stack.take(nullptr);
    const int code = state.report(error);
    state.text.clear();
    state.text << "thrown at:\n";
    state.stack.writeTo(state.text);
    writeAll(STDERR_FILENO, state.text.view());
    std::_Exit(code);
}

[[noreturn]] void onTerminate() {
    if (const std::exception_ptr error = std::current_exception(); error && state.report) endByError(error);
    state.exception.clear();
    if (const std::exception_ptr current = std::current_exception()) {
        try {
            std::rethrow_exception(current);
        } catch (const std::exception& e) {
            state.exception << e.what();
        } catch (...) {
            state.exception << "of a type that is not a std::exception";
        }
    } else {
        state.exception << "std::terminate was called without one";
    }
    std::abort();
}

void describeProgram(const CrashFacts& facts) {
    struct utsname system {};
    ::uname(&system);
    std::string command;
    for (const std::string& word : facts.command) command += (command.empty() ? "" : " ") + word;
    state.program << "command: " << std::string_view(command).substr(0, 4000) << "\naotscope: " << facts.version;
    if (!facts.torch.empty()) state.program << "\nLibTorch: " << facts.torch;
    state.program << "\nsystem: " << system.sysname << " " << system.release << " " << system.machine << "\n";
}

}  // namespace

void installCrashHandler(const CrashFacts& facts) {
    removeOldCrashReports(facts.folder, kKeptReports);
    describeProgram(facts);
    state.file.prepare(facts.folder);
    CrashStack::prepare();
    useSignalStack();
    struct sigaction action {};
    action.sa_sigaction = onFatalSignal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (const Fatal& fatal : kFatal) sigaddset(&action.sa_mask, fatal.signal);
    sigaddset(&action.sa_mask, SIGPIPE);  // stderr may be closed
    for (std::size_t i = 0; i < kFatal.size(); ++i) ::sigaction(kFatal[i].signal, &action, &state.before[i]);
    std::set_terminate(onTerminate);
}

void reportUncaughtErrors(int (*report)(const std::exception_ptr& error)) { state.report = report; }

void noteForCrashes(CrashNote note, std::string_view text) { state.notes[static_cast<std::size_t>(note)].set(text); }

}  // namespace aotscope
