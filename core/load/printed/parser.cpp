#include "load/printed/parser.h"

#include "load/printed/annotation.h"
#include "load/printed/scanner.h"

#include <algorithm>
#include <map>
#include <set>

namespace aotscope {

namespace {

/// One module with its forward() and the modules nested in it.
class ModuleParser {
public:
    ModuleParser(Scanner& scan, const SymbolHints& hints) : scan_(scan), hints_(hints) {}

    std::unique_ptr<PrintedModule> run() {
        toTheStart();
        auto read = scan_.looksAt("def ") ? bareFunction() : module(0);
        read->graph->setSymbols(symbols());
        return read;
    }

private:
    using Names = std::unordered_map<std::string, Node*>;

    /// What is known of a parameter of forward() before its node is made.
    struct Parameter {
        std::string name, annotation, note;
    };

    /// State while one forward() is read.
    struct Body {
        PrintedModule& module;
        std::vector<Parameter> parameters;
        std::map<std::string, Parameter, std::less<>> declared;  ///< "x: ann" lines of a flattened signature
        bool placed = false;                                     ///< placeholders are nodes already
        Names names;
        std::shared_ptr<const SourceInfo> source;
        std::map<std::string, std::shared_ptr<const SourceInfo>, std::less<>> sources;
    };

    // --- modules ---

    void toTheStart() {
        while (!scan_.atEnd()) {
            const auto line = scan_.restOfLine();
            if (line.ends_with("(torch.nn.Module):") && line.find("class ") != std::string_view::npos) return;
            scan_.skipBlanks();
            if (scan_.looksAt("def forward(")) return;
            scan_.nextLine();
        }
        scan_.fail("'class NAME(torch.nn.Module):' or 'def forward(...)'");
    }

    std::unique_ptr<PrintedModule> bareFunction() {
        auto result = std::make_unique<PrintedModule>();
        result->className = "forward";
        function(*result);
        return result;
    }

    /// Reads from the line of the class to the first line that is indented no further than it.
    std::unique_ptr<PrintedModule> module(int depth) {
        if (depth > Scanner::kDeepest)
            scan_.fail("modules nested at most " + std::to_string(Scanner::kDeepest) + " deep");
        auto result = std::make_unique<PrintedModule>();
        const auto line = scan_.restOfLine();
        const auto word = line.find("class ");
        // The first line may start with the file that defines the class.
        const auto indent = line.find_first_not_of(' ') == word ? word : 0;
        result->className = std::string(line.substr(word + 6, line.rfind("(torch.nn.Module):") - word - 6));
        scan_.nextLine();
        while (toContentBeyond(indent)) {
            scan_.skipBlanks();
            if (scan_.looksAt("def ")) {
                if (result->graph) scan_.fail("one 'def forward(...)' in a class");
                function(*result);
            } else if (scan_.looksAt("class ")) {
                scan_.toLineStart();
                result->nested.push_back(module(depth + 1));
            } else if (scan_.looksAt("#")) {
                scan_.nextLine();
            } else {
                scan_.fail("'def forward(...)' or a nested class");
            }
        }
        if (!result->graph) scan_.fail("'def forward(...)' in class " + result->className);
        return result;
    }

    /// Skips blank lines; whether the next line is indented further than `indent`.
    bool toContentBeyond(std::size_t indent) {
        scan_.skipEmptyLines();
        return !scan_.atEnd() && scan_.indentation() > indent;
    }

    // --- forward() ---

    void function(PrintedModule& module) {
        const auto indent = scan_.indentation();
        module.graph = std::make_unique<Graph>(module.className);
        Body body{module, {}, {}, false, {}, nullptr, {}};
        scan_.expect("def");
        scan_.identifier("the function's name");
        signature(body);
        bool returned = false;
        while (!returned && toContentBeyond(indent)) {
            scan_.skipBlanks();
            returned = statement(body);
        }
        if (!returned) scan_.fail("a 'return' at the end of forward()");
    }

    void signature(Body& body) {
        scan_.expect("(");
        for (;;) {
            scan_.skipSpace();
            if (!body.parameters.empty()) body.parameters.back().note = scan_.takeNote();
            if (scan_.accept(")")) break;
            while (scan_.accept("*")) {}
            Parameter parameter;
            parameter.name = scan_.identifier("a parameter's name");
            if (scan_.accept(":")) parameter.annotation = scan_.annotation(",)=");
            if (scan_.accept("=")) scan_.skipTo(",)");
            if (parameter.name != "self") body.parameters.push_back(std::move(parameter));
            scan_.skipSpace();
            if (!scan_.accept(",") && !scan_.looksAt(")")) scan_.fail("',' or ')'");
        }
        if (scan_.accept("->")) scan_.skipTo(":");
        scan_.expect(":");
        scan_.takeNote();
        scan_.nextLine();
        body.module.jointSignature = body.parameters.size() == 2 && body.parameters[0].name == "primals" &&
                                     body.parameters[1].name == "tangents";
    }

