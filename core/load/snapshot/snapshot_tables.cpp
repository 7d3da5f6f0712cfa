#include "load/snapshot/snapshot_tables.h"

#include "support/error.h"
#include "support/names.h"

#include <algorithm>
#include <array>

namespace aotscope {

namespace {

constexpr std::size_t kMostTextBytes = std::size_t{256} << 20;
constexpr std::size_t kMostTexts = 4'000'000;
constexpr std::size_t kMostFramesOfStacks = 32'000'000;
constexpr std::size_t kMostStreams = 4096;  // PyTorch makes up to 64 for each device

void requireAtMost(std::size_t most, std::size_t count, const char* what) {
    if (count > most) throw Error("holds more than " + grouped(most) + " " + what);
}

}  // namespace

SnapshotTables::SnapshotTables(MemorySnapshot& snapshot) : snapshot_(snapshot) {
    stack({});
    text({});
}

SnapshotText SnapshotTables::text(std::string_view text) {
    std::uint32_t rest = 0;
    const std::size_t words = text.size() / sizeof rest;
    std::copy(text.begin() + static_cast<std::ptrdiff_t>(words * sizeof rest), text.end(),
              reinterpret_cast<char*>(&rest));
    auto& texts = snapshot_.texts;
    const auto next = static_cast<std::uint32_t>(texts.size());
    const auto found = texts_.findOrAdd(texts_.hash(text.data(), words, std::uint64_t{rest} << 32 | text.size()), next,
                                        [&](std::uint32_t i) { return texts[i] == text; });
    if (found != next) return found;
    textBytes_ += text.size();
    requireAtMost(kMostTextBytes, textBytes_, "bytes of different texts");
    requireAtMost(kMostTexts, texts.size() + 1, "different texts");
    texts.emplace_back(text);
    return found;
}

std::uint32_t SnapshotTables::frame(const SnapshotFrame& frame) {
    const std::array<std::uint32_t, 4> words = {frame.file, frame.function, static_cast<std::uint32_t>(frame.line),
                                                frame.node};
    auto& frames = snapshot_.frames;
    const auto next = static_cast<std::uint32_t>(frames.size());
    const auto found = frames_.findOrAdd(frames_.hash(words.data(), words.size(), 0), next,
                                         [&](std::uint32_t i) { return frames[i] == frame; });
    if (found != next) return found;
    requireAtMost(kMostTexts, frames.size() + 1, "different frames");
    frames.push_back(frame);
    return found;
}

SnapshotStack SnapshotTables::stack(std::span<const std::uint32_t> frames) {
    const auto next = static_cast<std::uint32_t>(snapshot_.stackCount());
    const auto found =
        stacks_.findOrAdd(stacks_.hash(frames.data(), frames.size(), frames.size()), next,
                          [&](SnapshotStack i) { return std::ranges::equal(snapshot_.framesOf(i), frames); });
    if (found != next) return found;
    auto& all = snapshot_.stackFrames;
    requireAtMost(kMostFramesOfStacks, all.size() + frames.size() + snapshot_.stacks.size(),
                  "frames in different stacks");
    all.insert(all.end(), frames.begin(), frames.end());
    snapshot_.stacks.push_back(static_cast<std::uint32_t>(all.size()));
    return found;
}

std::uint16_t SnapshotTables::stream(std::uint64_t handle) {
    auto& streams = snapshot_.streams;
    const auto it = std::ranges::find(streams, handle);
    if (it == streams.end()) {
        requireAtMost(kMostStreams, streams.size() + 1, "streams");
        streams.push_back(handle);
        return static_cast<std::uint16_t>(streams.size() - 1);
    }
    return static_cast<std::uint16_t>(it - streams.begin());
}

}  // namespace aotscope
