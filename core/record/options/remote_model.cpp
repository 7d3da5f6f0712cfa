#include "record/options/remote_model.h"

#include "support/error.h"
#include "support/quoted.h"
#include "support/token_reader.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace aotscope {

namespace {

constexpr const char* kExpected = "; expected ssh://[USER@]HOST[:PORT]/PATH";

[[noreturn]] void refuseRemote(const std::string& model, const std::string& why) {
    throw UsageError(inQuotes(model) + ": " + why + kExpected);
}

bool isPlain(char c) { return isNamePart(c) || c == '.' || c == '-'; }

bool isHexDigit(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

std::string percentEncoded(std::string_view text) {
    constexpr const char* digits = "0123456789ABCDEF";
    std::string encoded;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (isPlain(c)) encoded += c;
        else encoded += {'%', digits[byte >> 4U], digits[byte & 15U]};
    }
    return encoded;
}

std::string percentDecoded(const std::string& model, std::string_view text) {
    std::string decoded;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            decoded += text[i];
            continue;
        }
        if (i + 2 >= text.size() || !isHexDigit(text[i + 1]) || !isHexDigit(text[i + 2]))
            refuseRemote(model, "its command is cut off after a '%'");
        int byte = 0;
        std::from_chars(text.data() + i + 1, text.data() + i + 3, byte, 16);
        if (byte < ' ') refuseRemote(model, "its command has a control character");
        decoded += static_cast<char>(byte);
        i += 2;
    }
    return decoded;
}

/// At spaces; quoted text is one word.
std::vector<std::string> wordsOf(const std::string& command) {
    std::vector<std::string> words;
    bool inWord = false;
    char quote = 0;
    for (const char c : command) {
        if (quote == 0 && c == ' ') {
            inWord = false;
            continue;
        }
        if (!inWord) words.emplace_back();
        inWord = true;
        if (quote != 0 && c == quote) quote = 0;
        else if (quote == 0 && (c == '\'' || c == '"')) quote = c;
        else words.back() += c;
    }
    if (quote != 0)
        throw UsageError("--remote-command " + command +
                         ": a quotation mark is not closed; expected a command such as "
                         "'docker exec -i NAME'");
    return words;
}

/// The parts of "[USER@]HOST[:PORT]".
struct Authority {
    std::string user, host;
    int port = 0;  ///< 0: ssh's own
};

Authority authorityIn(const std::string& model, std::string_view text) {
    Authority parts;
    if (const auto at = text.rfind('@'); at != std::string_view::npos) {
        parts.user = text.substr(0, at);
        text.remove_prefix(at + 1);
        if (parts.user.empty() || parts.user.front() == '-' || !std::ranges::all_of(parts.user, isPlain))
            refuseRemote(model, "its user " + inQuotes(parts.user) + " is not a valid name");
    }
    const bool bracketed = text.starts_with('[');
    const auto end = bracketed ? text.find(']') : text.find(':');
    if (bracketed && end == std::string_view::npos) refuseRemote(model, "its host has no ']'");
    parts.host = text.substr(bracketed, end == std::string_view::npos ? end : end - bracketed);
    const auto belongs = [&](char c) { return isPlain(c) || (bracketed && (c == ':' || c == '%')); };
    if (parts.host.empty() || parts.host.front() == '-' || !std::ranges::all_of(parts.host, belongs))
        refuseRemote(model, "its host " + inQuotes(parts.host) + " is not a valid name");
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + bracketed);
    if (text.empty()) return parts;
    const char* last = text.data() + text.size();
    const auto [rest, failure] = std::from_chars(text.data() + 1, last, parts.port);
    if (text.front() != ':' || failure != std::errc() || rest != last || parts.port < 1 || parts.port > 65535)
        refuseRemote(model, "its port " + inQuotes(text.substr(1)) + " is not between 1 and 65535");
    return parts;
}

/// Ends when the remote side has been silent for ten seconds. The remote command is the same for every model, so that
/// nothing must be quoted for the remote shell.
std::vector<std::string> sshCommand(const Authority& to) {
    std::vector<std::string> words{
        "ssh", "-T", "-o", "ConnectTimeout=8", "-o", "ServerAliveInterval=5", "-o", "ServerAliveCountMax=2"};
    if (to.port != 0) words.insert(words.end(), {"-p", std::to_string(to.port)});
    words.insert(words.end(), {"--", (to.user.empty() ? "" : to.user + "@") + to.host, "aotscope serve --stdio"});
    return words;
}

std::string placeOf(const Authority& to) {
    return (to.user.empty() ? "" : to.user + "@") + to.host + (to.port == 0 ? "" : ":" + std::to_string(to.port));
}

/// "/sample:mlp" and "/~/x.pt2" are "sample:mlp" and "~/x.pt2" on the remote machine.
std::string modelAtPath(const std::string& model, const std::string& path) {
    const std::string inner = path.substr(1);
    if (inner.empty()) refuseRemote(model, "it names no model");
    return !namesFile(inner) || inner.starts_with("~/") ? inner : path;
}

struct RemoteParts {
    std::string authority, path;  ///< including its '/'
};

RemoteParts partsOf(const std::string& model) {
    const auto start = model.find("://") + 3, slash = model.find('/', start);
    if (slash == std::string::npos) refuseRemote(model, "it names no file");
    return {model.substr(start, slash - start), model.substr(slash)};
}

}  // namespace

RemoteModel remoteModel(const std::string& model) {
    const auto [authority, path] = partsOf(model);
    RemoteModel remote;
    remote.model = modelAtPath(model, path);
    if (model.starts_with(kSshPrefix)) {
        const Authority to = authorityIn(model, authority);
        remote.command = sshCommand(to);
        remote.place = placeOf(to);
        return remote;
    }
    remote.place = percentDecoded(model, authority);
    remote.command = wordsOf(remote.place);
    if (remote.command.empty()) refuseRemote(model, "its command is empty");
    std::vector<std::string>& words = remote.command;
    if (words.size() > 2 && words.end()[-2] == "serve" && words.back() == "--stdio") return remote;  // already complete
    const std::string program = std::filesystem::path(words.back()).filename();
    if (program != "aotscope" && program != "aotscope-engine") words.emplace_back("aotscope");
    words.insert(words.end(), {"serve", "--stdio"});
    return remote;
}

std::string throughCommand(const std::string& model, const std::string& command) {
    if (!model.starts_with(kSshPrefix))
        throw UsageError("--remote-command " + command + ": replaces ssh for a model on another machine, and " +
                         inQuotes(model) + " is on this one" + kExpected);
    if (wordsOf(command).empty())
        throw UsageError("--remote-command: expected a command such as 'docker exec -i NAME'");
    return std::string(kExecPrefix) + percentEncoded(command) + partsOf(model).path;
}

std::string shownModel(const std::string& model) {
    if (!isRemote(model)) return model;
    try {
        const RemoteModel there = remoteModel(model);
        const bool isPath = namesFile(there.model);
        return (isPath ? std::filesystem::path(there.model).filename().string() : there.model) + " on " + there.place;
    } catch (const UsageError&) {  // as given
        return model;
    }
}

std::string besideRemote(const std::string& model, const std::string& path) {
    const std::string start = model.substr(0, model.size() - partsOf(model).path.size());
    return start + (path.starts_with('/') ? "" : "/") + path;
}

std::string nameOf(const RemoteModel& there) {
    return there.isHere() ? "the engine" : "aotscope on '" + there.place + "'";
}

std::string modelThere(const std::string& model) { return isRemote(model) ? remoteModel(model).model : model; }

}  // namespace aotscope
