#include "ir/symbolic.h"

#include "support/error.h"
#include "support/integers.h"
#include "support/quoted.h"
#include "support/token_reader.h"

#include <charconv>

namespace aotscope {

struct SymExpr::Node {
    Kind kind = Kind::number;
    std::int64_t number = 0;
    std::string name;
    SymExpr left, right;

    explicit Node(std::int64_t n) : number(n), left(nullptr), right(nullptr) {}
    explicit Node(std::string s) : kind(Kind::symbol), name(std::move(s)), left(nullptr), right(nullptr) {}
    Node(Kind k, SymExpr a, SymExpr b) : kind(k), left(std::move(a)), right(std::move(b)) {}
};

SymExpr::SymExpr(std::int64_t number) : node_(std::make_shared<Node>(number)) {}
SymExpr SymExpr::symbol(std::string name) { return SymExpr(std::make_shared<const Node>(std::move(name))); }
SymExpr SymExpr::binary(Kind kind, const SymExpr& a, const SymExpr& b) {
    return SymExpr(std::make_shared<const Node>(kind, a, b));
}

SymExpr::Kind SymExpr::kind() const { return node_->kind; }
std::int64_t SymExpr::number() const { return node_->number; }
const std::string& SymExpr::symbolName() const { return node_->name; }
const SymExpr& SymExpr::left() const { return node_->left; }
const SymExpr& SymExpr::right() const { return node_->right; }

namespace {

[[noreturn]] void failOverflow() { throw Error("a size does not fit in 64 bits; choose smaller sizes"); }

std::int64_t checkedSum(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    if (__builtin_add_overflow(a, b, &result)) failOverflow();
    return result;
}

std::int64_t checkedProduct(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    if (__builtin_mul_overflow(a, b, &result)) failOverflow();
    return result;
}

std::int64_t checkedQuotient(std::int64_t a, std::int64_t b) {
    if (b == 0) throw Error("a size expression divides by zero");
    return b == -1 ? checkedProduct(a, -1) : floorQuotient(a, b);
}

}  // namespace

std::int64_t SymExpr::evaluate(const SymbolValues& values) const {
    if (isNumber()) return number();
    if (kind() == Kind::symbol) {
        const auto it = values.find(symbolName());
        if (it == values.end()) throw Error("the size " + inQuotes(symbolName()) + " has no value; bind every symbol");
        return it->second;
    }
    const std::int64_t a = left().evaluate(values), b = right().evaluate(values);
    switch (kind()) {
        case Kind::sum: return checkedSum(a, b);
        case Kind::product: return checkedProduct(a, b);
        default: return checkedQuotient(a, b);
    }
}

SymExpr operator+(const SymExpr& a, const SymExpr& b) {
    using Kind = SymExpr::Kind;
    if (a.isNumber() && b.isNumber()) return checkedSum(a.number(), b.number());
    if (a.isNumber()) return b + a;
    if (b.isNumber() && b.number() == 0) return a;
    // Numbers are collected on the right.
    if (b.isNumber() && a.kind() == Kind::sum && a.right().isNumber()) return a.left() + (a.right() + b);
    if (b.kind() == Kind::sum && b.right().isNumber()) return (a + b.left()) + b.right();
    return SymExpr::binary(Kind::sum, a, b);
}

SymExpr operator*(const SymExpr& a, const SymExpr& b) {
    using Kind = SymExpr::Kind;
    if (a.isNumber() && b.isNumber()) return checkedProduct(a.number(), b.number());
    if (b.isNumber()) return b * a;  // numbers are collected on the left
    if (a.isNumber() && a.number() == 0) return 0;
    if (a.isNumber() && a.number() == 1) return b;
    if (a.isNumber() && b.kind() == Kind::product && b.left().isNumber()) return (a * b.left()) * b.right();
    if (!a.isNumber() && b.kind() == Kind::product && b.left().isNumber()) return b.left() * (a * b.right());
    if (a.kind() == Kind::product && a.left().isNumber()) return a.left() * (a.right() * b);
    return SymExpr::binary(Kind::product, a, b);
}

SymExpr floorDivide(const SymExpr& a, const SymExpr& b) {
    if (b.isNumber() && b.number() == 1) return a;
    if (a.isNumber() && b.isNumber()) return checkedQuotient(a.number(), b.number());
    return SymExpr::binary(SymExpr::Kind::floorDivision, a, b);
}

void SymExpr::collectSymbols(std::set<std::string>& names) const {
    if (kind() == Kind::symbol) names.insert(symbolName());
    if (kind() == Kind::symbol || isNumber()) return;
    left().collectSymbols(names);
    right().collectSymbols(names);
}

std::string SymExpr::text() const {
    const auto operand = [](const SymExpr& e, bool tight) {
        const bool compound =
            e.kind() == Kind::sum || (tight && e.kind() == Kind::floorDivision) || (e.isNumber() && e.number() < 0);
        return compound ? "(" + e.text() + ")" : e.text();
    };
    switch (kind()) {
        case Kind::number: return std::to_string(number());
        case Kind::symbol: return symbolName();
        case Kind::sum:
            if (right().isNumber() && right().number() < 0)
                return left().text() + " - " + std::to_string(right().number()).substr(1);
            return left().text() + " + " + right().text();
        case Kind::product:
            return (left().isNumber() ? left().text() : operand(left(), true)) + "*" + operand(right(), true);
        default:
            return operand(left(), false) + "//" +
                   (right().kind() == Kind::product ? "(" + right().text() + ")" : operand(right(), true));
    }
}

namespace {

/// sum := term {(+|-) term}; term := factor {(*|//) factor}; factor := number | name | (sum) | -factor
class Reader : TokenReader {
public:
    explicit Reader(std::string_view text) : TokenReader(text, " ") {}

