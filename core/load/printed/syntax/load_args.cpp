#include "load/printed/syntax/load_args.h"

#include "ir/types.h"
#include "load/printed/text_parts.h"
#include "support/trimmed.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

namespace aotscope {

namespace {

constexpr std::size_t kMostLoaded = 1'000'000;

/// "f16" for "torch.float16"
std::string loadedDType(std::string_view dtype) {
    const auto known = dtypeFromName(dtype);
    return std::string(known ? shortName(*known) : dtype);
}

/// 'text' without its quotes.
std::string_view unquoted(std::string_view text) {
    const bool quoted = text.size() > 1 && (text.front() == '\'' || text.front() == '"') && text.back() == text.front();
    return quoted ? text.substr(1, text.size() - 2) : text;
}

/// "cuda:0" for "device(type='cuda', index=0)"
std::string loadedDevice(std::string_view text) {
    const auto open = text.find('(');
    if (open == std::string_view::npos || !text.ends_with(')')) return std::string(unquoted(text));
    std::string device, index;
    for (auto part : splitOutside(text.substr(open + 1, text.size() - open - 2))) {
        if (part.starts_with("index=")) index = ":" + std::string(part.substr(6));
        else device = unquoted(part.starts_with("type=") ? part.substr(5) : part);
    }
    return device + index;
}

/// A statement "... reader.WHAT(...)  # NAME" in the function.
struct LoaderCall {
    std::string_view variable;  ///< before " = ", or empty
    std::string_view what;
    std::vector<std::string_view> arguments;
    std::map<std::string_view, std::string_view> named;
    std::string_view comment;
};

std::optional<LoaderCall> callIn(std::string_view line) {
    constexpr std::string_view reader = "reader.";
    const auto start = line.find(reader), open = line.find('(', start);
    if (start == std::string_view::npos || open == std::string_view::npos) return std::nullopt;
    const auto close = findOutside(line, ')', open + 1);
    if (close == std::string_view::npos) return std::nullopt;
    LoaderCall call;
    call.variable = trimmed(line.substr(0, std::min(line.find('='), start)));
    call.what = line.substr(start + reader.size(), open - start - reader.size());
    for (const auto part : splitOutside(line.substr(open + 1, close - open - 1))) {
        const auto equals = findOutside(part, '=');
        if (equals == std::string_view::npos) call.arguments.push_back(part);
        else call.named[part.substr(0, equals)] = part.substr(equals + 1);
    }
    const auto hash = line.find("# ", close);
    if (hash != std::string_view::npos) call.comment = trimmed(line.substr(hash + 2));
    return call;
}

/// "[64, 16]" for "(64, 16)"
std::string inBrackets(std::string_view tuple) {
    if (tuple.starts_with('(') && tuple.ends_with(')')) tuple = tuple.substr(1, tuple.size() - 2);
    std::string list;
    for (const auto part : splitOutside(tuple)) list += (list.empty() ? "" : ", ") + std::string(part);
    return "[" + list + "]";
}

/// "f32[4, 5][5, 1]cpu" for "(4, 5), (5, 1), torch.float32, 'cpu'"
std::string stridedType(std::string_view arguments) {
    const auto parts = splitOutside(arguments);
    if (parts.size() < 4) return {};
    return loadedDType(parts[2]) + inBrackets(parts[0]) + inBrackets(parts[1]) + loadedDevice(parts[3]);
}

/// The text after `words` up to a quote, comma or parenthesis, without quotes.
std::string_view wordBehind(std::string_view line, std::string_view words) {
    const auto at = line.find(words);
    if (at == std::string_view::npos) return {};
    auto word = line.substr(at + words.size());
    word.remove_prefix(std::min(word.find_first_not_of("'\""), word.size()));
    return word.substr(0, word.find_first_of("'\",)"));
}

/// A tensor that the class creates with random values instead of its own: "self.register_buffer('b', torch.randn([4,
/// 5], dtype=torch.float32).to("cuda:0"))"
std::optional<LoadedInput> registered(std::string_view line) {
    constexpr std::string_view buffer = "self.register_buffer(", parameter = " = torch.nn.Parameter(torch.randn(";
    line = trimmed(line);
    const bool isParameter = line.starts_with("self.") && line.find(parameter) != std::string_view::npos;
    if (!isParameter && !line.starts_with(buffer)) return std::nullopt;
    const auto name = isParameter ? line.substr(5, line.find(' ') - 5) : wordBehind(line, buffer);
    const auto open = line.find('['), close = line.find(']');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open) return std::nullopt;
    const bool random = line.find("torch.rand") < open;  // others are printed with their values
    const auto dtype = wordBehind(line, "dtype=");
    if (!random || dtype.empty()) return std::nullopt;
    std::string device(wordBehind(line, isParameter ? "device=" : ").to("));
    if (device.empty()) device = "cpu";
    return LoadedInput{std::string(name),
                       loadedDType(dtype) + inBrackets(line.substr(open + 1, close - open - 1)) + device};
}

class LoadArgsReader {
public:
    /// "args.append(rand_strided((4, 5), (5, 1), torch.float32, 'cpu'))", or a list of such tuples
    void list(std::string_view line) {
        constexpr std::string_view appended = "args.append(rand_strided(", listed = "args = [((";
        const auto upTo = [&](char end, std::size_t start) {
            return line.substr(start, std::min(findOutside(line, end, start), line.size()) - start);
        };
        if (line.starts_with(appended)) return addNext(stridedType(upTo(')', appended.size())));
        if (!line.starts_with(listed)) return;
        for (const auto part : splitOutside(upTo(']', listed.size() - 2)))
            if (part.size() > 2) addNext(stridedType(part.substr(1, part.size() - 2)));
    }

