#include "load/printed/syntax/function_parser.h"

#include "load/printed/annotation.h"
#include "load/printed/checkpoint_tag.h"
#include "load/printed/node_comment.h"
#include "load/printed/subclass_meta.h"
#include "load/printed/syntax/expression_parser.h"
#include "load/printed/syntax/function_inputs.h"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <memory_resource>
#include <unordered_map>

namespace aotscope {

namespace {

class FunctionParser {
public:
    FunctionParser(Scanner& scan, const SymbolHints& hints, PrintedModule& module, std::set<std::string>& symbols)
        : scan_(scan), hints_(hints), module_(module), symbols_(symbols), inputs_(scan), expressions_(scan, names_) {}

    void run() {
        const auto indent = scan_.indentation();
        module_.graph = std::make_unique<Graph>(module_.className);
        scan_.expect("def");
        scan_.identifier("the function's name");
        inputs_.readSignature();
        module_.jointSignature = inputs_.isJoint();
        bool returned = false;
        while (!returned && scan_.toContentBeyond(indent)) {
            scan_.skipBlanks();
            returned = statement();
        }
        if (!returned) scan_.fail("a 'return' at the end of forward()");
    }

private:
    /// Turns the parameters into nodes, before the first operation.
    void place() {
        if (inputs_.closed()) return;
        for (const Parameter& parameter : inputs_.close()) {
            if (names_.contains(parameter.name)) scan_.fail("a parameter '" + parameter.name + "' only once");
            const AnnotatedType& annotated = typeOf(parameter.annotation);
            Node* node = module_.graph->addPlaceholder(parameter.name, annotated.type);
            noteSymbols(annotated.type, symbols_);
            noteUnsized(parameter.name, parameter.annotation, annotated);
            if (annotated.unstrided) module_.unstrided.push_back(node);
            if (annotatesSubclass(parameter.annotation)) node->source = withNote(nullptr, parameter.annotation);
            if (!parameter.note.empty()) module_.inputNotes[node] = parameter.note;
            name(parameter.name, node);
        }
    }

    /// One line; true for the return statement.
    bool statement() {
        if (scan_.looksAt("#")) {
            comment(scan_.restOfLine());
            scan_.nextLine();
            return false;
        }
        if (scan_.looksAt("\"\"\"")) {
            scan_.skipBlock("\"\"\"");
            return false;
        }
        if (scan_.acceptWord("pass")) {
            scan_.nextLine();
            return false;
        }
        if (scan_.acceptWord("return")) {
            place();
            returnStatement();
            scan_.nextLine();
            return true;
        }
        assignment();
        return false;
    }

    /// "# Annotation: {'stage': 0} ac_graph_id: 2 - MUST_SAVE File: /path/x.py:12 in forward, code: y = self.l(x)"
    void comment(std::string_view text) {
        const auto file = text.find("File: ");
        const auto tags = text.substr(0, file);
        checkpoint_ = checkpointTagIn(tags);
        about_ = readNodeComment(tags);
        const std::string annotation = about_.module.empty() ? annotationIn(tags) : std::string();
        const auto place = file == std::string_view::npos ? std::string_view() : text.substr(file + 6);
        if (place.empty() && annotation.empty() && about_.module.empty()) {
            source_.reset();
            return;
        }
        auto& known = sources_[about_.module + '\n' + annotation + '\n' + std::string(place)];
        if (!known) {
            SourceInfo source = place.empty() ? SourceInfo() : sourceOf(place);
            if (!annotation.empty()) source.text += (source.text.empty() ? "# " : "  # ") + annotation;
            source.module = about_.module;
            known = std::make_shared<const SourceInfo>(std::move(source));
        }
        source_ = known;
    }

    /// The node annotations of torch.fx.traceback.annotate: "{'stage': 0}".
    static std::string annotationIn(std::string_view tags) {
        constexpr std::string_view key = " Annotation: ";
        const auto at = tags.find(key);
        if (at == std::string_view::npos) return {};
        auto text = tags.substr(at + key.size());
        for (const std::string_view next : {" ac_graph_id: ", " recompute: ", " No stacktrace"})
            text = text.substr(0, text.find(next));
        while (text.ends_with(' ')) text.remove_suffix(1);
        return std::string(text);
    }

