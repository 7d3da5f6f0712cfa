#include "program/pickle_reader.h"

#include "support/error.h"

#include <bit>
#include <cstring>
#include <unordered_map>

namespace aotscope {

namespace {

/// Of a hundred bytes each, while the file may have one for each.
constexpr std::size_t kMostPickleValues = 1'500'000;
/// A list of arguments can be given to any number of calls.
constexpr std::size_t kMostArguments = 4'000'000;
constexpr std::size_t kLongestName = 4096;

using PickleKind = PickleValue::Kind;

}  // namespace

/// Takes bytes from the front of a text; never beyond its end.
class PickleBytes {
public:
    explicit PickleBytes(std::string_view text) : rest_(text) {}

    std::string_view take(std::uint64_t count) {
        if (count > rest_.size()) throw Error("the pickle ends too early");
        const std::string_view taken = rest_.substr(0, count);
        rest_.remove_prefix(count);
        return taken;
    }
    std::uint8_t byte() { return static_cast<std::uint8_t>(take(1)[0]); }
    std::uint64_t littleEndian(std::size_t count) {
        std::uint64_t value = 0;
        const std::string_view bytes = take(count);
        for (std::size_t i = count; i-- > 0;) value = value << 8 | static_cast<std::uint8_t>(bytes[i]);
        return value;
    }
    double bigEndianDouble() {
        std::uint64_t value = 0;
        for (char c : take(8)) value = value << 8 | static_cast<std::uint8_t>(c);
        return std::bit_cast<double>(value);
    }
    std::string_view line() {
        const std::size_t end = rest_.find('\n');
        if (end == std::string_view::npos) throw Error("the pickle ends too early");
        const std::string_view text = take(end);
        take(1);
        return text;
    }

private:
    std::string_view rest_;
};

/// The stack machine that a pickle is a program for.
class PickleMachine {
public:
    PickleMachine(PickleDocument& document, std::string_view bytes) : document_(document), bytes_(bytes) {}

    void run() {
        while (true) {
            const std::uint8_t code = bytes_.byte();
            if (code == '.') break;
            if (!literal(code) && !container(code) && !reference(code) && !object(code))
                throw Error("the pickle uses operation " + std::to_string(code) + ", which torch.save does not write");
        }
        document_.root_ = pop();
    }

private:
    using Value = PickleValue;

    Value& make(PickleKind kind) {
        if (document_.values_.size() >= kMostPickleValues)
            throw Error("the pickle holds more than " + std::to_string(kMostPickleValues) + " values");
        Value& value = document_.values_.emplace_back();
        value.kind = kind;
        stack_.push_back(&value);
        return value;
    }
    Value* pop() {
        if (stack_.size() <= (marks_.empty() ? 0 : marks_.back()))
            throw Error("the pickle takes a value that is not there");
        Value* value = stack_.back();
        stack_.pop_back();
        return value;
    }
    Value& top() {
        Value* value = pop();
        stack_.push_back(value);
        return *value;
    }
    std::vector<Value*> popToMark() {
        if (marks_.empty()) throw Error("the pickle takes a mark that is not there");
        std::vector<Value*> values(stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back()), stack_.end());
        stack_.resize(marks_.back());
        marks_.pop_back();
        return values;
    }

    bool literal(std::uint8_t code) {
        const auto integer = [&](std::int64_t v) { make(PickleKind::integer).integer = v; };
        const auto text = [&](std::uint64_t length) { make(PickleKind::text).text = bytes_.take(length); };
        switch (code) {
            case 0x80: bytes_.byte(); return true;           // PROTO
            case 0x95: bytes_.littleEndian(8); return true;  // FRAME
            case 'N': make(PickleKind::none); return true;
            case 0x88: make(PickleKind::boolean).integer = 1; return true;
            case 0x89: make(PickleKind::boolean).integer = 0; return true;
            case 'K': integer(bytes_.byte()); return true;
            case 'M': integer(static_cast<std::int64_t>(bytes_.littleEndian(2))); return true;
            case 'J': integer(static_cast<std::int32_t>(bytes_.littleEndian(4))); return true;
            case 0x8a: integer(longInteger(bytes_.byte())); return true;
            case 'G': make(PickleKind::real).real = bytes_.bigEndianDouble(); return true;
            case 'X':
            case 'T':
            case 'B': text(bytes_.littleEndian(4)); return true;
            case 0x8c:
            case 'U':
            case 'C': text(bytes_.byte()); return true;
            case 0x8d: text(bytes_.littleEndian(8)); return true;
            default: return false;
        }
    }

