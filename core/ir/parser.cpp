#include "ir/parser.h"

#include "support/error.h"

#include <cctype>
#include <charconv>
#include <limits>
#include <optional>
#include <unordered_map>

namespace aotscope {

namespace {

/// Recursive descent over the text; `names_` holds the nodes read so far.
class Parser {
public:
    explicit Parser(std::string_view text) : text_(text) {}

    std::unique_ptr<Graph> run() {
        expectWord("graph");
        skipBlanks();
        graph_ = std::make_unique<Graph>(graphName());
        if (acceptWord("where")) readSymbols();
        for (;;) {
            skipSpace();
            if (peek() == '%') {
                readNode();
            } else {
                expectWord("return");
                readOutput();
                break;
            }
        }
        skipSpace();
        if (at_ < text_.size()) fail("the end of the text after 'return [...]'");
        return std::move(graph_);
    }

private:
    struct Attributes {
        std::optional<NodeId> id;
        Stage stage = Stage::forward;
        std::string label;
        AutogradLink autograd;
        SourceInfo source;
    };

    // --- characters ---

    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    [[noreturn]] void fail(const std::string& expected) const {
        std::size_t line = 1, column = 1;
        for (std::size_t i = 0; i < at_ && i < text_.size(); ++i) {
            ++column;
            if (text_[i] == '\n') ++line, column = 1;
        }
        auto rest = text_.substr(std::min(at_, text_.size()), 20);
        rest = rest.substr(0, rest.find('\n'));
        throw Error("graph text, line " + std::to_string(line) + ", column " + std::to_string(column) + ": expected " +
                    expected + ", found " + (rest.empty() ? "the end" : "'" + std::string(rest) + "'"));
    }

