#include "load/printed/syntax/expression_parser.h"

namespace aotscope {

namespace {

/// device(type='cuda', index=0)
Argument deviceOf(const std::vector<Argument>& args, const KeywordArguments& kwargs) {
    const auto text = [](const Argument& a) { return std::get_if<std::string>(&a.value); };
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

/// Whether a line of `text` defines `word`: "word = ...", "word: "f32[2]" = ...".
bool isDefinedIn(std::string_view text, std::string_view word) {
    for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        const auto before = text.substr(0, at).find_last_not_of(' ');
        const auto behind = text.substr(at + word.size());
        const bool first = before != std::string_view::npos && text[before] == '\n';
        if (first && (behind.starts_with(" = ") || behind.starts_with(": "))) return true;
    }
    return false;
}

}  // namespace

std::string ExpressionParser::operationName(const std::string& path) {
    constexpr std::string_view ops = "torch.ops.", python = "_operator.";
    if (path.starts_with(ops)) return path.substr(ops.size());
    if (path.starts_with(python)) return path.substr(1);
    const auto last = path.rfind('.');
    if (last == std::string::npos) return "builtins." + path;
    const auto before = last == 0 ? std::string::npos : path.rfind('.', last - 1);
    return before == std::string::npos ? path : path.substr(before + 1);
}

Argument ExpressionParser::argument() {
    const Scanner::Nesting nesting(scan_);
    scan_.skipSpace();
    if (scan_.accept("[")) return list("]");
    if (scan_.accept("(")) return tuple();
    if (scan_.accept("{")) return dictionary();
    if (scan_.looksAt("<")) return scan_.angled();
    if (scan_.atString()) return scan_.quoted();
    if (scan_.atNumber()) return scan_.number();
    const auto start = scan_.position();
    const std::string word = scan_.tryIdentifier();
    if (word.empty()) scan_.fail("an argument");
    if (const auto it = names_.find(word); it != names_.end() && !scan_.looksAt(".") && !scan_.looksAt("("))
        return it->second;
    if (scan_.atString()) return scan_.quoted();  // b'...'
    if (auto literal = Scanner::literal(word)) return *literal;
    scan_.moveTo(start);
    return named();
}

std::pair<std::vector<Argument>, KeywordArguments> ExpressionParser::arguments() {
    std::vector<Argument> args;
    KeywordArguments kwargs;
    scan_.expect("(");
    scan_.readElements(")", [&] {
        const auto start = scan_.position();
        const std::string key = scan_.tryIdentifier();
        if (!key.empty() && scan_.accept("=") && !scan_.looksAt("=")) {
            kwargs.emplace_back(key, argument());
        } else {
            scan_.moveTo(start);
            args.push_back(argument());
        }
    });
    return {std::move(args), std::move(kwargs)};
}

std::string ExpressionParser::attributePath() {
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

Argument ExpressionParser::list(std::string_view end) {
    Argument::List elements;
    scan_.readElements(end, [&] { elements.push_back(argument()); });
    return elements;
}

Argument ExpressionParser::tuple() {
    scan_.skipSpace();
    if (const auto number = scan_.parenthesizedComplex()) return *number;
    return list(")");
}

Argument ExpressionParser::dictionary() {
    Argument::List pairs;
    scan_.readElements("}", [&] {
        Argument key = argument();
        scan_.skipSpace();
        if (scan_.accept(":")) pairs.emplace_back(Argument::List{std::move(key), argument()});
        else pairs.push_back(std::move(key));  // a set
    });
    return pairs;
}

Argument ExpressionParser::named() {
    const auto start = scan_.position();
    const std::string path = scan_.dottedName("an argument");
    if (auto constant = Scanner::torchConstant(path)) return *constant;
    constexpr int mostLookedFor = 100;  // each requires a search in the rest of the text
    const bool word = !scan_.looksAt("(") && path.find('.') == std::string::npos;
    if (word && (path == defined_ || (unknownWords_++ < mostLookedFor && isDefinedIn(scan_.rest(), path)))) {
        scan_.moveTo(start);
        scan_.fail("a value that is defined above");
    }
    if (!scan_.looksAt("(")) return operationName(path);
    auto [args, kwargs] = arguments();
    if (path == "device" || path == "torch.device") return deviceOf(args, kwargs);
    Argument::List parts{path};
    parts.insert(parts.end(), args.begin(), args.end());
    for (auto& [key, value] : kwargs) parts.push_back(std::move(value));
    return parts;
}

}  // namespace aotscope
