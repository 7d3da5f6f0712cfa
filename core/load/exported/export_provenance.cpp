#include "load/exported/export_provenance.h"

#include "support/names.h"
#include "support/trimmed.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>

namespace aotscope {

namespace {

/// A line of a Python stack trace and its location.
struct Frame {
    std::string file, function, text;
    std::int32_t line = 0;
};

/// `File "models.py", line 12, in forward`
std::optional<Frame> frameIn(std::string_view line) {
    constexpr std::string_view opening = "File \"", middle = "\", line ", closing = ", in ";
    if (!line.starts_with(opening)) return std::nullopt;
    const auto fileEnd = line.find(middle);
    if (fileEnd == std::string_view::npos) return std::nullopt;
    Frame frame;
    frame.file = line.substr(opening.size(), fileEnd - opening.size());
    line.remove_prefix(fileEnd + middle.size());
    std::from_chars(line.data(), line.data() + line.size(), frame.line);
    if (const auto name = line.find(closing); name != std::string_view::npos)
        frame.function = line.substr(name + closing.size());
    return frame;
}

std::vector<Frame> framesOf(std::string_view trace) {
    std::vector<Frame> frames;
    while (!trace.empty()) {
        const std::string_view line = trimmed(takeLine(trace), " \t");
        if (auto frame = frameIn(line)) frames.push_back(*std::move(frame));
        else if (!frames.empty() && frames.back().text.empty()) frames.back().text = line;
    }
    return frames;
}

bool isTorchOwn(const std::string& file) {
    return file.starts_with("torch/") || file.find("/torch/") != std::string::npos || file.starts_with('<');
}

/// Whether a line of Python calls activation checkpointing: "checkpoint(self.block, x)", or as in transformers.
bool callsCheckpoint(std::string_view text) {
    constexpr std::array<std::string_view, 3> calls = {"checkpoint(", "checkpoint_sequential(",
                                                       "_gradient_checkpointing_func("};
    return std::ranges::any_of(calls, [&](std::string_view call) {
        const auto at = text.find(call);
        if (at == std::string_view::npos) return false;
        const char before = at == 0 ? ' ' : text[at - 1];
        return before != '_' && !std::isalnum(static_cast<unsigned char>(before));
    });
}

std::string placeOfFrame(const Frame& frame) {
    return frame.file.substr(frame.file.rfind('/') + 1) + ":" + std::to_string(frame.line);
}

std::string_view beforeSemicolon(std::string_view& text) {
    const auto end = text.find(';');
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return part;
}

/// Uses the last entry of "key,fqn,type;key,fqn,type".
void readModule(std::string_view stack, SourceInfo& info) {
    std::string_view last;
    while (!stack.empty()) last = beforeSemicolon(stack);
    const auto first = last.find(','), second = last.find(',', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) return;
    if (last.starts_with("_empty_nn_module_stack")) return;
    info.module = last.substr(first + 1, second - first - 1);
    if (const auto call = info.module.find('@'); call != std::string::npos) info.module.erase(call);
    const std::string_view type = last.substr(second + 1);
    info.moduleType = type.substr(type.rfind('.') + 1);
}

/// "SquareFn.apply at models.py:757" if the operation was inside of a custom autograd function.
std::optional<std::string> customFunctionOf(const exported::Node& node) {
    constexpr std::string_view call = ".apply(";
    const std::vector<Frame> frames = framesOf(node.stackTrace);
    for (std::size_t i = 0; i + 1 < frames.size(); ++i) {
        const auto end = frames[i].text.find(call);
        if (end == std::string::npos || isTorchOwn(frames[i].file)) continue;
        std::size_t next = i + 1;
        while (next < frames.size() && isTorchOwn(frames[next].file)) ++next;
        if (next == frames.size() || frames[next].function != "forward") continue;
        auto start = end;
        while (start > 0 && (std::isalnum(static_cast<unsigned char>(frames[i].text[start - 1])) ||
                             frames[i].text[start - 1] == '_' || frames[i].text[start - 1] == '.'))
            --start;
        return frames[i].text.substr(start, end - start) + ".apply at " + frames[i].file + ":" +
               std::to_string(frames[i].line);
    }
    return std::nullopt;
}

/// "models.py:12" if the operation ran within a call of torch.utils.checkpoint there. The frames of PyTorch's own file
/// may be missing; a line other than the last one has called something.
std::optional<std::string> checkpointCallOf(const exported::Node& node) {
    const std::vector<Frame> frames = framesOf(node.stackTrace);
    for (std::size_t i = 0; i + 1 < frames.size(); ++i) {
        if (isTorchOwn(frames[i].file)) continue;
        if (callsCheckpoint(frames[i].text) || frames[i + 1].file.ends_with("torch/utils/checkpoint.py"))
            return placeOfFrame(frames[i]);
    }
    return std::nullopt;
}

std::string lostCheckpoints(const std::set<std::string>& places) {
    const std::string others = places.size() > 1 ? " and " + counted(places.size() - 1, "other place") : std::string();
    return "the model calls torch.utils.checkpoint (" + *places.begin() + others +
           "), but the exported program has no such region: torch.export has lost it, and nothing is recomputed for "
           "it; name the values to recompute with --recompute, or give a --budget";
}

}  // namespace

std::shared_ptr<const SourceInfo> provenanceOf(const exported::Node& node) {
    SourceInfo info;
    readModule(node.moduleStack, info);
    for (const Frame& frame : framesOf(node.stackTrace)) {
        if (isTorchOwn(frame.file)) continue;
        info.file = frame.file;
        info.line = frame.line;
        info.text = frame.text;
    }
    return info == SourceInfo() ? nullptr : std::make_shared<SourceInfo>(std::move(info));
}

void LostInExport::look(const exported::Node& node) {
    if (const auto function = customFunctionOf(node)) functions_.insert(*function);
    if (const auto place = checkpointCallOf(node)) checkpointCalls_.insert(*place);
}

std::vector<std::string> LostInExport::warnings(bool hasCheckpointRegions) const {
    std::vector<std::string> sentences;
    for (const auto& function : functions_)
        sentences.push_back("torch.export has inlined the forward of a custom autograd function (" + function +
                            "); its own backward is lost, gradients follow from the operations of its forward");
    if (!checkpointCalls_.empty() && !hasCheckpointRegions) sentences.push_back(lostCheckpoints(checkpointCalls_));
    return sentences;
}

}  // namespace aotscope
