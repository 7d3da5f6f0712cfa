#include "program/files/pickle_decoder.h"

#include "support/error.h"

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

namespace aotscope {

namespace {

using Value = PickleVisitor::Value;

/// LibTorch's unpickler supports more than its pickler writes; the rest is unchecked.
constexpr std::string_view kTorchScript =
    ".(N\x88\x89]})JKM\x8aGXt\x85\x86\x87"
    "aesucR\x81"
    "bQqrhj";

/// Bytes between two calls of PickleVisitor::reached.
constexpr std::size_t kBetweenReports = std::size_t{1} << 20;
/// Picklers put at most a thousand elements of a list at a time on the stack, but all of a tuple.
constexpr std::size_t kMostOperands = 4'000'000;
/// Values to refer to: pickles of gigabytes do not need more.
constexpr std::size_t kMostRemembered = 100'000'000;

[[noreturn]] void fail(const char* what) { throw Error(what); }

/// Reads bytes from the front of a text, with bounds checks.
class PickleBytes {
public:
    explicit PickleBytes(std::string_view text) : rest_(text) {}

    std::string_view take(std::uint64_t count) {
        if (count > rest_.size()) fail("is cut off");
        const std::string_view taken = rest_.substr(0, static_cast<std::size_t>(count));
        rest_.remove_prefix(static_cast<std::size_t>(count));
        return taken;
    }
    std::size_t left() const { return rest_.size(); }
    std::uint8_t byte() { return static_cast<std::uint8_t>(take(1)[0]); }
    /// Little-endian.
    std::uint64_t number(std::size_t width) {
        const std::string_view bytes = take(width);
        std::uint64_t value = 0;
        for (std::size_t i = width; i-- > 0;) value = value << 8 | static_cast<std::uint8_t>(bytes[i]);
        return value;
    }
    /// The only big-endian number.
    double real() { return std::bit_cast<double>(__builtin_bswap64(number(8))); }
    std::string_view line() {
        const auto end = rest_.find('\n');
        if (end == std::string_view::npos) fail("is cut off");
        const std::string_view line = take(end);
        take(1);
        return line;
    }

private:
    std::string_view rest_;
};

/// The stack machine that executes a pickle.
class PickleMachine {
public:
    PickleMachine(std::string_view pickle, PickleDialect dialect, PickleVisitor& visitor)
        : bytes_(pickle), dialect_(dialect), visitor_(visitor), size_(pickle.size()) {}

    Value run() {
        const bool strict = dialect_ == PickleDialect::torchScript;
        if (strict && (bytes_.byte() != 0x80 || bytes_.byte() != 2)) fail("has an unknown protocol version");
        for (std::uint8_t code = bytes_.byte(); code != '.'; code = bytes_.byte()) {
            const bool allowed = !strict || kTorchScript.find(static_cast<char>(code)) != std::string_view::npos;
            if (!allowed || !(reference(code) || literal(code) || container(code) || object(code)))
                throw Error("holds the unknown operation " + std::to_string(code));
            if (size_ - bytes_.left() >= nextReport_) report();
        }
        const Value result = pop();
        if (!stack_.empty() || !marks_.empty()) fail("ends in the middle of a value");
        return result;
    }

private:
    void report() {
        nextReport_ = size_ - bytes_.left() + kBetweenReports;
        if (std::max(stack_.size(), marks_.size()) > kMostOperands || memo_.size() > kMostRemembered)
            fail("keeps too many values at once");
        visitor_.reached(size_ - bytes_.left());
    }

    bool push(Value value) {
        stack_.push_back(value);
        return true;
    }
    /// Values below the last mark are used after the group.
    Value top() const {
        if (stack_.size() <= (marks_.empty() ? 0 : marks_.back())) fail("takes a value that is not there");
        return stack_.back();
    }
    Value pop() {
        const Value value = top();
        stack_.pop_back();
        return value;
    }
    /// The values are valid until the next call.
    const std::vector<Value>& popToMark() {
        if (marks_.empty()) fail("ends a group that it did not begin");
        const auto begin = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
        popped_.assign(begin, stack_.end());
        stack_.erase(begin, stack_.end());
        marks_.pop_back();
        return popped_;
    }
    const std::vector<Value>& pop(std::size_t count) {
        popped_.resize(count);
        for (std::size_t i = count; i-- > 0;) popped_[i] = pop();
        return popped_;
    }

