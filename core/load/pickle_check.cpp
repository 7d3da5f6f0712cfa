#include "load/archive.h"
#include "load/torchscript_nesting.h"
#include "support/error.h"

#include <memory>
#include <tuple>
#include <vector>

namespace aotscope {

namespace {

/// As much of a value as the checks need.
struct Value {
    enum class Kind : std::uint8_t { other, integer, text, global, tuple, storage } kind = Kind::other;
    std::int64_t number = 0;  ///< an integer; bytes of a storage
    std::int64_t itemSize = 1;
    std::string text;
    std::shared_ptr<const std::vector<Value>> elements;
};

std::int64_t itemSizeOf(const std::string& storage) {
    constexpr std::pair<std::string_view, std::int64_t> sizes[] = {
        {"ComplexDoubleStorage", 16}, {"ComplexFloatStorage", 8}, {"DoubleStorage", 8}, {"FloatStorage", 4},
        {"BFloat16Storage", 2},       {"HalfStorage", 2},         {"LongStorage", 8},   {"IntStorage", 4},
        {"ShortStorage", 2},          {"QInt32Storage", 4}};
    for (const auto& [name, size] : sizes)
        if (storage.ends_with("." + std::string(name))) return size;
    return 1;
}

/// Goes through the operations of a pickle as an unpickler would.
class PickleChecker {
public:
    PickleChecker(std::string_view pickle, const StorageSizes& storages)
        : rest_(pickle), size_(pickle.size()), storages_(storages) {}

    void run() {
        while (!stopped_) step(static_cast<unsigned char>(take(1)[0]));
    }

private:
    using Kind = Value::Kind;
    [[noreturn]] static void fail(const std::string& what) { throw Error("a pickle in it " + what); }

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
    std::string takeLine() {
        const auto end = rest_.find('\n');
        if (end == std::string_view::npos) fail("is cut off");
        std::string line(take(end));
        take(1);
        return line;
    }

    void push(Value value) { stack_.push_back(std::move(value)); }
    void pushInteger(std::int64_t number) { push({Kind::integer, number, 1, {}, {}}); }
    void pushText(std::uint64_t size) { push({Kind::text, 0, 1, std::string(take(size)), {}}); }
    Value pop() {
        const std::size_t floor = marks_.empty() ? 0 : marks_.back();
        if (stack_.size() <= floor) fail("takes a value that is not there");
        Value value = std::move(stack_.back());
        stack_.pop_back();
        return value;
    }
    const Value& top() {
        if (stack_.empty()) fail("takes a value that is not there");
        return stack_.back();
    }
    std::vector<Value> popToMark() {
        if (marks_.empty()) fail("ends a group that it did not begin");
        const auto begin = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
        std::vector<Value> values(std::make_move_iterator(begin), std::make_move_iterator(stack_.end()));
        stack_.erase(begin, stack_.end());
        marks_.pop_back();
        return values;
    }
    void pushTuple(std::vector<Value> elements) {
        push({Kind::tuple, 0, 1, {}, std::make_shared<const std::vector<Value>>(std::move(elements))});
    }
    void pushTupleOf(std::size_t count) {
        std::vector<Value> elements(count);
        for (std::size_t i = count; i > 0; --i) elements[i - 1] = pop();
        pushTuple(std::move(elements));
    }

    /// LibTorch makes room for whatever index comes.
    void store(std::uint64_t index) {
        if (index >= size_) fail("numbers its values far beyond how many it holds");
        if (index >= memo_.size()) memo_.resize(static_cast<std::size_t>(index) + 1);
        memo_[static_cast<std::size_t>(index)] = top();
    }
    void load(std::uint64_t index) {
        if (index >= memo_.size()) fail("refers to a value that it does not hold");
        push(memo_[static_cast<std::size_t>(index)]);
    }

    // NOLINTNEXTLINE(readability-function-size): one line for each operation of the format
    void step(unsigned char operation) {
        switch (operation) {
            case 0x80: take(1); return;                                               // PROTO
            case 0x95: take(8); return;                                               // FRAME
            case '.': top(), stopped_ = true; return;                                 // STOP
            case '(': marks_.push_back(stack_.size()); return;                        // MARK
            case '0': pop(); return;                                                  // POP
            case 'N':                                                                 // NONE
            case 0x88:                                                                // NEWTRUE
            case 0x89:                                                                // NEWFALSE
            case ']':                                                                 // EMPTY_LIST
            case '}': push({}); return;                                               // EMPTY_DICT
            case ')': pushTuple({}); return;                                          // EMPTY_TUPLE
            case 'J': pushInteger(static_cast<std::int32_t>(takeNumber(4))); return;  // BININT
            case 'K': pushInteger(static_cast<std::int64_t>(takeNumber(1))); return;  // BININT1
            case 'M': pushInteger(static_cast<std::int64_t>(takeNumber(2))); return;  // BININT2
            case 0x8a: return longInteger();                                          // LONG1
            case 'G': take(8), push({}); return;                                      // BINFLOAT
            case 'X': return pushText(takeNumber(4));                                 // BINUNICODE
            case 0x8c:                                                                // SHORT_BINUNICODE
            case 'C': return pushText(takeNumber(1));                                 // SHORT_BINBYTES
            case 't': return pushTuple(popToMark());                                  // TUPLE
            case 0x85: return pushTupleOf(1);                                         // TUPLE1
            case 0x86: return pushTupleOf(2);                                         // TUPLE2
            case 0x87: return pushTupleOf(3);                                         // TUPLE3
            case 'a': pop(), top(); return;                                           // APPEND
            case 'e': popToMark(), top(); return;                                     // APPENDS
            case 's': pop(), pop(), top(); return;                                    // SETITEM
            case 'u':                                                                 // SETITEMS
                if (popToMark().size() % 2 != 0) fail("gives a key without a value");
                top();
                return;
            case 'c': return global();                  // GLOBAL
            case 'R': return reduce();                  // REDUCE
            case 0x81: pop(), pop(), push({}); return;  // NEWOBJ
            case 'b': pop(), top(); return;             // BUILD
            case 'Q': return persistent();              // BINPERSID
            case 'q': return store(takeNumber(1));      // BINPUT
            case 'r': return store(takeNumber(4));      // LONG_BINPUT
            case 0x94: return store(memo_.size());      // MEMOIZE
            case 'h': return load(takeNumber(1));       // BINGET
            case 'j': return load(takeNumber(4));       // LONG_BINGET
            default: fail("holds the unknown operation " + std::to_string(operation));
        }
    }

