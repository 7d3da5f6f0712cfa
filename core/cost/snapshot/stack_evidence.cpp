#include "cost/snapshot/stack_evidence.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace aotscope {

namespace {

/// What a function in a Python file is evidence of. An empty file or function stands for any.
struct PythonRow {
    std::string_view file, function;
    MemoryPhase phase;
};

constexpr std::array kPythonRows = {
    PythonRow{"torch/optim/", "", MemoryPhase::optimizer},
    PythonRow{"/optim/", "step", MemoryPhase::optimizer},
    PythonRow{"/optimizers/", "step", MemoryPhase::optimizer},
    PythonRow{"torch/autograd/", "_engine_run_backward", MemoryPhase::backward},
    PythonRow{"torch/utils/checkpoint.py", "unpack_hook", MemoryPhase::backward},
    PythonRow{"", "backward", MemoryPhase::backward},
    PythonRow{"torch/nn/modules/module.py", "_apply", MemoryPhase::creation},
    PythonRow{"torch/nn/modules/module.py", "to", MemoryPhase::creation},
    PythonRow{"torch/nn/modules/module.py", "load_state_dict", MemoryPhase::creation},
    PythonRow{"torch/nn/modules/", "__init__", MemoryPhase::creation},
    PythonRow{"torch/nn/modules/", "reset_parameters", MemoryPhase::creation},
    PythonRow{"torch/nn/init.py", "", MemoryPhase::creation},
    PythonRow{"torch/nn/parameter.py", "", MemoryPhase::creation},
    PythonRow{"", "from_pretrained", MemoryPhase::creation},
    PythonRow{"torch/nn/modules/module.py", "_call_impl", MemoryPhase::forward},
    PythonRow{"", "forward", MemoryPhase::forward},
};

/// The same for frames of C++, by a part of the function's name.
struct NativeRow {
    std::string_view function;
    bool backward, accumulates, workspace;
};

constexpr std::array kNativeRows = {
    NativeRow{"torch::autograd::Engine::", true, false, false},
    NativeRow{"torch::autograd::AccumulateGrad", true, true, false},
    NativeRow{"CUDABlasHandle", false, false, true},
    NativeRow{"Workspace", false, false, true},
};

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

bool isPythonFile(std::string_view file) { return file.ends_with(".py") || file.starts_with('<'); }

/// PyTorch, and Python's own modules.
bool isLibraryFile(std::string_view file) {
    return contains(file, "/torch/") || file.starts_with("<frozen") ||
           (contains(file, "/lib/python3") && !contains(file, "-packages/"));
}

struct FrameEvidence {
    MemoryPhase phase = MemoryPhase::unknown;
    bool python = false, library = false, accumulates = false, workspace = false;
};

FrameEvidence evidenceOf(std::string_view file, std::string_view function) {
    FrameEvidence found;
    found.python = isPythonFile(file);
    found.library = !found.python || isLibraryFile(file);
    if (found.python) {
        const auto row = std::ranges::find_if(kPythonRows, [&](const PythonRow& each) {
            return contains(file, each.file) && (each.function.empty() || each.function == function);
        });
        if (row != kPythonRows.end()) found.phase = row->phase;
        return found;
    }
    for (const NativeRow& row : kNativeRows) {
        if (!contains(function, row.function)) continue;
        if (row.backward) found.phase = MemoryPhase::backward;
        found.accumulates |= row.accumulates;
        found.workspace |= row.workspace;
    }
    return found;
}

bool decides(MemoryPhase phase) { return phase == MemoryPhase::backward || phase == MemoryPhase::optimizer; }

/// Backward and optimizer run functions that look like the forward; of each kind, the innermost counts.
StackEvidence evidenceOf(std::span<const std::uint32_t> stack, const std::vector<FrameEvidence>& frames) {
    StackEvidence evidence;
    std::uint32_t python = kNoFrame;
    for (const std::uint32_t number : stack) {
        const FrameEvidence& frame = frames[number];
        if (!decides(evidence.phase) && (evidence.phase == MemoryPhase::unknown || decides(frame.phase)))
            if (frame.phase != MemoryPhase::unknown) evidence.phase = frame.phase;
        evidence.accumulates |= frame.accumulates;
        evidence.workspace |= frame.workspace;
        if (!frame.library && evidence.line == kNoFrame) evidence.line = number;
        if (frame.python && python == kNoFrame) python = number;
    }
    if (evidence.line == kNoFrame) evidence.line = python;
    if (evidence.line == kNoFrame && !stack.empty()) evidence.line = stack.front();
    return evidence;
}

}  // namespace

std::vector<StackEvidence> stackEvidence(const MemorySnapshot& snapshot) {
    std::vector<FrameEvidence> frames;
    for (const SnapshotFrame& frame : snapshot.frames)
        frames.push_back(evidenceOf(snapshot.texts[frame.file], snapshot.texts[frame.function]));
    std::vector<StackEvidence> stacks;
    for (SnapshotStack i = 0; i < snapshot.stackCount(); ++i)
        stacks.push_back(evidenceOf(snapshot.framesOf(i), frames));
    const bool python = std::ranges::any_of(frames, &FrameEvidence::python),
               native = !std::ranges::all_of(frames, &FrameEvidence::python);
    if (python && !native) stacks[0].phase = MemoryPhase::backward;
    return stacks;
}

}  // namespace aotscope