    void skipSpace() {
        while (at_ < text_.size()) {
            if (std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
            else if (text_[at_] == '#') at_ = std::min(text_.find('\n', at_), text_.size());
            else break;
        }
    }
    void skipBlanks() {
        while (peek() == ' ' || peek() == '\t') ++at_;
    }

    bool accept(char c) {
        skipBlanks();
        if (peek() != c) return false;
        ++at_;
        return true;
    }
    void expect(char c) {
        if (!accept(c)) fail(std::string("'") + c + "'");
    }
    bool acceptWord(std::string_view w) {
        skipBlanks();
        if (!text_.substr(at_).starts_with(w)) return false;
        at_ += w.size();
        return true;
    }
    void expectWord(std::string_view w) {
        skipSpace();
        if (!acceptWord(w)) fail("'" + std::string(w) + "'");
    }

    static bool isWord(char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == ':';
    }

    std::string word(const char* what) {
        skipBlanks();
        const auto start = at_;
        while (isWord(peek())) ++at_;
        if (at_ == start) fail(what);
        return std::string(text_.substr(start, at_ - start));
    }

    /// Names of graphs may have dashes: "forward-traced".
    std::string graphName() {
        const auto start = at_;
        while (isWord(peek()) || peek() == '-') ++at_;
        if (at_ == start) fail("the graph's name");
        return std::string(text_.substr(start, at_ - start));
    }

    template <typename T>
    T number(const char* what) {
        skipBlanks();
        T value{};
        const auto [end, failure] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
        if (failure != std::errc{}) fail(what);
        at_ = static_cast<std::size_t>(end - text_.data());
        return value;
    }
    std::int64_t integer() { return number<std::int64_t>("an integer"); }

    std::string quotedText() {
        expect('"');
        std::string out;
        while (peek() != '"') {
            if (at_ >= text_.size() || peek() == '\n') fail("a closing '\"'");
            if (peek() == '\\') {
                ++at_;
                out += peek() == 'n' ? '\n' : peek();
            } else {
                out += peek();
            }
            ++at_;
        }
        ++at_;
        return out;
    }

    // --- symbols ---

    /// s0 = 8 in 2..64 from "x.size(0)", ...
    void readSymbols() {
        std::vector<Symbol> symbols;
        do {
            Symbol symbol;
            symbol.name = word("a symbol's name");
            expect('=');
            symbol.hint = integer();
            expectWord("in");
            symbol.min = integer();
            expectWord("..");
            if (std::isdigit(static_cast<unsigned char>(peek()))) symbol.max = integer();
            if (acceptWord("from")) symbol.origin = quotedText();
            hints_[symbol.name] = symbol.hint;
            symbols.push_back(std::move(symbol));
        } while (accept(','));
        graph_->setSymbols(std::move(symbols));
    }

    /// An expression of sizes; ends at the first ',' or closing bracket outside of its parentheses.
    SymExpr expression() {
        skipBlanks();
        const auto start = at_;
        for (int depth = 0; at_ < text_.size() && peek() != '\n'; ++at_) {
            if (peek() == '(') ++depth;
            if (peek() == ')' && depth-- == 0) break;
            if (depth == 0 && (peek() == ',' || peek() == ']' || peek() == '>')) break;
        }
        auto source = text_.substr(start, at_ - start);
        while (source.ends_with(' ')) source.remove_suffix(1);
        try {
            return parseSymExpr(source);
        } catch (const Error&) {
            at_ = start;
            fail("an integer or an expression of sizes");
        }
    }

    std::int64_t evaluated(const SymExpr& e) {
        try {
            return e.evaluate(hints_);
        } catch (const Error&) {
            fail("sizes of the symbols that 'where' declares");
        }
    }

    // --- types ---

    struct Integers {
        std::vector<std::int64_t> values;
        std::vector<SymExpr> expressions;
        bool symbolic = false;
    };

    Integers integers() {
        Integers list;
        expect('[');
        if (accept(']')) return list;
        do {
            list.expressions.push_back(expression());
            list.values.push_back(evaluated(list.expressions.back()));
            list.symbolic = list.symbolic || !list.expressions.back().isNumber();
        } while (accept(','));
        expect(']');
        return list;
    }

    /// Strides of a row-major tensor.
    static std::vector<SymExpr> contiguousExpressions(const std::vector<SymExpr>& sizes) {
        std::vector<SymExpr> strides(sizes.size());
        SymExpr next = 1;
        for (std::size_t i = sizes.size(); i-- > 0;) {
            strides[i] = next;
            if (!(sizes[i].isNumber() && sizes[i].number() == 0)) next = next * sizes[i];
        }
        return strides;
    }

    void setStrides(TensorType& t, SymbolicLayout& layout, Integers strides) {
        if (strides.values.size() != t.sizes.size()) fail("as many strides as sizes");
        t.strides = std::move(strides.values);
        layout.strides = std::move(strides.expressions);
    }

    TensorType tensorType(DType dtype) {
        TensorType t;
        t.dtype = dtype;
        Integers sizes = integers();
        bool symbolic = sizes.symbolic;
        t.sizes = std::move(sizes.values);
        SymbolicLayout layout{std::move(sizes.expressions), {}, 0};
        for (auto size : t.sizes)
            if (size < 0) fail("sizes of at least 0");
        if (peek() == '[') {
            Integers strides = integers();
            symbolic = symbolic || strides.symbolic;
            setStrides(t, layout, std::move(strides));
        } else {
            t.strides = contiguousStrides(t.sizes);
            layout.strides = contiguousExpressions(layout.sizes);
        }
        if (std::isalpha(static_cast<unsigned char>(peek()))) t.device.name = word("a device");
        t.storageBytes = t.bytes();
        if (accept('<')) {
            t.storage = integer();
            expect(',');
            t.storageOffset = integer();
            expect(',');
            t.storageBytes = integer();
            while (accept(',')) {
                skipBlanks();
                if (peek() == '[') setStrides(t, layout, integers());
                else if (acceptWord("at")) layout.storageOffset = expression(), symbolic = true;
                else expectWord("requires_grad"), t.requiresGrad = true;
            }
            expect('>');
        }
        if (symbolic) t.symbolic = std::make_shared<SymbolicLayout>(std::move(layout));
        return t;
    }

    ValueType type() {
        if (accept('?')) return {};
        if (accept('(')) {
            TupleType elements;
            if (accept(')')) return {elements};
            do elements.push_back(type());
            while (accept(','));
            expect(')');
            return {elements};
        }
        if (acceptWord("Sym(")) {
            const SymExpr e = expression();
            expect(')');
            return {ScalarType{ScalarType::Kind::integer, static_cast<double>(evaluated(e)), e}};
        }
        if (acceptWord("int(")) return scalar(ScalarType::Kind::integer);
        if (acceptWord("float(")) return scalar(ScalarType::Kind::real);
        if (acceptWord("bool(")) return scalar(ScalarType::Kind::boolean);
        const auto start = at_;
        const auto name = word("a type such as f32[2, 3]");
        const auto dtype = dtypeFromName(name);
        if (!dtype || peek() != '[') {
            at_ = start;
            fail("a type such as f32[2, 3]");
        }
        return {tensorType(*dtype)};
    }

    ValueType scalar(ScalarType::Kind kind) {
        ScalarType s{kind, 0, {}};
        if (kind == ScalarType::Kind::boolean) {
            s.hint = acceptWord("True") ? 1 : 0;
            if (s.hint == 0) expectWord("False");
        } else {
            s.hint = number<double>("a number");
        }
        expect(')');
        return {s};
    }

    // --- arguments ---

    Node* knownNode() {
        expect('%');
        const auto start = at_;
        const auto name = word("a node's name");
        const auto it = names_.find(name);
        if (it == names_.end()) {
            at_ = start;
            fail("a node defined above");
        }
        return it->second;
    }

    Argument argument() {
        skipBlanks();
        if (peek() == '%') return knownNode();
        if (peek() == '"') return quotedText();
        if (accept('[')) return list();
        if (peek() == '-' || std::isdigit(static_cast<unsigned char>(peek()))) return numberArgument();
        const auto start = at_;
        const auto name = word("an argument");
        if (name == "None") return {};
        if (name == "True") return true;
        if (name == "False") return false;
        if (name == "inf") return std::numeric_limits<double>::infinity();
        if (name == "nan") return std::numeric_limits<double>::quiet_NaN();
        if (name == "device") return deviceArgument();
        if (name == "complex") return complexArgument();
        if (auto constant = torchConstant(name)) return *constant;
        at_ = start;
        fail("an argument");
    }

    Argument list() {
        Argument::List elements;
        if (accept(']')) return elements;
        do elements.push_back(argument());
        while (accept(','));
        expect(']');
        return elements;
    }

    Argument numberArgument() {
        if (text_.substr(at_).starts_with("-inf")) {
            at_ += 4;
            return -std::numeric_limits<double>::infinity();
        }
        auto end = at_ + 1;
        while (end < text_.size() &&
               (std::isdigit(static_cast<unsigned char>(text_[end])) || text_[end] == '.' || text_[end] == 'e' ||
                ((text_[end] == '-' || text_[end] == '+') && text_[end - 1] == 'e')))
            ++end;
        if (text_.substr(at_, end - at_).find_first_of(".e") != std::string_view::npos)
            return number<double>("a number");
        return integer();
    }

    Argument deviceArgument() {
        expect('(');
        Device device{word("a device")};
        expect(')');
        return device;
    }

    Argument complexArgument() {
        expect('(');
        const auto re = number<double>("a number");
        expect(',');
        const auto im = number<double>("a number");
        expect(')');
        return std::complex<double>(re, im);
    }

    static std::optional<Argument> torchConstant(std::string_view text) {
        if (!text.starts_with("torch.")) return std::nullopt;
        if (auto dtype = dtypeFromName(text)) return Argument(*dtype);
        text.remove_prefix(6);
        for (int i = 0; i < 4; ++i)
            if (auto f = static_cast<MemoryFormat>(i); name(f) == text) return Argument(f);
        for (int i = 0; i < 8; ++i)
            if (auto l = static_cast<Layout>(i); name(l) == text) return Argument(l);
        return std::nullopt;
    }

    // --- nodes ---

    void readNode() {
        expect('%');
        const auto start = at_;
        const auto name = word("a node's name");
        if (names_.contains(name)) {
            at_ = start;
            fail("a name that is not defined yet");
        }
        expect(':');
        auto valueType = type();
        expect('=');
        Node* node = readDefinition(name, std::move(valueType));
        names_[name] = node;
        apply(readAttributes(), node);
    }

    Node* readDefinition(const std::string& name, ValueType valueType) {
        const auto op = word("an operation");
        if (op == "placeholder") {
            Role role = Role::none;
            if (accept('(')) {
                const auto start = at_;
                auto known = roleFromName(word("a role"));
                if (!known) {
                    at_ = start;
                    fail("a role such as parameter");
                }
                role = *known;
                expect(')');
            }
            return graph_->addPlaceholder(name, std::move(valueType), role);
        }
        expect('(');
        if (op == "constant") {
            const auto attribute = word("the constant's name");
            expect(')');
            return graph_->addConstant(attribute, std::move(valueType), name);
        }
        std::vector<Argument> args;
        KeywordArguments kwargs;
        if (!accept(')')) {
            do {
                if (auto key = keyword()) kwargs.emplace_back(*key, argument());
                else args.push_back(argument());
            } while (accept(','));
            expect(')');
        }
        return graph_->addCall(op, std::move(args), std::move(kwargs), std::move(valueType), name);
    }

    /// "key=" in front of a keyword argument.
    std::optional<std::string> keyword() {
        skipBlanks();
        auto end = at_;
        while (end < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[end])) || text_[end] == '_')) ++end;
        if (end == at_ || end >= text_.size() || text_[end] != '=') return std::nullopt;
        std::string key(text_.substr(at_, end - at_));
        at_ = end + 1;
        return key;
    }

