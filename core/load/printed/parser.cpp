#include "load/printed/parser.h"

#include "load/printed/function_parser.h"
#include "load/printed/scanner.h"

#include <algorithm>
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
        read->signature = readExportSignature(scan_.rest());
        return read;
    }

private:
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
        parseFunction(scan_, hints_, *result, symbols_);
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
        while (scan_.toContentBeyond(indent)) {
            scan_.skipBlanks();
            if (scan_.looksAt("def ")) {
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

    /// The symbols that types mention, with the sizes that Python saw. Their ranges are not printed.
    std::vector<Symbol> symbols() const {
        std::vector<Symbol> list;
        for (const auto& name : symbols_)
            if (const auto it = hints_.find(name); it != hints_.end()) list.push_back({name, it->second, 0});
        return list;
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