    /// "/path/x.py:12 in forward, code: y = self.l(x)"
    static SourceInfo sourceOf(std::string_view text) {
        SourceInfo source;
        const auto code = text.find(", code: ");
        if (code != std::string_view::npos) source.text = std::string(text.substr(code + 8));
        const auto in = text.substr(0, code).find(" in ");
        auto place = text.substr(0, std::min(in, code));
        if (const auto colon = place.rfind(':'); colon != std::string_view::npos) {
            for (const char c : place.substr(colon + 1))
                if (c >= '0' && c <= '9' && source.line < 100'000'000) source.line = source.line * 10 + (c - '0');
            place = place.substr(0, colon);
        }
        source.file = std::string(place);
        return source;
    }

    // --- statements ---

    void assignment() {
        const auto start = scan_.position();
        const std::string name = scan_.identifier("a statement");
        if (scan_.accept(",")) return inputs_.unpack(name);
        std::string annotation;
        if (scan_.accept(":")) {
            annotation = scan_.annotation("=;\n#");
            if (!scan_.looksAt("=")) return inputs_.declare(name, annotation);
        }
        if (const auto op = scan_.inplaceOperator()) {
            place();
            return written("operator." + *op, {known(name, start)});
        }
        if (scan_.accept("[")) {  // x[0] = 3
            place();
            std::vector<Argument> of = {known(name, start), expressions_.argument()};
            scan_.expect("]");
            scan_.expect("=");
            return written("operator.setitem", std::move(of));
        }
        if (!scan_.accept("=")) scan_.fail("'=' after '" + name + "'");
        if (!inputs_.closed() && inputs_.rename(name)) return scan_.nextLine();
        place();
        expressions_.define(name);
        right(name, annotation);
        endOfStatement();
    }

    /// The rest of "x += 1;  iadd: "f32[2]" = x;  x = None", which defines the name after the first semicolon.
    void written(std::string op, std::vector<Argument> arguments) {
        arguments.push_back(expressions_.argument());
        scan_.expect(";");
        const std::string target = scan_.identifier("the name of the result");
        const std::string annotation = scan_.accept(":") ? scan_.annotation("=;\n#") : std::string();
        define(target, annotation, std::move(op), std::move(arguments), {});
        scan_.nextLine();
    }

    /// After a statement: nothing, or ";  x = y = None", which frees values.
    void endOfStatement() {
        if (scan_.accept(";")) {
            do scan_.identifier("a value to free");
            while (scan_.accept("="));
        }
        scan_.skipBlanks();
        if (!scan_.atLineEnd() && !scan_.looksAt("#")) scan_.fail("the end of the statement");
        scan_.nextLine();
    }

    /// Sets the text's name for a value; the graph may use a different name.
    void name(const std::string& text, Node* node) {
        const std::string_view key =
            node->name() == text ? std::string_view(node->name()) : otherNames_.emplace_back(text);
        names_.insert_or_assign(key, node);
    }

    Node* known(const std::string& name, std::size_t at) {
        const auto it = names_.find(name);
        if (it == names_.end()) {
            scan_.moveTo(at);
            scan_.fail("a value defined above");
        }
        return it->second;
    }

    /// Large graphs have few distinct types.
    const AnnotatedType& typeOf(const std::string& annotation) {
        const auto known = types_.find(annotation);
        if (known != types_.end()) return known->second;
        return types_.emplace(annotation, readAnnotation(annotation, hints_)).first->second;
    }

    void define(const std::string& name, const std::string& annotation, std::string op, std::vector<Argument> args,
                KeywordArguments kwargs) {
        const AnnotatedType& annotated = typeOf(annotation);
        finish(name, annotation, annotated,
               module_.graph->addCall(std::move(op), std::move(args), std::move(kwargs), annotated.type, name));
    }

