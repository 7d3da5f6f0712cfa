#include "load/pickle/type_text.h"

#include "support/error.h"
#include "support/token_reader.h"

namespace aotscope {

namespace {

constexpr std::size_t kLongestType = 64 << 10;
constexpr int kDeepestType = 32;

class TypeParser : TokenReader {
public:
    explicit TypeParser(std::string_view text) : TokenReader(text, "") {}

    TypeText run() {
        TypeText type = next(0);
        if (!atEnd()) fail();
        return type;
    }

private:
    [[noreturn]] static void fail() { throw Error("gives a container a type that cannot be read"); }

    TypeText next(int depth) {
        if (depth > kDeepestType) throw Error("gives a container a type that is nested too deeply");
        const std::size_t begin = at_;
        TypeText type;
        while (!atEnd() && std::string_view("[], ()").find(peek()) == std::string_view::npos) ++at_;
        type.name = text_.substr(begin, at_ - begin);
        if (type.name.empty()) fail();
        if (accept("[()]")) return finish(std::move(type), begin);  // the empty tuple
        if (accept("[")) {
            do type.arguments.push_back(next(depth + 1));
            while (accept(", ") || accept(","));
            if (!accept("]")) fail();
        }
        return finish(std::move(type), begin);
    }
    TypeText finish(TypeText type, std::size_t begin) const {
        type.text = text_.substr(begin, at_ - begin);
        return type;
    }
};

}  // namespace

TypeText parseTypeText(std::string_view text) {
    if (text.size() > kLongestType) throw Error("gives a container a type that is too long");
    return TypeParser(text).run();
}

}  // namespace aotscope
