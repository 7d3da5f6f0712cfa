#include "ir/parser.h"

#include "ir/subgraphs.h"
#include "ir/type_reader.h"
#include "support/quoted.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace aotscope {

namespace {

/// Recursive descent over the text; `names_` holds the nodes read so far.
class Parser : private TypeReader {
public:
    using TypeReader::TypeReader;

    std::unique_ptr<Graph> run() {
        expectWord("graph");
        skipBlanks();
        const std::string name = graphName();
        auto whole = std::make_unique<Graph>(name);
        graph_ = whole.get();
        path_ = name;
        readGraph();
        while (accept("graph")) readSubgraph();
        skipSpace();
        if (!atEnd()) fail("the end of the text after 'return [...]'");
        if (!awaited_.empty()) fail("the graph '" + awaited_.begin()->first + "', which the text refers to");
        return whole;
    }

private:
    struct Attributes {
        std::optional<NodeId> id;
        Stage stage = Stage::forward;
        std::string label;
        AutogradLink autograd;
        CheckpointTag checkpoint;
        SourceInfo source;
    };

    /// From after its name to the end of its 'return'.
    void readGraph() {
        names_.clear();
        own_.clear();
        ids_.clear();
        if (accept("where")) graph_->setSymbols(symbols());
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
    }

    /// A graph used by an earlier one.
    void readSubgraph() {
        skipBlanks();
        const auto start = at_;
        const std::string path = graphName();
        const auto it = awaited_.find(path);
        if (it == awaited_.end()) {
            at_ = start;
            fail("a graph that one above takes as an argument");
        }
        read_ = std::move(it->second);
        awaited_.erase(it);
        graph_ = read_.get();
        path_ = path;
        readGraph();
    }

    /// "@true_graph_0": its text follows later.
    Argument subgraph() {
        const std::string name = word("a graph's name");
        const auto [it, isNew] = own_.try_emplace(name);
        if (isNew) {
            if (std::count(path_.begin(), path_.end(), '.') >= kDeepestSubgraph)
                fail("graphs nested at most " + std::to_string(kDeepestSubgraph) + " deep");
            it->second = awaited_[path_ + "." + name] = std::make_shared<Graph>(name);
        }
        return Argument::Subgraph(it->second);
    }

    /// Names of graphs may contain dashes: "forward-traced".
    std::string graphName() {
        const auto start = at_;
        while (isWord(peek()) || peek() == '-') ++at_;
        if (at_ == start) fail("the graph's name");
        return std::string(text_.substr(start, at_ - start));
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
        if (accept('@')) return subgraph();
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
        enter();
        do elements.push_back(argument());
        while (accept(','));
        expect(']');
        leave();
        return elements;
    }

    Argument numberArgument() {
        if (looksAt("-inf")) {
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

    /// "key=" before a keyword argument.
    std::optional<std::string> keyword() {
        skipBlanks();
        auto end = at_;
        while (end < text_.size() && isNamePart(text_[end])) ++end;
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

    SavedOutput savedOutput() {
        const std::string how = word("detached or aliased");
        if (how != "detached" && how != "aliased") fail("detached or aliased, not " + inQuotes(how));
        return how == "detached" ? SavedOutput::detached : SavedOutput::aliased;
    }

    CheckpointPolicy checkpointPolicy() {
        const std::string policyName = word("a checkpoint policy");
        const auto policy = checkpointPolicyFromName(policyName);
        if (!policy) fail("a checkpoint policy such as MUST_SAVE, not " + inQuotes(policyName));
        return *policy;
    }

    template <typename T>
    T within(T low = std::numeric_limits<T>::min(), T high = std::numeric_limits<T>::max()) {
        const auto value = integer();
        if (value < low || value > high)
            fail("a number from " + std::to_string(low) + " to " + std::to_string(high) + ", not " +
                 std::to_string(value));
        return static_cast<T>(value);
    }

    Attributes readAttributes() {
        Attributes a;
        if (!accept(';')) return a;
        while (auto key = keyword()) {
            if (*key == "id") a.id = within<NodeId>(0, kFirstInnerId);
            else if (*key == "stage") a.stage = word("a stage") == "backward" ? Stage::backward : Stage::forward;
            else if (*key == "label") a.label = quotedText();
            else if (*key == "seq") a.autograd.sequence = integer();
            else if (*key == "kept") a.autograd.savedOutput = savedOutput();
            else if (*key == "fn") a.autograd.function = quotedText();
            else if (*key == "forward") a.autograd.forward = within<NodeId>(kNoNode, kFirstInnerId);
            else if (*key == "recompute") a.checkpoint.policy = checkpointPolicy();
            else if (*key == "region") a.checkpoint.region = within<std::int32_t>();
            else if (*key == "module") a.source.module = quotedText();
            else if (*key == "type") a.source.moduleType = quotedText();
            else if (*key == "file") a.source.file = quotedText();
            else if (*key == "line") a.source.line = within<std::int32_t>();
            else if (*key == "text") a.source.text = quotedText();
            else fail("a known attribute, not " + inQuotes(*key));
        }
        return a;
    }

    void apply(Attributes a, Node* node) {
        if (a.id) graph_->setIdentity(node, *a.id);
        if (!ids_.insert(node->id()).second) fail("another id than " + std::to_string(node->id()) + ", which is taken");
        node->stage = a.stage;
        node->label = std::move(a.label);
        node->autograd = std::move(a.autograd);
        node->checkpoint = a.checkpoint;
        if (!(a.source == SourceInfo{})) node->source = std::make_shared<SourceInfo>(std::move(a.source));
    }

    Graph* graph_ = nullptr;  ///< the one being read
    std::unordered_set<NodeId> ids_;
    std::string path_;  ///< its name, prefixed by those of its owners
    std::shared_ptr<Graph> read_;
    std::unordered_map<std::string, Node*> names_;
    std::unordered_map<std::string, std::shared_ptr<Graph>> own_;  ///< subgraphs of the graph, by name
    std::map<std::string, std::shared_ptr<Graph>> awaited_;        ///< by path: those whose text follows later
};

}  // namespace

std::unique_ptr<Graph> parseGraph(std::string_view text) { return Parser(text).run(); }

}  // namespace aotscope
