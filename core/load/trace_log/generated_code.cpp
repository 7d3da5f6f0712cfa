#include "load/trace_log/generated_code.h"

#include "load/trace_log/break_text.h"
#include "load/trace_log/stack_json.h"
#include "load/trace_log/text_lines.h"
#include "load/trace_log/trace_reader.h"
#include "support/json/bounded_json.h"

#include <array>

namespace aotscope {

namespace {

using nlohmann::json;

constexpr std::size_t kLongestCall = 300;

/// "[linear, relu]" after `words`.
std::vector<std::string> namesBehind(std::string_view line, std::string_view words) {
    std::vector<std::string> names;
    const auto at = line.find(words);
    if (at == std::string_view::npos) return names;
    auto list = line.substr(at + words.size());
    list = list.substr(0, list.find(']'));
    while (!list.empty()) {
        const auto comma = std::min(list.find(','), list.size());
        if (const auto name = trimmed(list.substr(0, comma)); !name.empty()) names.emplace_back(name);
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return names;
}

/// Calls of kernels and of operators; the others only allocate and check.
bool isCall(std::string_view line) {
    constexpr std::array<std::string_view, 6> starts = {"extern_kernels.", "torch.ops.", "cpp_",
                                                        "triton_",         "aten.",      "fused_"};
    const auto equals = line.find(" = ");
    if (equals != std::string_view::npos && equals < line.find('(')) line.remove_prefix(equals + 3);
    if (line.find('(') == std::string_view::npos) return false;
    return std::any_of(starts.begin(), starts.end(), [&](std::string_view start) { return line.starts_with(start); });
}

/// The keys of Inductor's maps are kernels with the number of their call: "extern_kernels.addmm:3".
void addProvenance(std::vector<GeneratedCall>& calls, const json& nodes, const json& stacks) {
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const auto key = std::string(kernelOf(calls[i].text)) + ":" + std::to_string(i + 1);
        for (auto& name : textsIn(nodes, key.c_str())) calls[i].nodes.push_back(std::move(name));
        for (const auto& stack : textsIn(stacks, key.c_str()))
            if (const auto frames = readTraceback(stack); !frames.empty()) calls[i].places.push_back(frames.back());
    }
}

json parsed(const TraceReader& reader, const LogRecord& record) {
    try {
        return record.payload ? parseBounded(reader.payload(record)) : json();
    } catch (const json::exception&) {
        return {};  // the calls are shown without provenance
    }
}

}  // namespace

std::string_view kernelOf(std::string_view call) {
    const auto equals = call.find(" = ");
    if (equals != std::string_view::npos && equals < call.find('(')) call.remove_prefix(equals + 3);
    auto name = call.substr(0, call.find('('));
    if (name.ends_with(".run")) name.remove_suffix(4);
    return name;
}

std::vector<GeneratedCall> callsIn(std::string_view code) {
    std::vector<GeneratedCall> calls;
    GeneratedCall next;
    bool inCall = false;
    for (std::size_t number = 1; !code.empty(); ++number) {
        const auto raw = takeLine(code), line = trimmed(raw);
        if (line.starts_with("def call(")) {
            inCall = true;
            next = {};
        } else if (line.starts_with("# Topologically Sorted Source Nodes:") || line.starts_with("# Source Nodes:")) {
            next.sources = namesBehind(line, "Source Nodes: [");
            next.operators = namesBehind(line, "Original ATen: [");
        } else if (!inCall) {
            continue;
        } else if (line.starts_with("return ") || (!raw.empty() && raw.front() != ' ')) {
            inCall = false;
        } else if (isCall(line)) {
            next.text = line.substr(0, kLongestCall);
            next.line = number;
            calls.push_back(std::exchange(next, {}));
        }
    }
    return calls;
}

std::vector<GeneratedCode> readGeneratedCode(const TraceLog& log, const TracedCompile& compile) {
    const TraceReader reader(log);
    std::vector<GeneratedCode> all;
    for (const LogRecord& record : compile.records) {
        const std::string& name = log.nameOf(record);
        if (name == "inductor_output_code") {
            GeneratedCode code;
            code.line = record.line;
            code.text = reader.payload(record);
            constexpr std::string_view words = "# AOT ID: ['";
            if (const auto at = code.text.find(words); at != std::string::npos)
                code.graph =
                    code.text.substr(at + words.size(), code.text.find('\'', at + words.size()) - at - words.size());
            code.calls = callsIn(code.text);
            all.push_back(std::move(code));
        } else if (name == "inductor_provenance_tracking_node_mappings" && !all.empty()) {
            const json maps = parsed(reader, record);
            if (maps.is_object() && maps.contains("cppCodeToPost"))
                addProvenance(all.back().calls, maps["cppCodeToPost"], {});
        } else if (name == "inductor_provenance_tracking_kernel_stack_traces" && !all.empty()) {
            addProvenance(all.back().calls, {}, parsed(reader, record));
        }
    }
    return all;
}

}  // namespace aotscope