    bool literal(std::uint8_t code) {
        switch (code) {
            case 0x80: bytes_.byte(); return true;     // PROTO
            case 0x95: bytes_.number(8); return true;  // FRAME
            case 'N': return push(visitor_.none());
            case 0x88: return push(visitor_.boolean(true));
            case 0x89: return push(visitor_.boolean(false));
            case 'K': return push(visitor_.integer(bytes_.byte()));
            case 'M': return push(visitor_.integer(static_cast<std::int64_t>(bytes_.number(2))));
            case 'J': return push(visitor_.integer(static_cast<std::int32_t>(bytes_.number(4))));
            case 0x8a: return push(visitor_.integer(longInteger(bytes_.byte())));
            case 'G': return push(visitor_.real(bytes_.real()));
            case 'X':                                                              // BINUNICODE
            case 'T':                                                              // BINSTRING
            case 'B': return push(visitor_.text(bytes_.take(bytes_.number(4))));   // BINBYTES
            case 0x8c:                                                             // SHORT_BINUNICODE
            case 'U':                                                              // SHORT_BINSTRING
            case 'C': return push(visitor_.text(bytes_.take(bytes_.byte())));      // SHORT_BINBYTES
            case 0x8d: return push(visitor_.text(bytes_.take(bytes_.number(8))));  // BINUNICODE8
            default: return false;
        }
    }

    std::int64_t longInteger(std::uint8_t width) {
        if (width > 8 || (width != 8 && dialect_ == PickleDialect::torchScript))
            fail("holds an integer that is not 64 bits wide");
        std::uint64_t value = bytes_.number(width);
        if (width > 0 && width < 8 && (value >> (8 * width - 1) & 1)) value |= ~std::uint64_t{0} << (8 * width);
        return static_cast<std::int64_t>(value);
    }

    bool container(std::uint8_t code) {
        switch (code) {
            case '(': marks_.push_back(stack_.size()); return true;
            case ')': return push(visitor_.tuple({}));
            case ']': return push(visitor_.list({}));
            case '}': return push(visitor_.dict());
            case 't': return push(visitor_.tuple(popToMark()));
            case 'l': return push(visitor_.list(popToMark()));
            case 0x85:
            case 0x86:
            case 0x87: return push(visitor_.tuple(pop(code - 0x84u)));
            case 'a': return append(pop(1));
            case 'e': return append(popToMark());
            case 's': return setItems(pop(2));
            case 'u': return setItems(popToMark());
            default: return false;
        }
    }
    bool append(const std::vector<Value>& elements) {
        visitor_.append(top(), elements);
        return true;
    }
    bool setItems(const std::vector<Value>& items) {
        const Value dict = top();
        if (items.size() % 2 != 0) fail("has a key without a value");
        visitor_.setItems(dict, items);
        return true;
    }

    bool reference(std::uint8_t code) {
        switch (code) {
            case 'q': return store(bytes_.byte());
            case 'r': return store(bytes_.number(4));
            case 0x94: return store(memo_.size());  // MEMOIZE
            case 'h': return load(bytes_.byte());
            case 'j': return load(bytes_.number(4));
            case '0': pop(); return true;
            case '1': popToMark(); return true;
            case '2': return push(top());
            default: return false;
        }
    }
    /// LibTorch allocates memory up to any index; picklers count up.
    bool store(std::uint64_t index) {
        const Value value = top();
        if (index > memo_.size()) fail("numbers its values out of order");
        if (index == memo_.size()) memo_.push_back(value);
        else memo_[static_cast<std::size_t>(index)] = value;
        return true;
    }
    bool load(std::uint64_t index) {
        if (index >= memo_.size()) fail("refers to a value that it does not hold");
        return push(memo_[static_cast<std::size_t>(index)]);
    }

    bool object(std::uint8_t code) {
        switch (code) {
            case 'c': {
                const std::string_view module = bytes_.line();
                return push(visitor_.global(module, bytes_.line()));
            }
            case 0x93: {  // STACK_GLOBAL
                const auto& names = pop(2);
                return push(visitor_.global(visitor_.textOf(names[0]), visitor_.textOf(names[1])));
            }
            case 'R': {
                const auto& call = pop(2);
                return push(visitor_.call(call[0], call[1]));
            }
            case 0x81: {  // NEWOBJ
                const auto& call = pop(2);
                return push(visitor_.newObject(call[0], call[1]));
            }
            case 'b': {
                const auto& parts = pop(2);
                return push(visitor_.build(parts[0], parts[1]));
            }
            case 'Q': return push(visitor_.persistent(pop()));
            default: return false;
        }
    }

    PickleBytes bytes_;
    PickleDialect dialect_;
    PickleVisitor& visitor_;
    std::size_t size_, nextReport_ = kBetweenReports;
    std::vector<Value> stack_, memo_, popped_;
    std::vector<std::size_t> marks_;
};

}  // namespace

PickleVisitor::Value decodePickle(std::string_view pickle, PickleDialect dialect, PickleVisitor& visitor) {
    return PickleMachine(pickle, dialect, visitor).run();
}

}  // namespace aotscope
