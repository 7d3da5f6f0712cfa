#pragma once

#include "load/printed/parser.h"
#include "support/token_reader.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace aotscope {

/// Reads the simple language of Python's printed graphs token by token: names, literals, operators, lines.
class Scanner : TokenReader {
public:
    static constexpr int kDeepest = 200;

    explicit Scanner(const PrintedText& source) : TokenReader(source.text), source_(source) {}

    [[noreturn]] void fail(const std::string& expected) const;

    /// One level of recursion; fails if there are too many.
    class Nesting {
    public:
        explicit Nesting(Scanner& scan) : scan_(scan) {
            if (++scan_.depth_ > kDeepest) scan_.fail("brackets nested at most " + std::to_string(kDeepest) + " deep");
        }
        ~Nesting() { --scan_.depth_; }
        Nesting(const Nesting&) = delete;
        Nesting& operator=(const Nesting&) = delete;

    private:
        Scanner& scan_;
    };

    // --- positions ---

    std::size_t position() const { return at_; }
    void moveTo(std::size_t position) { at_ = position; }
    using TokenReader::accept, TokenReader::atEnd, TokenReader::looksAt, TokenReader::rest, TokenReader::skipBlanks;
    bool atLineEnd() const { return atEnd() || text_[at_] == '\n'; }
    std::string_view restOfLine() const;
    void nextLine();
    void toLineStart();
    void skipEmptyLines();
    /// Skips blank lines. Whether the next line is indented more than `indent`.
    bool toContentBeyond(std::size_t indent);
    /// The indentation of the current line.
    std::size_t indentation() const;
    /// Skips blanks, line ends and comments; keeps the last comment for takeNote().
    void skipSpace();
    std::string takeNote() { return std::exchange(note_, {}); }
    /// "GradAOTOutput(...)" for "# GradAOTOutput(...)".
    static std::string noteOf(std::string_view comment);
    /// Moves to the first of `ends` outside of brackets and strings in the statement.
    void skipTo(std::string_view ends);
    void skipBlock(std::string_view quotes);

    // --- tokens ---

    /// Calls `read` for each element of a list whose bracket was read, until `end`.
    template <typename Read>
    void readElements(std::string_view end, Read&& read) {
        for (skipSpace(); !accept(end); skipSpace()) {
            read();
            skipSpace();
            if (!accept(",") && !looksAt(end)) fail("',' or '" + std::string(end) + "'");
        }
    }
    bool acceptWord(std::string_view word);
    void expect(std::string_view token);
    std::string tryIdentifier();
    std::string identifier(const char* what);
    std::string dottedName(const char* what);
    /// The text of an annotation: the contents of a string, or everything before one of `ends`.
    std::string annotation(std::string_view ends);

    bool atString() const;
    std::string quoted();
    bool atNumber() const;
    Argument number();
    std::optional<Argument> parenthesizedComplex();
    /// "<function f at 0x7f>": an object without another text form.
    std::string angled();

    /// Names from Python's operator module: "mul" for "*".
    std::optional<std::string> unaryOperator();
    std::optional<std::string> binaryOperator();
    std::optional<std::string> inplaceOperator();

    static bool isLiteralWord(std::string_view word) { return literal(word).has_value(); }
    /// None, True, inf, ...
    static std::optional<Argument> literal(std::string_view word);
    /// torch.float32, torch.strided, ...
    static std::optional<Argument> torchConstant(std::string_view path);

private:
    double realAt(std::size_t& position) const;

    const PrintedText& source_;
    int depth_ = 0;
    std::string note_;
};

}  // namespace aotscope
