#pragma once

#include "support/limits.h"
#include "support/progress.h"

#include <cstddef>
#include <ctime>
#include <functional>
#include <limits>
#include <string>
#include <thread>

namespace aotscope {

/// The time and memory that code from a model may use, and whether its result is still wanted. Code that never returns
/// cannot be stopped from outside, so the program's loops, traced operations and every larger allocation of the thread
/// check the budget. Not thread-safe.
class Budget {
public:
    static constexpr double kNoSeconds = std::numeric_limits<double>::infinity();
    static constexpr std::int64_t kNoBytes = std::numeric_limits<std::int64_t>::max();

    /// 0 in `limits` means no limit.
    explicit Budget(Progress progress, const Limits& limits = {});

    /// Throws Cancelled if the result is no longer wanted.
    void checkCancelled() const { progress_.throwIfCancelled(); }

    const Progress& progress() const { return progress_; }
    double seconds() const { return seconds_; }
    std::int64_t bytes() const { return bytes_; }

private:
    Progress progress_;
    double seconds_;
    std::int64_t bytes_;
};

/// Makes `budget`, which may be null, that of the calling thread during its lifetime.
class BudgetScope {
public:
    explicit BudgetScope(const Budget* budget);
    ~BudgetScope();
    BudgetScope(const BudgetScope&) = delete;
    BudgetScope& operator=(const BudgetScope&) = delete;

    /// That of the calling thread, or null.
    static const Budget* current();

private:
    const Budget* outer_;
};

/// During its lifetime, the calling thread reads a file, or runs what is in one, within the limits of a budget. If it
/// exceeds them by far, as code does that checks nothing, a Watchdog ends the process.
class Watched {
public:
    /// `what`: "loading the model". Each operation adds to the time and memory allowed.
    Watched(std::string what, const Budget& budget, std::size_t operations = 0);
    /// For a thread that helps that of `other`, which may be null.
    explicit Watched(const Watched* other);
    ~Watched();
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;

    /// That of the calling thread, or null.
    static const Watched* current();

    // The limits.
    double seconds() const { return seconds_; }
    std::int64_t bytes() const { return bytes_; }
    // What the thread, and the process, have used since the start.
    double usedSeconds() const;
    std::int64_t usedBytes() const;
    // What exceeds them, as a sentence.
    std::string tookTooLong() const;
    std::string tookTooMuch() const;

private:
    bool isLimited() const { return seconds_ != Budget::kNoSeconds || bytes_ != Budget::kNoBytes; }
    void begin();

    std::string what_;
    double seconds_ = Budget::kNoSeconds;
    std::int64_t bytes_ = Budget::kNoBytes;
    clockid_t clock_{};  ///< of the thread
    double secondsBefore_ = 0;
    std::int64_t bytesBefore_ = 0;
    const Watched* outer_ = nullptr;
};

/// Looks after all that is watched, in a thread of its own.
class Watchdog {
public:
    /// `end` is called with the reason, a sentence, and ends the process.
    explicit Watchdog(std::function<void(const std::string& why)> end);

private:
    std::jthread thread_;
};

/// During its lifetime, the calling thread runs code from a model, or builds what a file describes: time and memory are
/// charged to the thread's budget.
class ForeignRun {
public:
    /// `what`: "loading the model". `operations`: the size of the code; each operation adds to the time and memory
    /// allowed.
    explicit ForeignRun(const char* what, std::size_t operations = 0);
    ~ForeignRun();
    ForeignRun(const ForeignRun&) = delete;
    ForeignRun& operator=(const ForeignRun&) = delete;

    /// That of the calling thread; null outside, or without a budget.
    static ForeignRun* current();

    /// For repeated calls: throws Cancelled, or Error if the budget is used up. Cheap.
    void check();

    /// For allocation functions: false if `bytes` more exceed the budget. rethrow() then gives the reason.
    bool mayAllocate(std::size_t bytes) noexcept;
    /// The same, for allocations too small to check each time.
    bool countAllocated(std::size_t bytes) noexcept {
        constexpr std::size_t kLookedAt = std::size_t{16} << 20;
        uncounted_ += bytes;
        return uncounted_ < kLookedAt || lookAround();
    }

    /// The number of operations that a program may expand to.
    std::size_t mostOperations() const;
    /// The number of elements that one operation on constants may process: it runs at once and cannot be stopped.
    double mostElements() const;

    /// Libraries replace the exception of check() by their own. Throws that of check() if the budget was used up or the
    /// run canceled; otherwise does nothing.
    void rethrow() const;

private:
    enum class End : std::uint8_t { none, cancelled, time, memory };
    End find();
    bool lookAround() noexcept;

    const Budget* budget_;
    ForeignRun* outer_;
    Watched watched_;
    std::int64_t nextLook_ = 0;  ///< on the clock, in nanoseconds
    std::size_t uncounted_ = 0;  ///< small allocations since the last check
    End end_ = End::none;
};

}  // namespace aotscope