    void ofClass(std::string_view line) {
        if (auto constant = registered(line); constant && args_.constants.size() < kMostLoaded)
            args_.constants.push_back(std::move(*constant));
    }

    void statement(std::string_view line) {
        const auto call = callIn(line);
        if (!call || args_.inputs.size() >= kMostLoaded) return;
        const auto has = [&](const char* key) { return call->named.contains(key); };
        if (call->what == "storage") {
            if (has("device")) devices_[call->variable] = loadedDevice(call->named.at("device"));
        } else if (call->what == "tensor" && call->arguments.size() > 1) {
            const auto device = devices_.find(call->arguments[0]);
            std::string type = loadedDType(has("dtype") ? call->named.at("dtype") : "torch.float32");
            type += inBrackets(call->arguments[1]) + (call->arguments.size() > 2 ? inBrackets(call->arguments[2]) : "");
            add(*call, type + (device == devices_.end() ? "cpu" : device->second));
        } else if (call->what == "symint" && !call->arguments.empty()) {
            symbol(*call);
        }
    }
    LoadArgs take() { return std::move(args_); }

private:
    void addNext(std::string annotation) {
        if (!annotation.empty() && args_.inputs.size() < kMostLoaded)
            args_.inputs.push_back({{}, std::move(annotation)});
    }

    void add(const LoaderCall& call, std::string annotation) {
        if (!call.comment.empty()) args_.inputs.push_back({std::string(call.comment), std::move(annotation)});
    }

    void symbol(const LoaderCall& call) {
        const auto number = call.arguments[0];
        const auto expression = call.named.find("expr");
        const auto text = expression == call.named.end() ? number : unquoted(expression->second);
        std::int64_t value = 0;
        if (std::from_chars(number.data(), number.data() + number.size(), value).ec == std::errc{})
            args_.hints.insert_or_assign(std::string(text), value);
        add(call, "Sym(" + std::string(text) + ")");
    }

    LoadArgs args_;
    std::map<std::string_view, std::string> devices_;  ///< of storages
};

}  // namespace

bool beginsLoadArgs(std::string_view line) {
    return line.starts_with("def load_args(") || line.starts_with("args = [") || line.starts_with("args.append(");
}

LoadArgs readLoadArgs(std::string_view text) {
    LoadArgsReader reader;
    bool inside = false;
    while (!text.empty()) {
        const auto line = takeLine(text);
        if (line.starts_with("def load_args(")) inside = true;
        else if (inside && !line.empty() && !line.starts_with(' ')) break;
        else if (inside) reader.statement(line);
        else if (line.starts_with("args")) reader.list(line);
        else reader.ofClass(line);
    }
    return reader.take();
}

}  // namespace aotscope