    /// The parameters become nodes when the first operation is met: until then aliases and the flattened
    /// signature can still change them.
    void place(Body& body) {
        if (body.placed) return;
        body.placed = true;
        for (const auto& parameter : body.parameters) {
            const auto known = body.declared.find(parameter.name);
            const Parameter& p = known == body.declared.end() ? parameter : known->second;
            if (body.names.contains(parameter.name)) scan_.fail("a parameter '" + parameter.name + "' only once");
            const auto annotated = readAnnotation(p.annotation, hints_);
            Node* node = body.module.graph->addPlaceholder(parameter.name, annotated.type);
            noteSymbols(annotated.type);
            if (!p.note.empty()) body.module.inputNotes[node] = p.note;
            body.names[parameter.name] = node;
        }
    }

    /// One line; true for the return statement.
    bool statement(Body& body) {
        if (scan_.looksAt("#")) {
            comment(body, scan_.restOfLine());
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
            place(body);
            returnStatement(body);
            scan_.nextLine();
            return true;
        }
        assignment(body);
        return false;
    }

    void comment(Body& body, std::string_view text) {
        const auto file = text.find("File: ");
        if (file == std::string_view::npos) {
            body.source.reset();
            return;
        }
        auto& known = body.sources[std::string(text)];
        if (!known) known = std::make_shared<SourceInfo>(sourceOf(text.substr(file + 6)));
        body.source = known;
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

    void assignment(Body& body) {
        const auto start = scan_.position();
        const std::string name = scan_.identifier("a statement");
        if (scan_.accept(",")) return unpack(body, name);
        std::string annotation;
        if (scan_.accept(":")) {
            annotation = scan_.annotation("=;\n#");
            if (!scan_.looksAt("=")) return declaration(body, name, annotation);
        }
        if (const auto op = scan_.inplaceOperator()) {
            place(body);
            Node* left = known(body, name, start);
            Argument right = argument(body);
            scan_.expect(";");
            const std::string target = scan_.identifier("the name of the result");
            if (scan_.accept(":")) annotation = scan_.annotation("=;\n#");
            define(body, target, annotation, "operator." + *op, {left, std::move(right)}, {});
            return scan_.nextLine();
        }
        if (!scan_.accept("=")) scan_.fail("'=' after '" + name + "'");
        if (!body.placed && renames(body, name)) return scan_.nextLine();
        place(body);
        right(body, name, annotation);
        endOfStatement();
    }

    /// Behind a statement: nothing, or ";  x = y = None", which frees values.
    void endOfStatement() {
        if (scan_.accept(";")) {
            do scan_.identifier("a value to free");
            while (scan_.accept("="));
        }
        scan_.skipBlanks();
        if (!scan_.atLineEnd() && !scan_.looksAt("#")) scan_.fail("the end of the statement");
        scan_.nextLine();
    }

    /// "a, b, = fx_pytree.tree_flatten_spec(...)": the names behind a flattened signature.
    void unpack(Body& body, const std::string& first) {
        std::vector<Parameter> parameters{{first, {}, {}}};
        while (!scan_.accept("=")) {
            parameters.push_back({scan_.identifier("a name to unpack into"), {}, {}});
            if (!scan_.accept(",")) scan_.skipBlanks();
        }
        if (body.placed) scan_.fail("the flattened inputs in front of the first operation");
        body.parameters = std::move(parameters);
        scan_.nextLine();
    }

    /// "x: "f32[2]cpu"" of a flattened signature; several may stand in one line.
    void declaration(Body& body, const std::string& name, const std::string& annotation) {
        if (body.placed) scan_.fail("'=' after '" + name + "'");
        scan_.takeNote();
        if (scan_.accept(";")) {
            body.declared[name] = {name, annotation, {}};
            scan_.skipBlanks();
            if (scan_.atLineEnd()) scan_.nextLine();
            return;
        }
        scan_.skipBlanks();
        std::string note;
        if (scan_.looksAt("#")) note = Scanner::noteOf(scan_.restOfLine());
        else if (!scan_.atLineEnd()) scan_.fail("'=', ';' or the end of the line");
        body.declared[name] = {name, annotation, note};
        scan_.nextLine();
    }

    /// "x_1 = input" for a parameter: Python renamed its node.
    bool renames(Body& body, const std::string& name) {
        const auto start = scan_.position();
        scan_.skipBlanks();
        const std::string target = scan_.tryIdentifier();
        scan_.skipBlanks();
        const auto parameter = std::find_if(body.parameters.begin(), body.parameters.end(),
                                            [&](const Parameter& p) { return p.name == target; });
        if (parameter == body.parameters.end() || !scan_.atLineEnd()) {
            scan_.moveTo(start);
            return false;
        }
        if (const auto known = body.declared.find(target); known != body.declared.end()) *parameter = known->second;
        parameter->name = name;
        if (parameter->note.empty()) parameter->note = "name=" + target;
        return true;
    }

    void noteSymbols(const ValueType& type) {
        if (const auto* tensor = type.tensor(); tensor && tensor->symbolic)
            for (const auto* list : {&tensor->symbolic->sizes, &tensor->symbolic->strides})
                for (const SymExpr& e : *list) e.collectSymbols(symbols_);
        if (const auto* scalar = type.scalar(); scalar && scalar->expression)
            scalar->expression->collectSymbols(symbols_);
    }

    /// The symbols that types mention, with the sizes that Python saw. Their ranges are not printed.
    std::vector<Symbol> symbols() const {
        std::vector<Symbol> list;
        for (const auto& name : symbols_)
            if (const auto it = hints_.find(name); it != hints_.end()) list.push_back({name, it->second, 0});
        return list;
    }

    Node* known(const Body& body, const std::string& name, std::size_t at) {
        const auto it = body.names.find(name);
        if (it == body.names.end()) {
            scan_.moveTo(at);
            scan_.fail("a value defined above");
        }
        return it->second;
    }

    void define(Body& body, const std::string& name, const std::string& annotation, std::string op,
                std::vector<Argument> args, KeywordArguments kwargs) {
        const auto annotated = readAnnotation(annotation, hints_);
        finish(body, name, annotation, annotated,
               body.module.graph->addCall(std::move(op), std::move(args), std::move(kwargs), annotated.type, name));
    }

    void defineConstant(Body& body, const std::string& name, const std::string& annotation, const std::string& path) {
        const auto annotated = readAnnotation(annotation, hints_);
        finish(body, name, annotation, annotated, body.module.graph->addConstant(path, annotated.type, name));
    }

    void finish(Body& body, const std::string& name, const std::string& annotation, const AnnotatedType& annotated,
                Node* node) {
        node->source = body.source;
        if (annotated.symbolic && !annotated.expressed) node->label = annotation;
        noteSymbols(annotated.type);
        body.names[name] = node;
    }

    // --- right-hand sides ---

    void right(Body& body, const std::string& name, const std::string& annotation) {
        if (const auto op = scan_.unaryOperator())
            return define(body, name, annotation, "operator." + *op, {argument(body)}, {});
        scan_.skipBlanks();
        if (scan_.looksAt("self.") || scan_.looksAt("getattr(self")) return attribute(body, name, annotation);
        const auto start = scan_.position();
        const std::string word = scan_.tryIdentifier();
        const auto value = body.names.find(word);
        if (!word.empty() && value == body.names.end() && !Scanner::isLiteralWord(word)) {
            scan_.moveTo(start);
            return functionCall(body, name, annotation);
        }
        if (value != body.names.end() && scan_.accept("[")) {
            Argument index = argument(body);
            scan_.expect("]");
            return define(body, name, annotation, getitemName(value->second, index), {value->second, std::move(index)},
                          {});
        }
        if (value != body.names.end() && scan_.accept(".")) return method(body, name, annotation, value->second);
        scan_.moveTo(start);
        Argument left = argument(body);
        if (const auto op = scan_.binaryOperator())
            return define(body, name, annotation, "operator." + *op, {std::move(left), argument(body)}, {});
        Node* same = left.node();
        if (!same) scan_.fail("an operation");
        body.names[name] = same;  // "y = x": another name of it
    }

    void functionCall(Body& body, const std::string& name, const std::string& annotation) {
        const std::string path = scan_.dottedName("an operation");
        auto [args, kwargs] = arguments(body);
        std::string op = operationName(path);
        if (op == "operator.getitem") op = args.size() == 2 ? getitemName(args[0], args[1]) : "Tensor.__getitem__";
        define(body, name, annotation, std::move(op), std::move(args), std::move(kwargs));
    }

    /// An element of what an operation returns is operator.getitem; slicing and the like is an operation itself.
    static std::string getitemName(const Argument& of, const Argument& index) {
        const bool element =
            of.node() && of.node()->kind() == NodeKind::call && index.integer() && *index.integer() >= 0;
        return element ? "operator.getitem" : "Tensor.__getitem__";
    }

    void method(Body& body, const std::string& name, const std::string& annotation, Node* self) {
        const std::string member = scan_.identifier("an attribute or a method");
        if (!scan_.looksAt("(")) return define(body, name, annotation, "builtins.getattr", {self, member}, {});
        auto [args, kwargs] = arguments(body);
        args.insert(args.begin(), self);
        define(body, name, annotation, "Tensor." + member, std::move(args), std::move(kwargs));
    }

    /// "self.layer.weight", "getattr(self.layer, "0").weight": a constant; with "(...)" behind it, a module's call.
    void attribute(Body& body, const std::string& name, const std::string& annotation) {
        const std::string path = attributePath();
        if (!scan_.looksAt("(")) return defineConstant(body, name, annotation, path);
        auto [args, kwargs] = arguments(body);
        std::string target = path;
        std::replace(target.begin(), target.end(), '.', '_');
        define(body, name, annotation, "module." + target, std::move(args), std::move(kwargs));
    }

    std::string attributePath() {
        const Scanner::Nesting nesting(scan_);
        std::string path;
        if (scan_.acceptWord("getattr")) {
            scan_.expect("(");
            path = attributePath();
            scan_.expect(",");
            scan_.skipBlanks();
            path += (path.empty() ? "" : ".") + scan_.quoted();
            scan_.expect(")");
        } else {
            scan_.expect("self");
        }
        while (scan_.accept(".")) path += (path.empty() ? "" : ".") + scan_.identifier("an attribute");
        return path;
    }

    /// "torch.ops.aten.mm.default" -> "aten.mm.default"; of any other path the last two parts.
    static std::string operationName(const std::string& path) {
        constexpr std::string_view ops = "torch.ops.", python = "_operator.";
        if (path.starts_with(ops)) return path.substr(ops.size());
        if (path.starts_with(python)) return path.substr(1);
        const auto last = path.rfind('.');
        if (last == std::string::npos) return "builtins." + path;
        const auto before = last == 0 ? std::string::npos : path.rfind('.', last - 1);
        return before == std::string::npos ? path : path.substr(before + 1);
    }

    // --- arguments ---

    std::pair<std::vector<Argument>, KeywordArguments> arguments(Body& body) {
        std::vector<Argument> args;
        KeywordArguments kwargs;
        scan_.expect("(");
        for (;;) {
            scan_.skipSpace();
            if (scan_.accept(")")) break;
            const auto start = scan_.position();
            const std::string key = scan_.tryIdentifier();
            if (!key.empty() && scan_.accept("=") && !scan_.looksAt("=")) {
                kwargs.emplace_back(key, argument(body));
            } else {
                scan_.moveTo(start);
                args.push_back(argument(body));
            }
            scan_.skipSpace();
            if (!scan_.accept(",") && !scan_.looksAt(")")) scan_.fail("',' or ')'");
        }
        return {std::move(args), std::move(kwargs)};
    }

    Argument argument(Body& body) {
        const Scanner::Nesting nesting(scan_);
        scan_.skipSpace();
        if (scan_.accept("[")) return list(body, "]");
        if (scan_.accept("(")) return tuple(body);
        if (scan_.accept("{")) return dictionary(body);
        if (scan_.looksAt("<")) return scan_.angled();
        if (scan_.atString()) return scan_.quoted();
        if (scan_.atNumber()) return scan_.number();
        const auto start = scan_.position();
        const std::string word = scan_.tryIdentifier();
        if (word.empty()) scan_.fail("an argument");
        if (const auto it = body.names.find(word); it != body.names.end() && !scan_.looksAt(".") && !scan_.looksAt("("))
            return it->second;
        if (scan_.atString()) return scan_.quoted();  // b'...'
        if (auto literal = Scanner::literal(word)) return *literal;
        scan_.moveTo(start);
        return named(body);
    }

    Argument list(Body& body, std::string_view end) {
        Argument::List elements;
        for (;;) {
            scan_.skipSpace();
            if (scan_.accept(end)) return elements;
            elements.push_back(argument(body));
            scan_.skipSpace();
            if (!scan_.accept(",") && !scan_.looksAt(end)) scan_.fail("',' or '" + std::string(end) + "'");
        }
    }

    /// A tuple, or a complex number in parentheses: (1+2j).
    Argument tuple(Body& body) {
        scan_.skipSpace();
        if (const auto number = scan_.parenthesizedComplex()) return *number;
        return list(body, ")");
    }

    /// A list of [key, value] pairs.
    Argument dictionary(Body& body) {
        Argument::List pairs;
        for (;;) {
            scan_.skipSpace();
            if (scan_.accept("}")) return pairs;
            Argument key = argument(body);
            scan_.skipSpace();
            if (scan_.accept(":")) pairs.emplace_back(Argument::List{std::move(key), argument(body)});
            else pairs.push_back(std::move(key));  // a set
            scan_.skipSpace();
            if (!scan_.accept(",") && !scan_.looksAt("}")) scan_.fail("',' or '}'");
        }
    }

    /// Something with a dotted name: a constant of torch, a device, a slice, an operator, any other object.
    Argument named(Body& body) {
        const std::string path = scan_.dottedName("an argument");
        if (auto constant = Scanner::torchConstant(path)) return *constant;
        if (!scan_.looksAt("(")) return operationName(path);
        auto [args, kwargs] = arguments(body);
        const auto text = [](const Argument& a) { return std::get_if<std::string>(&a.value); };
        if (path == "device" || path == "torch.device") return deviceOf(args, kwargs, text);
        Argument::List parts{path};
        parts.insert(parts.end(), args.begin(), args.end());
        for (auto& [key, value] : kwargs) parts.push_back(std::move(value));
        return parts;
    }

    /// device(type='cuda', index=0)
    template <typename Text>
    static Argument deviceOf(const std::vector<Argument>& args, const KeywordArguments& kwargs, Text&& text) {
        Device device;
        std::string index;
        if (!args.empty() && text(args[0])) device.name = *text(args[0]);
        for (const auto& [key, value] : kwargs) {
            if (key == "type" && text(value)) device.name = *text(value);
            if (key == "index" && value.integer()) index = ":" + std::to_string(*value.integer());
        }
        device.name += index;
        return device;
    }

    // --- return ---

    void returnStatement(Body& body) {
        scan_.skipBlanks();
        const bool tree = scan_.accept("pytree.tree_unflatten");
        if (tree) scan_.expect("(");
        leaves(body, true);
        if (tree) {
            scan_.skipSpace();
            scan_.expect(",");
            scan_.skipTo(")");
            scan_.expect(")");
        }
        scan_.skipBlanks();
        if (!scan_.atLineEnd() && !scan_.looksAt("#") && !scan_.looksAt(";")) scan_.fail("the end of the statement");
    }

    void leaf(Body& body, Argument value) {
        body.module.outputs.push_back(std::move(value));
        body.module.outputNotes.emplace_back();
    }

    /// What is returned, containers taken apart. Comments behind the elements of the outermost one are notes.
    void leaves(Body& body, bool outermost) {
        const Scanner::Nesting nesting(scan_);
        scan_.skipSpace();
        const bool dictionary = scan_.looksAt("{");
        const std::string_view end = dictionary ? "}" : scan_.looksAt("[") ? "]" : scan_.looksAt("(") ? ")" : "";
        if (end.empty()) return leaf(body, argument(body));
        scan_.accept(dictionary ? "{" : end == "]" ? "[" : "(");
        for (;;) {
            const auto before = body.module.outputs.size();
            scan_.skipSpace();
            if (scan_.accept(end)) break;
            if (dictionary) {
                argument(body);
                scan_.skipSpace();
                scan_.expect(":");
            }
            leaves(body, false);
            scan_.takeNote();
            scan_.skipSpace();
            if (!scan_.accept(",") && !scan_.looksAt(end)) scan_.fail("',' or '" + std::string(end) + "'");
            scan_.skipSpace();
            const auto note = scan_.takeNote();
            if (outermost && body.module.outputs.size() == before + 1) body.module.outputNotes.back() = note;
        }
    }

    Scanner& scan_;
    const SymbolHints& hints_;
    std::set<std::string> symbols_;
};

}  // namespace

std::size_t PrintedText::lineAt(std::size_t offset) const {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text.size()));
    const auto index = static_cast<std::size_t>(std::count(text.begin(), end, '\n'));
    return lines.empty() ? index + 1 : lines[std::min(index, lines.size() - 1)];
}

std::unique_ptr<PrintedModule> parsePrinted(const PrintedText& text, const SymbolHints& hints) {
    Scanner scan(text);
    return ModuleParser(scan, hints).run();
}

}  // namespace aotscope