    SymExpr run() {
        SymExpr e = sum();
        if (!atEnd()) fail("an operator or the end");
        return e;
    }

private:
    [[noreturn]] void fail(const std::string& expected) const {
        throw Error("size expression " + inQuotes(text_.substr(0, 80)) + ", column " + std::to_string(at_ + 1) +
                    ": expected " + expected + ", found " + (atEnd() ? "the end" : "'" + std::string(1, peek()) + "'"));
    }

    SymExpr sum() {
        SymExpr e = term();
        for (;;) {
            if (accept("+")) e = e + term();
            else if (accept("-")) e = e + SymExpr(-1) * term();
            else return e;
        }
    }
    SymExpr term() {
        SymExpr e = factor();
        for (;;) {
            if (accept("//")) e = floorDivide(e, factor());
            else if (accept("*")) e = e * factor();
            else return e;
        }
    }
    SymExpr factor() {
        if (++depth_ > kMaxDepth) fail("fewer nested parentheses");
        SymExpr e;
        if (accept("(")) {
            e = sum();
            if (!accept(")")) fail("')'");
        } else if (accept("-")) {
            e = SymExpr(-1) * factor();
        } else {
            e = atom();
        }
        --depth_;
        return e;
    }
    SymExpr atom() {
        skipBlanks();
        const auto start = at_;
        const auto name = word();
        if (name.empty()) fail("a number or a name");
        if (++atoms_ > kMaxAtoms) fail("a shorter expression");
        skipBlanks();
        if (name[0] < '0' || name[0] > '9') return SymExpr::symbol(std::string(name));
        if (const auto value = asNumber<std::int64_t>(name)) return *value;
        at_ = start;
        fail("a number");
    }

    static constexpr int kMaxDepth = 200, kMaxAtoms = 2000;  ///< expressions are traversed recursively
    int depth_ = 0, atoms_ = 0;
};

}  // namespace

SymExpr parseSymExpr(std::string_view text) { return Reader(text).run(); }

}  // namespace aotscope
