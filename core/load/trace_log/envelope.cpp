#include "load/trace_log/envelope.h"

#include "load/printed/syntax/log_line.h"

#include <algorithm>
#include <charconv>

namespace aotscope {

namespace {

/// The name of an artifact is at the front of its metadata.
constexpr std::size_t kFront = 400;

std::string_view valueOf(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    if (!text.starts_with('"')) return text.substr(0, text.find_first_of(",} "));
    text.remove_prefix(1);
    return text.substr(0, text.find('"'));
}

template <typename Number>
std::optional<Number> number(std::string_view text) {
    Number value = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ec != std::errc{} || result.ptr != text.data() + text.size()) return std::nullopt;
    return value;
}

bool isNumber(std::string_view text) {
    return !text.empty() && text.size() <= 9 && std::all_of(text.begin(), text.end(), isDigit);
}

/// The members after the metadata, as text.
struct Members {
    std::string_view autograd, frame, compile, attempt, rank, hash;

    /// False if the member is not one of these: the metadata, or a stack, ends there.
    bool take(std::string_view key, std::string_view value) {
        if (key == "has_payload") hash = value;
        else if (key == "attempt") attempt = value;
        else if (key == "frame_compile_id") compile = value;
        else if (key == "frame_id") frame = value;
        else if (key == "compiled_autograd_id") autograd = value;
        else if (key == "rank") rank = value;
        else return key == "subgraph_name";
        return true;
    }

    /// "0/1", "!3/0/1", "!3"
    std::string compileId() const {
        std::string id;
        if (isNumber(autograd)) id = "!" + std::string(autograd);
        if (!isNumber(frame)) return id;
        if (!id.empty()) id += '/';
        return id + std::string(frame) + "/" + (isNumber(compile) ? std::string(compile) : std::string("0"));
    }
};

/// Reads a record backwards, member by member: it may be long, and the required members are at its end.
Members membersBehind(std::string_view record) {
    Members members;
    record.remove_suffix(1);  // "}"
    for (;;) {
        const auto comma = record.rfind(", \"");
        if (comma == std::string_view::npos) return members;
        const auto member = record.substr(comma + 3);
        const auto colon = member.find("\":");
        if (colon == std::string_view::npos ||
            !members.take(member.substr(0, colon), valueOf(member.substr(colon + 2))))
            return members;
        record = record.substr(0, comma);
    }
}

}  // namespace

std::string_view firstMember(std::string_view record, std::string_view key) {
    const auto quoted = "\"" + std::string(key) + "\":";
    const auto at = record.find(quoted);
    return at == std::string_view::npos ? std::string_view() : valueOf(record.substr(at + quoted.size()));
}

std::optional<Envelope> readEnvelope(std::string_view record) {
    if (!record.starts_with("{\"") || !record.ends_with('}')) return std::nullopt;
    const auto end = record.find('"', 2);
    if (end == std::string_view::npos || record.substr(end, 2) != "\":") return std::nullopt;
    Envelope envelope;
    envelope.name = record.substr(2, end - 2);
    if (envelope.name == "artifact")
        if (const auto own = firstMember(record.substr(0, kFront), "name"); !own.empty()) envelope.name = own;
    const Members members = membersBehind(record);
    envelope.compileId = members.compileId();
    envelope.attempt = number<std::uint32_t>(members.attempt).value_or(0);
    envelope.rank = number<int>(members.rank);
    envelope.hash = members.hash;
    return envelope;
}

}  // namespace aotscope