    void readOutput() {
        std::vector<Argument> values;
        std::vector<OutputSlot> slots;
        expect('[');
        if (!accept(']')) {
            do {
                values.push_back(argument());
                slots.push_back(slot());
            } while (accept(','));
            expect(']');
        }
        apply(readAttributes(), graph_->setOutput(std::move(values), std::move(slots)));
    }

    OutputSlot slot() {
        OutputSlot s;
        if (!accept(':')) return s;
        skipBlanks();
        const auto start = at_;
        auto role = roleFromName(word("an output's role"));
        if (!role) {
            at_ = start;
            fail("a role such as output or gradient");
        }
        s.role = *role;
        skipBlanks();
        if (peek() == '"') s.label = quotedText();
        return s;
    }

    Attributes readAttributes() {
        Attributes a;
        if (!accept(';')) return a;
        while (auto key = keyword()) {
            if (*key == "id") a.id = static_cast<NodeId>(integer());
            else if (*key == "stage") a.stage = word("a stage") == "backward" ? Stage::backward : Stage::forward;
            else if (*key == "label") a.label = quotedText();
            else if (*key == "seq") a.autograd.sequence = integer();
            else if (*key == "keeps") a.autograd.keepsResult = integer() != 0;
            else if (*key == "fn") a.autograd.function = quotedText();
            else if (*key == "forward") a.autograd.forward = static_cast<NodeId>(integer());
            else if (*key == "module") a.source.module = quotedText();
            else if (*key == "type") a.source.moduleType = quotedText();
            else if (*key == "file") a.source.file = quotedText();
            else if (*key == "line") a.source.line = static_cast<std::int32_t>(integer());
            else if (*key == "text") a.source.text = quotedText();
            else fail("a known attribute, not '" + *key + "'");
        }
        return a;
    }

    void apply(Attributes a, Node* node) {
        if (a.id) graph_->setIdentity(node, *a.id);
        node->stage = a.stage;
        node->label = std::move(a.label);
        node->autograd = std::move(a.autograd);
        if (!(a.source == SourceInfo{})) node->source = std::make_shared<SourceInfo>(std::move(a.source));
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::unique_ptr<Graph> graph_;
    std::unordered_map<std::string, Node*> names_;
    SymbolValues hints_;
};

}  // namespace

std::unique_ptr<Graph> parseGraph(std::string_view text) { return Parser(text).run(); }

}  // namespace aotscope
