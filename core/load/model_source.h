#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace aotscope {

/// What somebody has given as a model or a log.
enum class ModelSource : std::uint8_t {
    sample,
    script,
    remote,   ///< on another machine, where it is recognised again
    session,  ///< a session file
    // Graphs that Python printed:
    folder,         ///< logs of TORCH_TRACE, or graphs after every pass
    pattern,        ///< "dump/*.py": graphs after every pass
    trace,          ///< a log of TORCH_TRACE
    exportedGraph,  ///< as aotscope exports one
    text,           ///< or else TorchScript, or of no use
    // Loading says what it is:
    program,  ///< torch.export, TorchScript, or nothing that can be opened
};

/// By its words; of a file, its first bytes are read. Cheap; what cannot be read is a program.
ModelSource recognise(const std::string& model);
/// The same for what is known to be a place on this machine.
ModelSource recogniseFile(const std::filesystem::path& place);

constexpr bool mayBePrinted(ModelSource source) { return source >= ModelSource::folder && source <= ModelSource::text; }
constexpr bool namesSeveralFiles(ModelSource source) {
    return source == ModelSource::folder || source == ModelSource::pattern;
}

}  // namespace aotscope
