#pragma once

#include "support/limits.h"
#include "support/progress.h"

#include <cstddef>
#include <limits>
#include <string>

namespace aotscope {

/// What code that came with a model may take, and whether anybody still waits for it. Code that never returns has no
/// place where it could be asked: so the loops of a program, the operations that are traced and every larger allocation
/// of the thread look here. Used by one thread at a time.
class Budget {
public:
    static constexpr double kNoSeconds = std::numeric_limits<double>::infinity();
    static constexpr std::int64_t kNoBytes = std::numeric_limits<std::int64_t>::max();

    /// 0 in `limits` stands for no limit.
    explicit Budget(Progress progress, const Limits& limits = {});

    /// Throws Cancelled when nobody wants the result any more.
    void checkCancelled() const { progress_.throwIfCancelled(); }

    const Progress& progress() const { return progress_; }
    double seconds() const { return seconds_; }
    std::int64_t bytes() const { return bytes_; }

private:
    Progress progress_;
    double seconds_;
    std::int64_t bytes_;
};

/// Makes `budget` that of the calling thread for its life time; null: none.
class BudgetScope {
public:
    explicit BudgetScope(const Budget* budget);
    ~BudgetScope();
    BudgetScope(const BudgetScope&) = delete;
    BudgetScope& operator=(const BudgetScope&) = delete;

    /// The calling thread's; null: none.
    static const Budget* current();

private:
    const Budget* outer_;
};

/// While it lives, the calling thread runs code that came with a model, or makes of a file what the file says: time and
/// memory from here on are held against the thread's budget.
class ForeignRun {
public:
    /// `what`: "loading the model". `operations`: of the code as it stands, each of which takes its own time and
    /// memory.
    explicit ForeignRun(const char* what, std::size_t operations = 0);
    ~ForeignRun();
    ForeignRun(const ForeignRun&) = delete;
    ForeignRun& operator=(const ForeignRun&) = delete;

    /// Of the calling thread; null outside, or without a budget.
    static ForeignRun* current();

    /// To be called again and again: throws Cancelled, or Error when the budget is used up. Cheap.
    void check();

    /// For allocation functions: false when `bytes` more are not to be had. Then rethrow() says why.
    bool mayAllocate(std::size_t bytes) noexcept;
    /// The same for what is too small to be looked at each time.
    bool countAllocated(std::size_t bytes) noexcept {
        constexpr std::size_t kLookedAt = std::size_t{16} << 20;
        uncounted_ += bytes;
        return uncounted_ < kLookedAt || lookAround();
    }

    /// How many operations the calls of a program may expand to.
    std::size_t mostOperations() const;
    /// How many elements one operation on constants may go through: it runs at once and cannot be stopped.
    double mostElements() const;

    /// What passes through libraries comes out as another exception. Throws that which check() would throw if the
    /// budget was used up or the run cancelled; else does nothing.
    void rethrow() const;

private:
    enum class End : std::uint8_t { none, cancelled, time, memory };
    End find();
    bool lookAround() noexcept;
    double usedSeconds() const;
    std::int64_t usedBytes() const;

    const Budget* budget_;
    ForeignRun* outer_;
    const char* what_;
    double seconds_ = 0;            ///< that may be taken
    std::int64_t bytes_ = 0;        ///< likewise
    std::int64_t bytesBefore_ = 0;  ///< that the process had
    double secondsBefore_ = 0;      ///< that the thread had used
    std::int64_t nextLook_ = 0;     ///< by the clock, in nanoseconds
    std::size_t uncounted_ = 0;     ///< bytes allocated in small pieces since the last look
    End end_ = End::none;
};

}  // namespace aotscope
