#include "load/pickle_check.h"

#include "load/pickle_calls.h"
#include "load/pickle_debug.h"
#include "program/dict_keys.h"
#include "support/error.h"

#include <algorithm>
#include <bit>

namespace aotscope {

namespace {

using PickledKind = PickledValue::Kind;
using Index = PickledValue::Index;

/// A value that many others hold counts as often wherever a tree is walked.
constexpr std::uint32_t kLargestTree = 1'000'000;

/// Goes through the operations of a pickle as LibTorch's unpickler would, but for those that its pickler never writes.
class PickleChecker {
public:
    PickleChecker(std::string_view pickle, const StorageSizes& storages) : rest_(pickle), calls_(values_, storages) {}

    Index run() {
        if (take(1)[0] != '\x80' || take(1)[0] != 2) fail("is of an unknown version");
        while (!stopped_) step(static_cast<unsigned char>(take(1)[0]));
        if (stack_.size() != 1 || !marks_.empty()) fail("ends in the middle of a value");
        const PickledKind kind = values_[stack_[0]].kind;
        if (kind == PickledKind::function || kind == PickledKind::unbuilt) fail("holds no value");
        requireSpreadDicts();
        return stack_[0];
    }

    const PickledValues& values() const { return values_; }
    PickleFacts facts() const {
        PickleFacts facts = calls_.facts();
        facts.values = values_.size();
        return facts;
    }

private:
    [[noreturn]] static void fail(const char* what) { throw Error(what); }

    std::string_view take(std::uint64_t count) {
        if (count > rest_.size()) fail("is cut off");
        const std::string_view bytes = rest_.substr(0, static_cast<std::size_t>(count));
        rest_.remove_prefix(static_cast<std::size_t>(count));
        return bytes;
    }
    std::uint64_t takeNumber(int width) {
        const std::string_view bytes = take(static_cast<std::uint64_t>(width));
        std::uint64_t value = 0;
        for (int i = width - 1; i >= 0; --i)
            value = value << 8 | static_cast<unsigned char>(bytes[static_cast<std::size_t>(i)]);
        return value;
    }
    double takeReal() {  // the only number that is written with its highest byte first
        return std::bit_cast<double>(__builtin_bswap64(takeNumber(8)));
    }
    std::string_view takeLine() {
        const auto end = rest_.find('\n');
        if (end == std::string_view::npos) fail("is cut off");
        const std::string_view line = take(end);
        take(1);
        return line;
    }

    void push(Index value) { stack_.push_back(value); }
    PickledValue& make(PickledKind kind, std::int64_t number = 0) {
        PickledValue value;
        value.kind = kind;
        value.number = number;
        push(values_.add(std::move(value)));
        return values_[stack_.back()];
    }
    /// Values below the last mark belong to what comes after the group.
    Index top() const {
        if (stack_.size() <= (marks_.empty() ? 0 : marks_.back())) fail("takes a value that is not there");
        return stack_.back();
    }
    Index pop() {
        const Index value = top();
        stack_.pop_back();
        return value;
    }
    std::vector<Index> popToMark() {
        if (marks_.empty()) fail("ends a group that it did not begin");
        const auto begin = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
        std::vector<Index> values(begin, stack_.end());
        stack_.erase(begin, stack_.end());
        marks_.pop_back();
        return values;
    }

    void tuple(const std::vector<Index>& elements) {
        make(PickledKind::tuple);
        for (Index element : elements) values_.hold(stack_.back(), element);
    }
    void tupleOf(std::size_t count) {
        std::vector<Index> elements(count);
        for (std::size_t i = count; i > 0; --i) elements[i - 1] = pop();
        tuple(elements);
    }
    /// The list or dict on top: a part of something else changes no more, so that what was checked stays so.
    Index container(PickledKind kind) const {
        const Index value = top();
        if (values_[value].kind != kind || values_[value].held || !values_[value].text.empty())
            fail("adds to a value that is finished, or is not a container");
        return value;
    }
    void append(const std::vector<Index>& elements) {
        const Index list = container(PickledKind::list);
        for (Index element : elements) values_.hold(list, element);
    }
    void setItems(const std::vector<Index>& items) {
        const Index dict = container(PickledKind::dict);
        if (items.size() % 2 != 0) fail("gives a key without a value");
        for (std::size_t i = 0; i < items.size(); ++i) {
            const PickledKind kind = values_[items[i]].kind;
            if (i % 2 == 0 && kind != PickledKind::text && kind != PickledKind::integer && kind != PickledKind::real &&
                kind != PickledKind::boolean)
                fail("has a dict with a key that is neither a string nor a number");
            values_.hold(dict, items[i]);
        }
    }

    /// LibTorch makes room for whatever index comes; its pickler counts.
    void store(std::uint64_t index) {
        const Index value = top();
        if (index > memo_.size()) fail("numbers its values out of order");
        if (index == memo_.size()) memo_.push_back(value);
        else memo_[static_cast<std::size_t>(index)] = value;
    }
    void load(std::uint64_t index) {
        if (index >= memo_.size()) fail("refers to a value that it does not hold");
        push(memo_[static_cast<std::size_t>(index)]);
    }

