#include "support/budget.h"

#include "support/formatted.h"
#include "support/resident_memory.h"

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <utility>
#include <vector>

#include <pthread.h>

namespace aotscope {

namespace {

constexpr double kSecondsOfAnOperation = 5e-5;
constexpr std::int64_t kBytesOfAnOperation = 4096;         ///< of its trace
constexpr std::int64_t kReserve = std::int64_t{64} << 20;  ///< for ending
constexpr std::int64_t kBetweenLooks = 2'000'000;          ///< nanoseconds
constexpr double kElementsInASecond = 1 << 24;             ///< a matrix product takes many steps for each
// What may be used above the limits, and how often the watchdog looks.
constexpr double kSecondsAbove = 2;
constexpr std::int64_t kBytesAbove = std::int64_t{2} << 30;
constexpr std::chrono::milliseconds kBetweenRounds{200};

const Budget*& budgetOfThread() {
    thread_local const Budget* budget = nullptr;
    return budget;
}

const Watched*& watchedOfThread() {
    thread_local const Watched* watched = nullptr;
    return watched;
}

/// On all threads.
struct AllWatched {
    std::mutex mutex;
    std::condition_variable_any changed;
    std::vector<const Watched*> list;
};

AllWatched& allWatched() {
    static auto* const all = new AllWatched;  // outlives all threads
    return *all;
}

ForeignRun*& runOfThread() {
    thread_local ForeignRun* run = nullptr;
    return run;
}

std::int64_t nanoseconds(clockid_t clock) {
    timespec now{};
    ::clock_gettime(clock, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

double secondsOf(clockid_t clock) { return static_cast<double>(nanoseconds(clock)) / 1e9; }

std::string text(double seconds) {
    std::array<char, 32> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%.2f", seconds);
    std::string digits = buffer.data();
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.ends_with('.')) digits.pop_back();
    return digits;
}

}  // namespace

Budget::Budget(Progress progress, const Limits& limits)
    : progress_(std::move(progress)),
      seconds_(limits.seconds > 0 ? limits.seconds : kNoSeconds),
      bytes_(limits.bytes > 0 ? limits.bytes : kNoBytes) {}

BudgetScope::BudgetScope(const Budget* budget) : outer_(std::exchange(budgetOfThread(), budget)) {}
BudgetScope::~BudgetScope() { budgetOfThread() = outer_; }
const Budget* BudgetScope::current() { return budgetOfThread(); }

// --- what is watched ---

Watched::Watched(std::string what, const Budget& budget, std::size_t operations)
    : what_(std::move(what)), seconds_(budget.seconds() + static_cast<double>(operations) * kSecondsOfAnOperation) {
    const auto own = static_cast<std::int64_t>(operations) * kBytesOfAnOperation;
    if (budget.bytes() <= Budget::kNoBytes - own) bytes_ = budget.bytes() + own;
    if (bytes_ != Budget::kNoBytes) bytesBefore_ = privateBytes();
    begin();
}

Watched::Watched(const Watched* other) {
    if (other)
        what_ = other->what_, seconds_ = other->seconds_, bytes_ = other->bytes_, bytesBefore_ = other->bytesBefore_;
    begin();
}

void Watched::begin() {
    outer_ = std::exchange(watchedOfThread(), this);
    if (!isLimited()) return;
    if (::pthread_getcpuclockid(::pthread_self(), &clock_) != 0) clock_ = CLOCK_MONOTONIC;
    secondsBefore_ = secondsOf(clock_);
    const std::scoped_lock lock(allWatched().mutex);
    allWatched().list.push_back(this);
    if (allWatched().list.size() == 1) allWatched().changed.notify_all();
}

Watched::~Watched() {
    watchedOfThread() = outer_;
    if (!isLimited()) return;
    const std::scoped_lock lock(allWatched().mutex);
    std::erase(allWatched().list, this);
}

const Watched* Watched::current() { return watchedOfThread(); }

double Watched::usedSeconds() const { return secondsOf(clock_) - secondsBefore_; }
std::int64_t Watched::usedBytes() const { return privateBytes() - bytesBefore_; }

std::string Watched::tookTooLong() const {
    return what_ + " took more than " + text(seconds_) +
           " s of CPU time, perhaps in an endless loop; if it needs more, raise --time-limit (Run > Limits)";
}

std::string Watched::tookTooMuch() const {
    return what_ + " took more than " + formatBytes(bytes_) +
           " of memory; if it needs more, raise --memory-limit (Run > Limits)";
}

Watchdog::Watchdog(std::function<void(const std::string& why)> end)
    : thread_([end = std::move(end)](const std::stop_token& stop) {
          AllWatched& all = allWatched();
          std::unique_lock lock(all.mutex);
          const auto some = [&] { return !all.list.empty(); };
          while (all.changed.wait(lock, stop, some) && !stop.stop_requested()) {
              for (const Watched* watched : all.list) {
                  if (watched->usedSeconds() > watched->seconds() + kSecondsAbove) end(watched->tookTooLong());
                  if (watched->bytes() < Budget::kNoBytes - kBytesAbove &&
                      watched->usedBytes() > watched->bytes() + kBytesAbove)
                      end(watched->tookTooMuch());
              }
              all.changed.wait_for(lock, stop, kBetweenRounds, [] { return false; });
          }
      }) {}

// --- code from models ---

ForeignRun::ForeignRun(const char* what, std::size_t operations)
    : budget_(BudgetScope::current()),
      outer_(runOfThread()),
      watched_(what, budget_ ? *budget_ : Budget(Progress()), operations) {
    if (budget_) runOfThread() = this;
}

ForeignRun::~ForeignRun() { runOfThread() = outer_; }

ForeignRun* ForeignRun::current() { return runOfThread(); }

ForeignRun::End ForeignRun::find() {
    if (end_ != End::none) return end_;
    if (budget_->progress().cancelled()) return end_ = End::cancelled;
    if (watched_.usedSeconds() > watched_.seconds()) return end_ = End::time;
    if (watched_.bytes() != Budget::kNoBytes && watched_.usedBytes() > watched_.bytes()) return end_ = End::memory;
    return End::none;
}

void ForeignRun::check() {
    const std::int64_t now = nanoseconds(CLOCK_MONOTONIC);
    if (now < nextLook_) return;
    nextLook_ = now + kBetweenLooks;
    find();
    rethrow();
}

bool ForeignRun::mayAllocate(std::size_t bytes) noexcept {
    if (!countAllocated(bytes)) return false;
    if (watched_.bytes() == Budget::kNoBytes) return true;
    // After the end, there is still memory for the error message.
    const std::int64_t most = end_ == End::none ? watched_.bytes() : watched_.bytes() + kReserve;
    if (bytes > static_cast<std::size_t>(most) || watched_.usedBytes() > most - static_cast<std::int64_t>(bytes)) {
        if (end_ == End::none) end_ = End::memory;
        return false;
    }
    return true;
}

bool ForeignRun::lookAround() noexcept {
    uncounted_ = 0;
    if (end_ != End::none) return true;
    if (watched_.bytes() != Budget::kNoBytes && watched_.usedBytes() > watched_.bytes() + kReserve / 2)
        end_ = End::memory;
    else if (watched_.usedSeconds() > watched_.seconds()) end_ = End::time;
    else if (budget_->progress().cancelled()) end_ = End::cancelled;
    return end_ == End::none;
}

std::size_t ForeignRun::mostOperations() const {
    return static_cast<std::size_t>(watched_.bytes() / kBytesOfAnOperation) * 2;
}

double ForeignRun::mostElements() const { return watched_.seconds() * kElementsInASecond; }

void ForeignRun::rethrow() const {
    switch (end_) {
        case End::none: return budget_ ? budget_->checkCancelled() : void();
        case End::cancelled: throw Cancelled();
        case End::time: throw Error(watched_.tookTooLong());
        case End::memory: throw Error(watched_.tookTooMuch());
    }
}

}  // namespace aotscope
