// Messages from another machine.

#include "fuzz/expect.h"
#include "fuzz/fuzz_targets.h"
#include "io/session/document.h"
#include "io/session/packed.h"
#include "record/options/remote_model.h"
#include "remote/frame.h"
#include "remote/remote_error.h"
#include "remote/remote_options.h"
#include "session/remote/log_message.h"
#include "session/remote/message_fields.h"
#include "support/error.h"

#include <algorithm>

namespace aotscope::fuzz {

namespace {

using nlohmann::json;

/// Requests to a debugger, and its answers.
void readDebugger(const json& message) {
    if (message.contains("about")) session_format::unpacked<DebugCommand>(bytesOf(message, "about"));
    if (!message.contains("state")) return;
    const std::string state = session_format::packed(session_format::unpacked<DebugState>(bytesOf(message, "state")));
    expect(session_format::packed(session_format::unpacked<DebugState>(state)) == state,
           "the state of a debugger reads back as another one");
}

/// As the two sides read messages.
void readMessage(const json& message) {
    try {
        if (message.contains("error")) throwRemoteError(memberOf(message, "error"));
    } catch (const Error&) {  // a refusal, or the error itself
    } catch (const Cancelled&) {}
    if (message.contains("options")) allOptionsFrom(memberOf(message, "options"));
    if (message.contains("session")) decodeSession(bytesOf(message, "session"));
    if (message.contains("check")) session_format::unpacked<CheckResult>(bytesOf(message, "check"));
    if (message.contains("train")) session_format::unpacked<TrainResult>(bytesOf(message, "train"));
    if (message.contains("minify")) session_format::unpacked<MinifyResult>(bytesOf(message, "minify"));
    if (message.contains("log")) unpackedLog(bytesOf(message, "log"));
    readDebugger(message);
}

}  // namespace

/// The bytes come in pieces of uneven sizes.
void fuzzFrames(std::string_view bytes) {
    FrameReader reader(bytes.starts_with('\n') ? FrameReader::From::start : FrameReader::From::here, {});
    for (std::size_t size = 1; !bytes.empty(); size = size * 3 % 1021) {
        reader.add(bytes.substr(0, size));
        bytes.remove_prefix(std::min(size, bytes.size()));
        while (const auto message = reader.next()) {
            FrameReader again(FrameReader::From::here, {});
            again.add(frameOf(*message));
            expect(again.next() == *message, "a frame reads back as another one");
            readMessage(*message);
        }
    }
}

void fuzzRemoteModel(std::string_view bytes) {
    const std::string model = std::string(isRemote(bytes) ? "" : kSshPrefix) + std::string(bytes);
    const RemoteModel there = remoteModel(model);
    expect(!there.command.empty() && !there.model.empty(), "a remote model is nowhere");
    if (model.starts_with(kExecPrefix)) return;
    const std::string& host = there.command[there.command.size() - 2];
    expect(!host.starts_with('-') && there.command[there.command.size() - 3] == "--", "ssh takes a host for an option");
    expect(remoteModel(besideRemote(model, there.model)) == there, "a model is not beside itself");
}

}  // namespace aotscope::fuzz
