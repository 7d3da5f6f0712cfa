#include "support/budget.h"

#include "support/elapsed.h"
#include "support/formatted.h"
#include "support/resident_memory.h"

#include <array>
#include <cstdio>
#include <ctime>
#include <utility>

namespace aotscope {

namespace {

constexpr double kSecondsOfAnOperation = 5e-5;
constexpr std::int64_t kBytesOfAnOperation = 4096;         ///< of its trace
constexpr std::int64_t kReserve = std::int64_t{64} << 20;  ///< for ending
constexpr std::int64_t kBetweenLooks = 2'000'000;          ///< nanoseconds
constexpr double kElementsInASecond = 1 << 24;             ///< a matrix product takes many steps for each

const Budget*& budgetOfThread() {
    thread_local const Budget* budget = nullptr;
    return budget;
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

ForeignRun::ForeignRun(const char* what, std::size_t operations)
    : budget_(BudgetScope::current()), outer_(runOfThread()), what_(what) {
    if (!budget_) return;
    seconds_ = budget_->seconds() + static_cast<double>(operations) * kSecondsOfAnOperation;
    const auto own = static_cast<std::int64_t>(operations) * kBytesOfAnOperation;
    bytes_ = budget_->bytes() > Budget::kNoBytes - own ? Budget::kNoBytes : budget_->bytes() + own;
    if (bytes_ != Budget::kNoBytes) bytesBefore_ = privateBytes();
    secondsBefore_ = threadSeconds();
    runOfThread() = this;
}

ForeignRun::~ForeignRun() { runOfThread() = outer_; }

ForeignRun* ForeignRun::current() { return runOfThread(); }

double ForeignRun::usedSeconds() const { return threadSeconds() - secondsBefore_; }
std::int64_t ForeignRun::usedBytes() const { return privateBytes() - bytesBefore_; }

ForeignRun::End ForeignRun::find() {
    if (end_ != End::none) return end_;
    if (budget_->progress().cancelled()) return end_ = End::cancelled;
    if (usedSeconds() > seconds_) return end_ = End::time;
    if (bytes_ != Budget::kNoBytes && usedBytes() > bytes_) return end_ = End::memory;
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
    if (bytes_ == Budget::kNoBytes) return true;
    // After the end, there is still memory for the error message.
    const std::int64_t most = end_ == End::none ? bytes_ : bytes_ + kReserve;
    if (bytes > static_cast<std::size_t>(most) || usedBytes() > most - static_cast<std::int64_t>(bytes)) {
        if (end_ == End::none) end_ = End::memory;
        return false;
    }
    return true;
}

bool ForeignRun::lookAround() noexcept {
    uncounted_ = 0;
    if (end_ != End::none) return true;
    if (bytes_ != Budget::kNoBytes && usedBytes() > bytes_ + kReserve / 2) end_ = End::memory;
    else if (usedSeconds() > seconds_) end_ = End::time;
    else if (budget_->progress().cancelled()) end_ = End::cancelled;
    return end_ == End::none;
}

std::size_t ForeignRun::mostOperations() const { return static_cast<std::size_t>(bytes_ / kBytesOfAnOperation) * 2; }

double ForeignRun::mostElements() const { return seconds_ * kElementsInASecond; }

void ForeignRun::rethrow() const {
    switch (end_) {
        case End::none: return budget_ ? budget_->checkCancelled() : void();
        case End::cancelled: throw Cancelled();
        case End::time:
            throw Error(
                std::string(what_) + " took more than " + text(seconds_) +
                " s of CPU time, perhaps in an endless loop; if it needs more, raise --time-limit (Run > Limits)");
        case End::memory:
            throw Error(std::string(what_) + " took more than " + formatBytes(bytes_) +
                        " of memory; if it needs more, raise --memory-limit (Run > Limits)");
    }
}

}  // namespace aotscope