    void longInteger() {
        const auto size = static_cast<int>(takeNumber(1));
        if (size > 8) fail("holds an integer of more than 64 bits");
        std::uint64_t value = takeNumber(size);
        if (size > 0 && size < 8 && value >> (size * 8 - 1)) value |= ~std::uint64_t{0} << (size * 8);
        pushInteger(static_cast<std::int64_t>(value));
    }

    void global() {
        std::string module = takeLine();
        push({Kind::global, 0, 1, module + "." + takeLine(), {}});
    }

    void reduce() {
        const Value arguments = pop(), function = pop();
        const bool tensor = function.kind == Kind::global && (function.text.ends_with("_rebuild_tensor_v2") ||
                                                              function.text.ends_with("_rebuild_tensor"));
        if (tensor) requireInside(arguments);
        if (function.text == "torch.jit._pickle.restore_type_tag" && arguments.kind == Kind::tuple)
            for (const Value& argument : *arguments.elements)
                if (argument.kind == Kind::text) requireSoundTypeText(argument.text);
        push({});
    }

    /// ("storage", type, key, device, number of elements)
    void persistent() {
        const Value id = pop();
        Value storage{Kind::storage, -1, 1, {}, {}};
        if (id.kind == Kind::tuple && id.elements->size() >= 5 && (*id.elements)[0].text == "storage") {
            const Value &type = (*id.elements)[1], &key = (*id.elements)[2], &count = (*id.elements)[4];
            if (count.kind != Kind::integer || count.number < 0) fail("holds a storage of an impossible size");
            storage.itemSize = itemSizeOf(type.text);
            if (__builtin_mul_overflow(count.number, storage.itemSize, &storage.number))
                fail("holds a storage of an impossible size");
            if (const auto bytes = storages_(key.text); bytes && static_cast<std::uint64_t>(storage.number) > *bytes)
                fail("gives storage '" + key.text + "' " + std::to_string(storage.number) + " bytes, it has " +
                     std::to_string(*bytes));
        }
        push(std::move(storage));
    }

    /// (storage, offset, sizes, strides, ...): LibTorch takes these numbers as they are.
    static void requireInside(const Value& arguments) {
        const auto isTuple = [](const Value& v) { return v.kind == Kind::tuple; };
        if (!isTuple(arguments) || arguments.elements->size() < 4) fail("makes a tensor of too few values");
        const auto& [storage, offset, sizes, strides] = std::tie((*arguments.elements)[0], (*arguments.elements)[1],
                                                                 (*arguments.elements)[2], (*arguments.elements)[3]);
        if (storage.kind != Kind::storage || offset.kind != Kind::integer || !isTuple(sizes) || !isTuple(strides) ||
            sizes.elements->size() != strides.elements->size())
            fail("makes a tensor of values of other types");
        std::int64_t last = offset.number;
        bool empty = false, impossible = last < 0;
        for (std::size_t i = 0; i < sizes.elements->size(); ++i) {
            const std::int64_t size = (*sizes.elements)[i].number, stride = (*strides.elements)[i].number;
            impossible = impossible || size < 0 || stride < 0;
            empty = empty || size == 0;
            std::int64_t extent = 0;
            impossible = impossible || __builtin_mul_overflow(size - 1, stride, &extent) ||
                         (size > 0 && __builtin_add_overflow(last, extent, &last));
        }
        std::int64_t bytes = 0;
        impossible = impossible || __builtin_add_overflow(last, 1, &last) ||
                     __builtin_mul_overflow(last, storage.itemSize, &bytes);
        if (impossible || (!empty && bytes > storage.number)) fail("makes a tensor larger than its storage");
    }

    std::string_view rest_;
    std::size_t size_;
    const StorageSizes& storages_;
    std::vector<Value> stack_, memo_;
    std::vector<std::size_t> marks_;
    bool stopped_ = false;
};

}  // namespace

void requireSoundPickle(std::string_view pickle, const StorageSizes& storages) {
    PickleChecker(pickle, storages).run();
}

}  // namespace aotscope
