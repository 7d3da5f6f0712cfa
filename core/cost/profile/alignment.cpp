#include "cost/profile/alignment.h"

#include <algorithm>

namespace aotscope {

namespace {

enum AlignmentStep : std::uint8_t { kJoin = 1, kSkipEvent = 2, kSkipCall = 4, kAgain = 8 };

/// The best sums for the first events and calls of a run, and all steps that lead to them.
class AlignmentTable {
public:
    AlignmentTable(std::size_t events, std::size_t calls) : width_(calls + 1), steps_((events + 1) * width_) {}

    void fill(const std::function<int(std::size_t, std::size_t)>& weight, int iteration, const Progress& progress) {
        std::vector<int> above(width_), row(width_);
        begin(above, 0, -iteration);
        for (std::size_t event = 0; event + 1 < steps_.size() / width_; ++event) {
            if (event % 256 == 0) progress.throwIfCancelled();
            fillRow(event, above, row, weight);
            startAgain(event + 1, row, iteration);
            std::swap(above, row);
        }
        best_ = above.back();
    }
    int best() const { return best_; }

    /// The alignment with the earliest, or latest, calls.
    Alignment walk(bool earliest) const {
        const std::size_t events = steps_.size() / width_ - 1;
        Alignment found{std::vector<int>(events, Alignment::kNone), std::vector<int>(events, 0), 1};
        std::size_t i = events, j = width_ - 1;
        while (i > 0 || j > 0) {
            switch (chosen(steps_[i * width_ + j], earliest)) {
                case kJoin:
                    found.calls[--i] = static_cast<int>(--j);
                    found.iterations[i] = found.iterationCount;
                    break;
                case kSkipEvent: --i; break;
                case kSkipCall: --j; break;
                default: ++found.iterationCount; j = width_ - 1;
            }
        }
        for (int& iteration : found.iterations) iteration = found.iterationCount - iteration;
        return found;
    }

private:
    void begin(std::vector<int>& row, std::size_t at, int value) {
        std::ranges::fill(row, value);
        for (std::size_t j = 1; j < width_; ++j) steps_[at * width_ + j] = kSkipCall;
    }

    void fillRow(std::size_t event, const std::vector<int>& above, std::vector<int>& row,
                 const std::function<int(std::size_t, std::size_t)>& weight) {
        std::uint8_t* steps = &steps_[(event + 1) * width_];
        row[0] = above[0];
        steps[0] = kSkipEvent;
        for (std::size_t j = 1; j < width_; ++j) {
            const int gain = weight(event, j - 1);
            const int joined = gain > 0 ? above[j - 1] + gain : INT32_MIN;
            row[j] = std::max({joined, above[j], row[j - 1]});
            steps[j] =
                static_cast<std::uint8_t>((joined == row[j] ? kJoin : 0) | (above[j] == row[j] ? kSkipEvent : 0) |
                                          (row[j - 1] == row[j] ? kSkipCall : 0));
        }
    }

    /// The graph may run again after any event.
    void startAgain(std::size_t at, std::vector<int>& row, int iteration) {
        const int again = row.back() - iteration;
        if (again <= row[0]) return;
        row[0] = again;
        steps_[at * width_] = kAgain;
        for (std::size_t j = 1; j < width_ && row[j] <= again; ++j) {
            std::uint8_t& steps = steps_[at * width_ + j];
            steps = static_cast<std::uint8_t>(row[j] == again ? steps | kSkipCall : kSkipCall);
            row[j] = again;
        }
    }

    static std::uint8_t chosen(std::uint8_t steps, bool earliest) {
        if (steps & kAgain) return kAgain;
        const std::uint8_t first = earliest ? kSkipCall : kSkipEvent, last = earliest ? kSkipEvent : kSkipCall;
        return steps & first ? first : steps & kJoin ? std::uint8_t{kJoin} : last;
    }

    std::size_t width_;
    std::vector<std::uint8_t> steps_;
    int best_ = 0;
};

}  // namespace

Alignment align(std::size_t events, std::size_t calls, const std::function<int(std::size_t, std::size_t)>& weight,
                int iteration, const Progress& progress) {
    Alignment nothing{std::vector<int>(events, Alignment::kNone), std::vector<int>(events, 0), 0};
    if (events == 0 || calls == 0) return nothing;
    AlignmentTable table(events, calls);
    table.fill(weight, iteration, progress);
    if (table.best() <= 0) return nothing;
    Alignment found = table.walk(true);
    const Alignment latest = table.walk(false);
    for (std::size_t i = 0; i < events; ++i)
        if (found.calls[i] != latest.calls[i] || found.iterations[i] != latest.iterations[i])
            found.calls[i] = Alignment::kAmbiguous;
    return found;
}

}  // namespace aotscope