    void defineConstant(const std::string& name, const std::string& annotation, const std::string& path) {
        const AnnotatedType& annotated = typeOf(annotation);
        finish(name, annotation, annotated, module_.graph->addConstant(path, annotated.type, name));
    }

    void finish(const std::string& name, const std::string& annotation, const AnnotatedType& annotated, Node* node) {
        node->source = annotatesSubclass(annotation) ? withNote(source_, annotation) : source_;
        node->checkpoint = checkpoint_;
        node->autograd.sequence = about_.sequence;
        if (about_.backward) node->stage = Stage::backward;
        if (annotated.symbolic && !annotated.expressed) node->label = annotation;
        noteSymbols(annotated.type, symbols_);
        noteUnsized(name, annotation, annotated);
        if (annotated.unstrided) module_.unstrided.push_back(node);
        this->name(name, node);
    }

    /// The place, with other printed information as a comment after its code: the placements of a DTensor.
    std::shared_ptr<const SourceInfo> withNote(const std::shared_ptr<const SourceInfo>& place,
                                               const std::string& note) {
        auto& known = noted_[{place, note}];
        if (known) return known;
        SourceInfo source = place ? *place : SourceInfo();
        source.text += (source.text.empty() ? "# " : "  # ") + note;
        return known = std::make_shared<const SourceInfo>(std::move(source));
    }

    void noteUnsized(const std::string& name, const std::string& annotation, const AnnotatedType& annotated) {
        if (annotated.symbolic && !annotated.type.known()) module_.unsized[name] = annotation;
    }

    // --- right-hand sides ---

    void right(const std::string& name, const std::string& annotation) {
        if (const auto op = scan_.unaryOperator())
            return define(name, annotation, "operator." + *op, {expressions_.argument()}, {});
        scan_.skipBlanks();
        if (scan_.looksAt("self.") || scan_.looksAt("getattr(self")) return attribute(name, annotation);
        const auto start = scan_.position();
        const std::string word = scan_.tryIdentifier();
        const auto value = names_.find(word);
        if (!word.empty() && value == names_.end() && !Scanner::isLiteralWord(word)) {
            scan_.moveTo(start);
            return functionCall(name, annotation);
        }
        if (value != names_.end() && scan_.accept("[")) {
            Argument index = expressions_.argument();
            scan_.expect("]");
            std::string op = getitemName(value->second, index);
            return define(name, annotation, std::move(op), {value->second, std::move(index)}, {});
        }
        if (value != names_.end() && scan_.accept(".")) return method(name, annotation, value->second);
        scan_.moveTo(start);
        Argument left = expressions_.argument();
        if (const auto op = scan_.binaryOperator())
            return define(name, annotation, "operator." + *op, {std::move(left), expressions_.argument()}, {});
        Node* same = left.node();
        if (!same) scan_.fail("an operation");
        this->name(name, same);  // "y = x": another name for it
    }

    void functionCall(const std::string& name, const std::string& annotation) {
        const std::string path = scan_.dottedName("an operation");
        auto [args, kwargs] = expressions_.arguments();
        std::string op = ExpressionParser::operationName(path);
        if (op == "operator.getitem") op = args.size() == 2 ? getitemName(args[0], args[1]) : "Tensor.__getitem__";
        define(name, annotation, std::move(op), std::move(args), std::move(kwargs));
    }

    /// An element of an operation's results is operator.getitem; slicing and the like is an operation itself.
    static std::string getitemName(const Argument& of, const Argument& index) {
        const bool element =
            of.node() && of.node()->kind() == NodeKind::call && index.integer() && *index.integer() >= 0;
        return element ? "operator.getitem" : "Tensor.__getitem__";
    }

    void method(const std::string& name, const std::string& annotation, Node* self) {
        const std::string member = scan_.identifier("an attribute or a method");
        if (!scan_.looksAt("(")) return define(name, annotation, "builtins.getattr", {self, member}, {});
        auto [args, kwargs] = expressions_.arguments();
        args.insert(args.begin(), self);
        define(name, annotation, "Tensor." + member, std::move(args), std::move(kwargs));
    }

