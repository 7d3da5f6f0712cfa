#include "cost/book/book_file.h"

#include "cost/book/signature.h"
#include "support/error.h"
#include "support/file.h"
#include "support/json/bounded_json.h"
#include "support/json/json_text.h"
#include "support/names.h"
#include "support/quoted.h"
#include "support/token_reader.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <thread>

namespace aotscope {

namespace {

using nlohmann::json;

constexpr std::string_view kFirstLine = "aotscope operators 1";
constexpr std::uintmax_t kLargestBook = 32 << 20;

json conditionsJson(const CalibratedMachine& machine) {
    return {{"cpu", machine.cpu}, {"cores", machine.cores}, {"torch", machine.torch}, {"device", machine.device}};
}

/// Takes the text up to `separator` from `rest`; all of it without one.
std::string_view takeUpTo(char separator, std::string_view& rest) {
    const std::size_t end = rest.find(separator);
    const std::string_view taken = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    return taken;
}

/// The tab-separated numbers of a line. Bad once one of them is missing or impossible.
class Numbers {
public:
    explicit Numbers(std::string_view line) : rest_(line) {}

    template <typename Number>
    Number take(Number low, Number high) {
        const auto number = asNumber<Number>(takeUpTo('\t', rest_));
        if (!number || !(*number >= low && *number <= high)) bad_ = true;  // NaN, too
        return bad_ ? low : *number;
    }
    /// A number that may be left out: "-".
    template <typename Number>
    std::optional<Number> takeIfAny(Number low, Number high) {
        if (rest_.starts_with("-\t")) {
            rest_.remove_prefix(2);
            return std::nullopt;
        }
        return take(low, high);
    }
    /// Numbers with commas between them, or "-" for none.
    std::vector<std::int64_t> takeList(std::int64_t high) {
        constexpr std::size_t kLongest = 64;
        std::vector<std::int64_t> list;
        std::string_view text = takeUpTo('\t', rest_);
        if (text == "-") return list;
        do {
            std::string_view one = takeUpTo(',', text);
            Numbers number(one);
            list.push_back(number.take<std::int64_t>(0, high));
            if (!number.good()) bad_ = true;
        } while (!text.empty() && list.size() < kLongest);
        if (!text.empty()) bad_ = true;
        return list;
    }
    bool good() const { return !bad_ && rest_.empty(); }

private:
    std::string_view rest_;
    bool bad_ = false;
};

std::optional<OperatorEntry> entryIn(std::string_view line) {
    constexpr double kLongest = 1e12, kMostWaiting = 1e6;
    constexpr std::int64_t kMostBytes = std::int64_t{1} << 50, kMostFlops = std::int64_t{1} << 60, kLastDay = 1'000'000;
    OperatorEntry entry;
    entry.signature = takeUpTo('\t', line);
    const bool isCall = entry.signature.size() <= kLongestSignature && entry.signature.ends_with(')') &&
                        operatorOf(entry.signature).size() < entry.signature.size();
    Numbers numbers(line);
    entry.threads = numbers.take(1, 1 << 16);
    entry.us = numbers.takeIfAny(0.0, kLongest);
    entry.lowerUs = numbers.take(0.0, kLongest);
    entry.upperUs = numbers.take(0.0, kLongest);
    entry.waiting = numbers.take(0.0, kMostWaiting);
    entry.innerBytes = numbers.takeIfAny<std::int64_t>(0, kMostBytes);
    entry.resultBytes = numbers.takeList(kMostBytes);
    entry.bytes = numbers.take<std::int64_t>(0, kMostBytes);
    entry.flops = numbers.take<std::int64_t>(0, kMostFlops);
    entry.rooflineUs = numbers.take(0.0, kLongest);
    entry.day = numbers.take<std::int64_t>(0, kLastDay);
    return isCall && numbers.good() ? std::optional(std::move(entry)) : std::nullopt;
}

template <typename Number>
void addNumber(std::string& line, Number number) {
    char digits[40];
    line += '\t';
    line.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

template <typename Number>
void addIfAny(std::string& line, const std::optional<Number>& number) {
    if (number) addNumber(line, *number);
    else line += "\t-";
}

/// A lock that processes share, for as long as it lives. Whoever holds it does so for milliseconds; if it cannot be had
/// in ten seconds, as when its holder was stopped, nobody waits for it.
class FileLock {
public:
    explicit FileLock(const std::filesystem::path& file)
        : descriptor_(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)) {
        constexpr int kTries = 5000;
        for (int i = 0; descriptor_ >= 0 && i < kTries && !held_; ++i) {
            held_ = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0;
            if (!held_) std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
    }
    ~FileLock() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

    bool held() const { return held_; }

private:
    int descriptor_;
    bool held_ = false;
};

}  // namespace

std::filesystem::path bookFile(CalibratedMachine machine) {
    machine.threads = 0;
    std::string name = calibrationFile(machine).stem().string();
    constexpr std::string_view kPrefix = "calibration";
    return calibrationFolder() / ("operators" + name.substr(kPrefix.size()) + ".txt");
}

std::string bookText(const OperatorBook& book, const CalibratedMachine& machine) {
    std::string text = std::string(kFirstLine) + "\n" + jsonLine(conditionsJson(machine)) + "\n";
    for (const OperatorEntry& entry : book.entries()) {
        text += entry.signature;
        addNumber(text, entry.threads);
        addIfAny(text, entry.us);
        for (const double number : {entry.lowerUs, entry.upperUs, entry.waiting}) addNumber(text, number);
        addIfAny(text, entry.innerBytes);
        text += entry.resultBytes.empty() ? "\t-" : "\t";
        for (std::size_t i = 0; i < entry.resultBytes.size(); ++i)
            text += (i > 0 ? "," : "") + std::to_string(entry.resultBytes[i]);
        addNumber(text, entry.bytes);
        addNumber(text, entry.flops);
        addNumber(text, entry.rooflineUs);
        addNumber(text, entry.day);
        text += '\n';
    }
    return text;
}

KeptBook bookIn(std::string_view text, const CalibratedMachine& machine) {
    if (takeUpTo('\n', text) != kFirstLine) throw Error("it is no book of operators of this version");
    try {
        if (parseBounded(takeUpTo('\n', text), {.depth = 2}) != conditionsJson(machine))
            throw Error("it is that of another machine");
    } catch (const json::exception&) {
        throw Error("it does not say of which machine it is");
    }
    KeptBook kept;
    std::size_t damaged = 0;
    // A line without an end was not written to its end.
    while (text.find('\n') != std::string_view::npos && kept.book.entries().size() < OperatorBook::kMost) {
        if (auto entry = entryIn(takeUpTo('\n', text))) kept.book.add(std::move(*entry));
        else ++damaged;
    }
    if (!text.empty() && text.find('\n') == std::string_view::npos) ++damaged;
    if (damaged > 0) kept.note = counted(damaged, "line") + " of it say nothing possible";
    return kept;
}

KeptBook readBook(const std::filesystem::path& file, const CalibratedMachine& machine) {
    const std::string what = "the book of operators " + inQuotes(file.string());
    try {
        std::error_code error;
        if (!std::filesystem::exists(file, error)) return {};
        KeptBook kept = bookIn(readFile(file, kLargestBook), machine);
        if (!kept.note.empty()) kept.note = "in " + what + ", " + kept.note + ", and are ignored";
        return kept;
    } catch (const std::exception& e) {
        return {{}, what + " is not used, but replaced: " + firstSentence(e.what())};
    }
}

OperatorBook addToBook(const std::filesystem::path& file, const CalibratedMachine& machine, const OperatorBook& news) {
    OperatorBook all = news;
    try {
        std::filesystem::create_directories(file.parent_path());
        const FileLock lock(file.string() + ".lock");
        all = readBook(file, machine).book;
        all.add(news);
        if (lock.held()) writeFileAtomically(file, bookText(all, machine));
    } catch (const std::exception&) {  // a full disk, or a read-only folder
    }
    return all;
}

}  // namespace aotscope