    // NOLINTNEXTLINE(readability-function-size): one line for each operation of the format
    void step(unsigned char operation) {
        switch (operation) {
            case '.': stopped_ = true; return;                                                       // STOP
            case '(': marks_.push_back(stack_.size()); return;                                       // MARK
            case 'N': make(PickledKind::none); return;                                               // NONE
            case 0x88: make(PickledKind::boolean, 1); return;                                        // NEWTRUE
            case 0x89: make(PickledKind::boolean, 0); return;                                        // NEWFALSE
            case ']': make(PickledKind::list); return;                                               // EMPTY_LIST
            case '}': make(PickledKind::dict); return;                                               // EMPTY_DICT
            case ')': make(PickledKind::tuple); return;                                              // EMPTY_TUPLE
            case 'J': make(PickledKind::integer, static_cast<std::int32_t>(takeNumber(4))); return;  // BININT
            case 'K': make(PickledKind::integer, static_cast<std::int64_t>(takeNumber(1))); return;  // BININT1
            case 'M': make(PickledKind::integer, static_cast<std::int64_t>(takeNumber(2))); return;  // BININT2
            case 0x8a: longInteger(); return;                                                        // LONG1
            case 'G': make(PickledKind::real).real = takeReal(); return;                             // BINFLOAT
            case 'X': text(take(takeNumber(4))); return;                                             // BINUNICODE
            case 't': tuple(popToMark()); return;                                                    // TUPLE
            case 0x85: tupleOf(1); return;                                                           // TUPLE1
            case 0x86: tupleOf(2); return;                                                           // TUPLE2
            case 0x87: tupleOf(3); return;                                                           // TUPLE3
            case 'a': append({pop()}); return;                                                       // APPEND
            case 'e': append(popToMark()); return;                                                   // APPENDS
            case 's': setItem(); return;                                                             // SETITEM
            case 'u': setItems(popToMark()); return;                                                 // SETITEMS
            case 'c': global(); return;                                                              // GLOBAL
            case 'R': reduce(); return;                                                              // REDUCE
            case 0x81: newObject(); return;                                                          // NEWOBJ
            case 'b': build(); return;                                                               // BUILD
            case 'Q': push(calls_.storage(pop())); return;                                           // BINPERSID
            case 'q': store(takeNumber(1)); return;                                                  // BINPUT
            case 'r': store(takeNumber(4)); return;                                                  // LONG_BINPUT
            case 'h': load(takeNumber(1)); return;                                                   // BINGET
            case 'j': load(takeNumber(4)); return;                                                   // LONG_BINGET
            default: throw Error("holds the unknown operation " + std::to_string(operation));
        }
    }

    void text(std::string_view content) { make(PickledKind::text).text = content; }
    void longInteger() {
        if (takeNumber(1) != 8) fail("holds an integer of another width than 64 bits");
        make(PickledKind::integer, static_cast<std::int64_t>(takeNumber(8)));
    }
    void setItem() {
        const Index value = pop(), key = pop();
        setItems({key, value});
    }
    void global() {
        const std::string_view module = takeLine();
        push(values_.add(PickleCalls::global(module, takeLine())));
    }
    void reduce() {
        const Index arguments = pop(), function = pop();
        push(calls_.call(function, arguments));
    }
    void newObject() {
        const Index arguments = pop(), type = pop();
        const bool isClass = values_[type].kind == PickledKind::function && values_[type].number == 0;
        if (!isClass || values_[arguments].kind != PickledKind::tuple || !values_[arguments].items.empty())
            fail("makes an object of something else than a class");
        PickledValue object = values_[type];
        object.kind = PickledKind::unbuilt;
        push(values_.add(std::move(object)));
    }
    void build() {
        const Index state = pop(), object = pop();
        push(calls_.build(object, state));
    }

    void requireSpreadDicts() const {
        for (Index i = 0; i < values_.size(); ++i) {
            if (values_[i].kind != PickledKind::dict) continue;
            std::vector<std::uint64_t> hashes;
            for (std::size_t k = 0; k < values_[i].items.size(); k += 2)
                hashes.push_back(hashOf(values_[values_[i].items[k]]));
            if (keysCollide(std::move(hashes))) fail("has a dict whose keys were chosen to collide");
        }
    }
    static std::uint64_t hashOf(const PickledValue& key) {
        if (key.kind == PickledKind::text) return std::hash<std::string_view>()(key.text);
        if (key.kind == PickledKind::real) return std::hash<double>()(key.real);
        return static_cast<std::uint64_t>(key.number);
    }

    std::string_view rest_;
    PickledValues values_;
    PickleCalls calls_;
    std::vector<Index> stack_, memo_;
    std::vector<std::size_t> marks_;
    bool stopped_ = false;
};

template <typename Check>
PickleFacts checked(std::string_view pickle, const StorageSizes& storages, Check&& requireRoot) {
    try {
        PickleChecker checker(pickle, storages);
        requireRoot(checker.values(), checker.run());
        return checker.facts();
    } catch (const Error& e) {
        throw Error(std::string("a pickle in it ") + e.what());
    }
}

}  // namespace

PickleFacts requireSoundPickle(std::string_view pickle, const StorageSizes& storages) {
    return checked(pickle, storages, [](const PickledValues& values, Index root) {
        if (values[root].weight > kLargestTree) throw Error("holds its values in too many places");
    });
}

PickleFacts requireSoundDebugPickle(std::string_view pickle) { return checked(pickle, {}, requireSoundPlaces); }

}  // namespace aotscope
