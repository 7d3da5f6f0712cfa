#include "cost/book/signature.h"

#include "ops/collectives.h"
#include "ops/op_table.h"
#include "support/formatted.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace aotscope {

namespace {

/// Receives the text of a signature in pieces.
class AsText {
public:
    void add(std::string_view piece) { text_ += piece; }
    std::string take() { return std::move(text_); }

private:
    std::string text_;
};

/// FNV-1a of the text.
class AsNumber {
public:
    void add(std::string_view piece) {
        for (const char c : piece) number_ = (number_ ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
        length_ += piece.size();
    }
    std::uint64_t take() const { return length_ > 0 && length_ <= kLongestSignature ? number_ : 0; }

private:
    std::uint64_t number_ = 0xcbf29ce484222325ULL;
    std::size_t length_ = 0;
};

/// Neither its cost nor that of its users depends on others than zero, one half and whole numbers: `pow` has kernels
/// for some of them, and dropout for none and all.
bool onlyScales(double number) { return std::isfinite(number) && std::floor(2 * number) != 2 * number; }

template <typename Sink>
class Writer {
public:
    explicit Writer(Sink& sink) : sink_(sink) {}

    bool writeCall(const Node& node) {
        sink_.add(node.op());
        sink_.add("(");
        bool first = true;
        for (const Argument& argument : node.args()) {
            if (!std::exchange(first, false)) sink_.add(", ");
            if (!write(argument)) return false;
        }
        for (const auto& [key, argument] : node.kwargs()) {
            if (!std::exchange(first, false)) sink_.add(", ");
            sink_.add(key);
            sink_.add("=");
            if (!write(argument)) return false;
        }
        sink_.add(")");
        return true;
    }

private:
    bool write(const Argument& argument) {
        return std::visit([this](const auto& value) { return writeValue(value); }, argument.value);
    }

    bool writeValue(std::monostate) { return put("None"); }
    bool writeValue(const Node* node) { return writeType(node->type); }
    bool writeValue(std::int64_t number) { return writeInteger(number); }
    bool writeValue(double number) { return onlyScales(number) ? put("real") : put(exactReal(number)); }
    bool writeValue(bool value) { return put(value ? "True" : "False"); }
    bool writeValue(const std::string& text) {
        put("'");
        for (const char& c : text)
            put(static_cast<unsigned char>(c) < ' ' ? std::string_view("?") : std::string_view(&c, 1));
        return put("'");
    }
    bool writeValue(DType dtype) { return put(shortName(dtype)); }
    bool writeValue(const Device& device) { return put(device.name); }
    bool writeValue(Layout layout) { return put(name(layout)); }
    bool writeValue(MemoryFormat format) { return put(name(format)); }
    bool writeValue(const std::complex<double>&) { return put("complex"); }
    bool writeValue(const Argument::Subgraph&) { return false; }
    bool writeValue(const Argument::List& list) {
        put("[");
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (i > 0) put(", ");
            if (!write(list[i])) return false;
        }
        return put("]");
    }

    bool writeType(const ValueType& type) {
        if (const TensorType* tensor = type.tensor()) return writeTensor(*tensor);
        if (const ScalarType* scalar = type.scalar()) {
            if (scalar->kind != ScalarType::Kind::integer) return put("number");
            return writeInteger(static_cast<std::int64_t>(scalar->hint));
        }
        const TupleType* tuple = type.tuple();
        if (!tuple) return false;
        put("(");
        for (std::size_t i = 0; i < tuple->size(); ++i) {
            if (i > 0) put(", ");
            if (!writeType((*tuple)[i])) return false;
        }
        return put(")");
    }

    bool writeTensor(const TensorType& tensor) {
        put(shortName(tensor.dtype));
        writeIntegers(tensor.sizes);
        if (!tensor.isContiguous()) writeIntegers(tensor.strides);
        if (tensor.device.name != "cpu") put(tensor.device.name);
        return true;
    }

    void writeIntegers(const std::vector<std::int64_t>& numbers) {
        put("[");
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            if (i > 0) put(", ");
            writeInteger(numbers[i]);
        }
        put("]");
    }

    bool writeInteger(std::int64_t number) {
        char digits[24];
        const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
        return put({digits, static_cast<std::size_t>(end - digits)});
    }

    bool put(std::string_view piece) {
        sink_.add(piece);
        return true;
    }

    Sink& sink_;
};

bool hasSignature(const Node& node) {
    return node.kind() == NodeKind::call && !isGetitem(node) && !isHigherOrder(node) && !communicates(node.op()) &&
           node.op().find_first_of("(\t\n") == std::string::npos;
}

/// A number in a text, or the characters up to the next one.
struct Token {
    std::string_view text;
    std::optional<double> number;
};

class Tokens {
public:
    explicit Tokens(std::string_view rest) : rest_(rest) {}

    std::optional<Token> next() {
        if (rest_.empty()) return std::nullopt;
        Token token;
        std::size_t length = digits(rest_);
        if (length > 0) {
            double number = 0;
            std::from_chars(rest_.data(), rest_.data() + length, number);
            token.number = number;
        } else {
            length = 1;
            // Digits within a word, as in "f32", are part of it.
            while (length < rest_.size() && (digits(rest_.substr(length)) == 0 || isWord(rest_[length - 1]))) ++length;
        }
        token.text = rest_.substr(0, length);
        rest_.remove_prefix(length);
        return token;
    }

private:
    static bool isDigit(char c) { return c >= '0' && c <= '9'; }
    static bool isWord(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || isDigit(c); }
    static std::size_t digits(std::string_view text) {
        std::size_t length = 0;
        while (length < text.size() && isDigit(text[length])) ++length;
        return length;
    }

    std::string_view rest_;
};

}  // namespace

std::string signatureOf(const Node& node) {
    if (!hasSignature(node)) return {};
    AsText text;
    if (!Writer(text).writeCall(node)) return {};
    std::string signature = text.take();
    return signature.size() <= kLongestSignature ? signature : std::string();
}

std::uint64_t signatureNumber(std::string_view signature) {
    AsNumber number;
    number.add(signature);
    return number.take();
}

std::uint64_t signatureNumber(const Node& node) {
    if (!hasSignature(node)) return 0;
    AsNumber number;
    return Writer(number).writeCall(node) ? number.take() : 0;
}

std::string_view operatorOf(std::string_view signature) { return signature.substr(0, signature.find('(')); }

double signatureDistance(std::string_view a, std::string_view b) {
    Tokens left(a), right(b);
    double distance = 0;
    while (true) {
        const auto mine = left.next(), other = right.next();
        if (!mine && !other) return distance;
        if (!mine || !other || mine->number.has_value() != other->number.has_value())
            return distance + kOtherKindOfCall;
        if (mine->number) distance += std::abs(std::log2((*mine->number + 1) / (*other->number + 1)));
        else if (mine->text != other->text) distance += kOtherKindOfCall;
    }
}

}  // namespace aotscope