    /// "self.layer.weight", "getattr(self.layer, "0").weight": a constant; followed by "(...)", a call of a module.
    void attribute(const std::string& name, const std::string& annotation) {
        const std::string path = expressions_.attributePath();
        if (!scan_.looksAt("(")) return defineConstant(name, annotation, path);
        auto [args, kwargs] = expressions_.arguments();
        std::string target = path;
        std::replace(target.begin(), target.end(), '.', '_');
        define(name, annotation, "module." + target, std::move(args), std::move(kwargs));
    }

    // --- return ---

    void returnStatement() {
        scan_.skipBlanks();
        const bool tree = scan_.accept("pytree.tree_unflatten");
        if (tree) scan_.expect("(");
        leaves(true);
        if (tree) {
            scan_.skipSpace();
            scan_.expect(",");
            scan_.skipTo(")");
            scan_.expect(")");
        }
        scan_.skipBlanks();
        if (!scan_.atLineEnd() && !scan_.looksAt("#") && !scan_.looksAt(";")) scan_.fail("the end of the statement");
    }

    void leaf(Argument value) {
        module_.outputs.push_back(std::move(value));
        module_.outputNotes.emplace_back();
    }

    /// Flattens what is returned. Comments after the elements of the outermost container are notes.
    void leaves(bool outermost) {
        const Scanner::Nesting nesting(scan_);
        scan_.skipSpace();
        const bool dictionary = scan_.looksAt("{");
        const std::string_view end = dictionary ? "}" : scan_.looksAt("[") ? "]" : scan_.looksAt("(") ? ")" : "";
        if (end.empty()) return leaf(expressions_.argument());
        scan_.accept(dictionary ? "{" : end == "]" ? "[" : "(");
        for (;;) {
            const auto before = module_.outputs.size();
            scan_.skipSpace();
            if (scan_.accept(end)) break;
            if (dictionary) {
                expressions_.argument();
                scan_.skipSpace();
                scan_.expect(":");
            }
            leaves(false);
            scan_.takeNote();
            scan_.skipSpace();
            if (!scan_.accept(",") && !scan_.looksAt(end)) scan_.fail("',' or '" + std::string(end) + "'");
            scan_.skipSpace();
            const auto note = scan_.takeNote();
            if (outermost && module_.outputs.size() == before + 1) module_.outputNotes.back() = note;
        }
    }

    Scanner& scan_;
    const SymbolHints& hints_;
    PrintedModule& module_;
    std::set<std::string>& symbols_;
    FunctionInputs inputs_;
    std::pmr::monotonic_buffer_resource arena_;  ///< for `names_`
    std::deque<std::string> otherNames_;
    ExpressionParser::Names names_{&arena_};
    ExpressionParser expressions_;
    std::shared_ptr<const SourceInfo> source_;
    CheckpointTag checkpoint_;
    NodeComment about_;
    std::unordered_map<std::string, std::shared_ptr<const SourceInfo>> sources_;
    /// By location and note.
    std::map<std::pair<std::shared_ptr<const SourceInfo>, std::string>, std::shared_ptr<const SourceInfo>> noted_;
    std::unordered_map<std::string, AnnotatedType> types_;
};

}  // namespace

void noteSymbols(const ValueType& type, std::set<std::string>& symbols) {
    if (const auto* tensor = type.tensor(); tensor && tensor->symbolic)
        for (const auto* list : {&tensor->symbolic->sizes, &tensor->symbolic->strides})
            for (const SymExpr& e : *list) e.collectSymbols(symbols);
    if (const auto* scalar = type.scalar(); scalar && scalar->expression) scalar->expression->collectSymbols(symbols);
}

void parseFunction(Scanner& scan, const SymbolHints& hints, PrintedModule& module, std::set<std::string>& symbols) {
    FunctionParser(scan, hints, module, symbols).run();
}

}  // namespace aotscope