    std::int64_t longInteger(std::uint8_t length) {
        if (length > 8) throw Error("the pickle holds an integer of more than 64 bits");
        std::uint64_t value = bytes_.littleEndian(length);
        if (length > 0 && length < 8 && (value >> (8 * length - 1) & 1)) value |= ~std::uint64_t{0} << (8 * length);
        return static_cast<std::int64_t>(value);
    }

    bool container(std::uint8_t code) {
        switch (code) {
            case '(': marks_.push_back(stack_.size()); return true;
            case ')': make(PickleKind::tuple); return true;
            case ']': make(PickleKind::list); return true;
            case '}': make(PickleKind::dict); return true;
            case 't': tuple(popToMark()); return true;
            case 'l': tuple(popToMark()).kind = PickleKind::list; return true;
            case 0x85:
            case 0x86:
            case 0x87: {
                std::vector<Value*> items(code - 0x84u);
                for (std::size_t i = items.size(); i-- > 0;) items[i] = pop();
                tuple(items);
                return true;
            }
            case 'a': {
                Value* item = pop();
                append({item});
                return true;
            }
            case 'e': append(popToMark()); return true;
            case 's': {
                Value* value = pop();
                Value* key = pop();
                setItems({key, value});
                return true;
            }
            case 'u': setItems(popToMark()); return true;
            default: return false;
        }
    }

    Value& tuple(const std::vector<Value*>& items) {
        Value& value = make(PickleKind::tuple);
        value.items.assign(items.begin(), items.end());
        return value;
    }
    void append(const std::vector<Value*>& items) {
        Value& list = top();
        if (!list.is(PickleKind::list)) throw Error("the pickle appends to a value that is not a list");
        list.items.insert(list.items.end(), items.begin(), items.end());
    }
    void setItems(const std::vector<Value*>& items) {
        Value& dict = top();
        if (!dict.is(PickleKind::dict) && !dict.is(PickleKind::call))
            throw Error("the pickle sets entries of a value that is not a dict");
        if (items.size() % 2) throw Error("the pickle sets a key without a value");
        for (std::size_t i = 0; i < items.size(); i += 2) dict.entries.emplace_back(items[i], items[i + 1]);
    }

    bool reference(std::uint8_t code) {
        switch (code) {
            case 'q': memo_[bytes_.byte()] = &top(); return true;
            case 'r': memo_[bytes_.littleEndian(4)] = &top(); return true;
            case 0x94: memo_[memo_.size()] = &top(); return true;
            case 'h': recall(bytes_.byte()); return true;
            case 'j': recall(bytes_.littleEndian(4)); return true;
            case '0': pop(); return true;
            case '1': popToMark(); return true;
            case '2': stack_.push_back(&top()); return true;
            default: return false;
        }
    }
    void recall(std::uint64_t index) {
        const auto it = memo_.find(index);
        if (it == memo_.end())
            throw Error("the pickle refers to value " + std::to_string(index) + ", which is not there");
        stack_.push_back(it->second);
    }

    bool object(std::uint8_t code) {
        switch (code) {
            case 'c': {
                const std::string_view module = bytes_.line(), name = bytes_.line();
                make(PickleKind::global).text = std::string(module) + "." + std::string(name);
                return true;
            }
            case 0x93: {
                const Value *name = pop(), *module = pop();
                if (module->text.size() + name->text.size() > kLongestName)
                    throw Error("the pickle names a function of more than " + std::to_string(kLongestName) + " bytes");
                make(PickleKind::global).text = module->text + "." + name->text;
                return true;
            }
            case 'R':
            case 0x81: {
                const Value *arguments = pop(), *function = pop();
                if (!arguments->is(PickleKind::tuple)) throw Error("the pickle calls a function without arguments");
                arguments_ += arguments->items.size();
                if (arguments_ > kMostArguments)
                    throw Error("the pickle calls functions with more than " + std::to_string(kMostArguments) +
                                " values");
                Value& call = make(PickleKind::call);
                call.function = function;
                call.items = arguments->items;
                return true;
            }
            case 'Q': {
                const Value* id = pop();
                make(PickleKind::persistent).items.push_back(id);
                return true;
            }
            case 'b':
                pop();
                top();
                return true;  // BUILD: attributes of an object are of no use here
            default: return false;
        }
    }

    PickleDocument& document_;
    PickleBytes bytes_;
    std::vector<Value*> stack_;
    std::vector<std::size_t> marks_;
    std::unordered_map<std::uint64_t, Value*> memo_;
    std::size_t arguments_ = 0;
};

PickleDocument::PickleDocument(std::string_view bytes) { PickleMachine(*this, bytes).run(); }

}  // namespace aotscope
