#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace aotscope {

/// The kind of a given model or log.
enum class ModelSource : std::uint8_t {
    sample,
    script,
    remote,   ///< on another machine, which recognizes it itself
    session,  ///< a session file
    // Graphs printed by Python:
    folder,         ///< logs of TORCH_TRACE, or graphs after every pass
    pattern,        ///< "dump/*.py": graphs after every pass
    trace,          ///< a log of TORCH_TRACE
    exportedGraph,  ///< exported by aotscope
    text,           ///< otherwise; TorchScript, or unusable
    // Determined by loading:
    program,  ///< torch.export, TorchScript, or something that cannot be opened
};

/// By name; for a file, also by its first bytes. Cheap; anything unreadable is a program.
ModelSource recognise(const std::string& model);
/// The same for a local path.
ModelSource recogniseFile(const std::filesystem::path& place);

constexpr bool mayBePrinted(ModelSource source) { return source >= ModelSource::folder && source <= ModelSource::text; }
constexpr bool namesSeveralFiles(ModelSource source) {
    return source == ModelSource::folder || source == ModelSource::pattern;
}

}  // namespace aotscope
