#include "crash/crash_file.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <set>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace aotscope {

namespace fs = std::filesystem;

void writeAll(int file, std::string_view text) {
    while (!text.empty()) {
        const auto count = ::write(file, text.data(), text.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return;
        text.remove_prefix(static_cast<std::size_t>(count));
    }
}

void CrashFile::prepare(const fs::path& folder) {
    folder_.clear();
    folder_ << folder.native();
    process_ = ::getpid();
    if (::pipe2(question_.data(), O_CLOEXEC) != 0 || ::pipe2(answer_.data(), O_CLOEXEC) != 0) return;
    // Signals go to other threads.
    sigset_t all, before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
        std::thread([this] { serve(); }).detach();
    } catch (const std::system_error&) {
        process_ = 0;  // no more threads: most reports work without
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

bool CrashFile::open(std::time_t now) {
    path_.clear();
    path_ << folder_.view() << "/" << utcTime(now, false).view() << "-";
    path_.number(::getpid()) << ".txt";
    file_ = openHere();
    if (file_ < 0 && ::getpid() == process_) file_ = askHelper();
    return file_ >= 0;
}

void CrashFile::write(std::string_view text) const { writeAll(file_, text); }

int CrashFile::openHere() {
    CrashText<3000> folder;
    for (const char letter : folder_.view()) {
        if (letter == '/' && !folder.view().empty()) ::mkdir(folder.zeroTerminated(), 0700);
        folder << std::string_view(&letter, 1);
    }
    ::mkdir(folder.zeroTerminated(), 0700);
    return ::open(path_.zeroTerminated(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

int CrashFile::askHelper() {
    constexpr int patienceMs = 2000;
    const char wish = 1;
    if (::write(question_[1], &wish, 1) != 1) return -1;
    pollfd wait{answer_[0], POLLIN, 0};
    int file = -1;
    if (::poll(&wait, 1, patienceMs) != 1 || ::read(answer_[0], &file, sizeof file) != sizeof file) return -1;
    return file;
}

void CrashFile::serve() {
    char wish = 0;
    while (::read(question_[0], &wish, 1) == 1) {
        const int file = openHere();
        writeAll(answer_[1], {reinterpret_cast<const char*>(&file), sizeof file});
    }
}

CrashText<32> utcTime(std::time_t now, bool signs) {
    using namespace std::chrono;
    const sys_seconds second{seconds(now)};
    const auto day = floor<days>(second);
    const year_month_day date(day);
    const hh_mm_ss clock(second - day);
    CrashText<32> text;
    text.number(static_cast<int>(date.year()), 4) << (signs ? "-" : "");
    text.number(static_cast<unsigned>(date.month()), 2) << (signs ? "-" : "");
    text.number(static_cast<unsigned>(date.day()), 2) << (signs ? "T" : "-");
    text.number(clock.hours().count(), 2) << (signs ? ":" : "");
    text.number(clock.minutes().count(), 2) << (signs ? ":" : "");
    text.number(clock.seconds().count(), 2) << (signs ? "Z" : "");
    return text;
}

void removeOldCrashReports(const fs::path& folder, std::size_t kept) {
    std::error_code ignored;
    std::set<fs::path> reports;  // names begin with the time
    for (const auto& entry : fs::directory_iterator(folder, ignored))
        if (entry.path().extension() == ".txt") reports.insert(entry.path());
    while (reports.size() > kept) fs::remove(reports.extract(reports.begin()).value(), ignored);
}

}  // namespace aotscope
