#include "load/printed/parser.h"

#include "load/printed/annotation.h"
#include "load/printed/syntax/function_parser.h"
#include "load/printed/syntax/graph_start.h"
#include "load/printed/syntax/load_args.h"
#include "load/printed/syntax/node_list.h"
#include "load/printed/syntax/scanner.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>

namespace aotscope {

namespace {

/// One module with its forward() and the modules nested in it.
class ModuleParser {
public:
    ModuleParser(Scanner& scan, const SymbolHints& hints) : scan_(scan), hints_(hints) {}

    std::unique_ptr<PrintedModule> run() {
        toTheStart();
        const auto text = scan_.rest();
        auto read = scan_.looksAt("def ") ? bareFunction() : module(0);
        read->signature = readExportSignature(scan_.rest());
        takeLoaded(readLoadArgs(text), *read);
        read->graph->setSymbols(symbols());
        return read;
    }

private:
    void toTheStart() {
        while (!scan_.atEnd()) {
            if (isClassLine(scan_.restOfLine())) return;
            scan_.skipBlanks();
            if (scan_.looksAt("def forward(")) return;
            scan_.nextLine();
        }
        scan_.fail("'class NAME(torch.nn.Module):' or 'def forward(...)'");
    }

    std::unique_ptr<PrintedModule> bareFunction() {
        auto result = std::make_unique<PrintedModule>();
        result->className = "forward";
        parseFunction(scan_, hints_, *result, symbols_);
        return result;
    }

    /// Reads from the line of the class to the first line that is not indented more.
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
        while (scan_.toContentBeyond(indent)) {
            scan_.skipBlanks();
            if (scan_.looksAt("def ") && !scan_.looksAt("def forward(")) {
                skipFunction();
            } else if (scan_.looksAt("def ")) {
                if (result->graph) scan_.fail("one 'def forward(...)' in a class");
                parseFunction(scan_, hints_, *result, symbols_);
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

    /// "def __init__(self):"
    void skipFunction() {
        const auto indent = scan_.indentation();
        scan_.nextLine();
        while (scan_.toContentBeyond(indent)) scan_.nextLine();
    }

    /// Sets types that are not printed from what a repro script loads.
    void takeLoaded(const LoadArgs& loaded, PrintedModule& read) {
        hints_.insert(loaded.hints.begin(), loaded.hints.end());
        const auto inputs = read.graph->placeholders();
        std::unordered_map<std::string_view, Node*> named;
        for (Node* node : inputs) named.emplace(node->name(), node);
        std::size_t next = 0;
        for (const LoadedInput& input : loaded.inputs) {
            const auto known = named.find(input.name);
            if (input.name.empty() && next < inputs.size()) takeType(*inputs[next++], input.annotation, read);
            else if (known != named.end()) takeType(*known->second, input.annotation, read);
        }
        std::unordered_map<std::string_view, std::string_view> constants;
        for (const LoadedInput& constant : loaded.constants) constants.emplace(constant.name, constant.annotation);
        if (constants.empty()) return;
        for (Node* node : read.graph->nodes())
            if (const auto it = constants.find(node->op()); node->kind() == NodeKind::constant && it != constants.end())
                takeType(*node, it->second, read);
    }

    void takeType(Node& node, std::string_view annotation, PrintedModule& read) {
        if (node.type.known()) return;
        const AnnotatedType annotated = readAnnotation(annotation, hints_);
        node.type = annotated.type;
        read.loaded = true;
        noteSymbols(annotated.type, symbols_);
        if (annotated.symbolic && !annotated.type.known()) read.unsized[node.name()] = annotation;
    }

    /// The symbols in types, with the sizes that Python saw. Their ranges are not printed.
    std::vector<Symbol> symbols() const {
        std::vector<Symbol> list;
        for (const auto& name : symbols_)
            if (const auto it = hints_.find(name); it != hints_.end()) list.push_back({name, it->second, 0});
        return list;
    }

    Scanner& scan_;
    SymbolHints hints_;
    std::set<std::string> symbols_;
};

}  // namespace

std::size_t PrintedText::lineAt(std::size_t offset) const {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text.size()));
    const auto index = static_cast<std::size_t>(std::count(text.begin(), end, '\n'));
    return lines.empty() ? index + 1 : lines[std::min(index, lines.size() - 1)];
}

std::unique_ptr<PrintedModule> parsePrinted(const PrintedText& text, const SymbolHints& hints) {
    if (isNodeList(text.text)) {
        const PrintedText code = codeOfNodeList(text);
        Scanner scan(code);
        return ModuleParser(scan, hints).run();
    }
    Scanner scan(text);
    return ModuleParser(scan, hints).run();
}

}  // namespace aotscope
