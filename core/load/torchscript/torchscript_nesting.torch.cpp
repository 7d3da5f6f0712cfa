#include "load/torchscript/torchscript_nesting.h"

#include "support/error.h"
#include "support/quoted.h"
#include "support/trimmed.h"

#include <torch/csrc/jit/frontend/lexer.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace aotscope {

namespace {

namespace jit = torch::jit;

/// The lexer recurses for every empty line.
void requireFewEmptyLines(const std::string& name, std::string_view text) {
    std::size_t empty = 0;
    while (!text.empty()) {
        const auto line = trimmed(takeLine(text), " \t\r\v\f");
        const bool none = line.empty() || line[0] == '#' || line[0] == '\\';
        empty = none ? empty + 1 : 0;
        if (empty > kMostEmptyLines)
            throw Error(inQuotes(name) + " has more than " + std::to_string(kMostEmptyLines) + " empty lines in a row");
    }
}

/// Bounds, token by token, how deeply the parser and the compiler may recurse.
class Levels {
public:
    void take(int token) {
        switch (token) {
            case '(':
            case '[':
            case '{': brackets_.push_back(0), ++depth_; break;
            case ')':
            case ']':
            case '}': close(); break;
            case ',':
            case '=':
            case ':':
            case jit::TK_ARROW: endExpression(); break;
            case jit::TK_NEWLINE: endStatement(); break;
            case jit::TK_INDENT: endStatement(), blocks_.push_back(0), ++depth_; break;
            case jit::TK_DEDENT: endBlock(); break;
            case jit::TK_ELIF: ++blocks_.back(), ++depth_; break;  // an if inside the else of the previous one
            case jit::TK_DEF: ++definitions_, ++depth_; break;     // may follow another one on its line
            case jit::TK_IDENT:
            case jit::TK_NUMBER:
            case jit::TK_STRINGLITERAL: break;
            default: deepen(); break;  // an operator, a dot, or a keyword
        }
    }
    std::size_t depth() const { return depth_; }

private:
    void deepen() { ++brackets_.back(), ++depth_; }
    void close() {
        if (brackets_.size() == 1) return;  // a syntax error for the parser
        depth_ -= brackets_.back() + 1;
        brackets_.pop_back();
        deepen();  // a call or a subscript of what precedes it
    }
    void endExpression() { depth_ -= std::exchange(brackets_.back(), 0); }
    void endStatement() {
        endExpression();
        depth_ -= std::exchange(definitions_, 0);
    }
    void endBlock() {
        endStatement();
        if (blocks_.size() == 1) return;
        depth_ -= blocks_.back() + 1;
        blocks_.pop_back();
    }

    std::vector<std::size_t> brackets_ = {0};  ///< operators so far in the expression of each open bracket
    std::vector<std::size_t> blocks_ = {0};    ///< elifs so far in each block
    std::size_t definitions_ = 0, depth_ = 0;
};

}  // namespace

std::size_t requireShallowSource(const std::string& name, const std::string& text) {
    requireFewEmptyLines(name, text);
    jit::Lexer lexer(std::make_shared<jit::Source>(text, name, 0));
    Levels levels;
    std::size_t tokens = 0;
    for (; lexer.cur().kind != jit::TK_EOF; ++tokens) {
        levels.take(lexer.next().kind);
        if (levels.depth() > kMostSourceLevels)
            throw Error("the code in " + inQuotes(name) + " is nested more than " + std::to_string(kMostSourceLevels) +
                        " levels deep");
    }
    return tokens;
}

}  // namespace aotscope
