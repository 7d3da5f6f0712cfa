#include "cli/command_files.h"

#include "load/model_source.h"
#include "ops/decompositions/decomposition_table.h"
#include "record/options/option_table.h"
#include "support/error.h"
#include "support/output_place.h"

#include <optional>
#include <utility>

#include <sys/stat.h>

namespace aotscope {

namespace fs = std::filesystem;

namespace {

/// The file without the name of a tensor in it, "x.safetensors:weight".
fs::path withoutTensor(const fs::path& path) {
    constexpr std::string_view ending = ".safetensors";
    const std::string text = path.string();
    const auto at = text.find(std::string(ending) + ":");
    return at == std::string::npos ? path : fs::path(text.substr(0, at + ending.size()));
}

using Identity = std::pair<dev_t, ino_t>;

/// Identity of a regular file, whatever it is called.
std::optional<Identity> identityOf(const fs::path& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
    return Identity(status.st_dev, status.st_ino);
}

bool isSessionSavedAgain(const NamedFile& read, const NamedFile& written) {
    return read.option == "MODEL" && written.option == "--save" && recogniseFile(read.path) == ModelSource::session;
}

}  // namespace

std::vector<NamedFile> filesRead(const Options& options) {
    std::vector<NamedFile> files{{"MODEL", options.model}};
    Options copy = options;
    for (const OptionEntry& entry : optionTable()) {
        if (entry.flag.empty() || !entry.field) continue;
        const OptionField field = entry.field(copy);
        const std::string flag(entry.name());
        if (auto* const* path = std::get_if<fs::path*>(&field)) files.push_back({flag, **path});
        if (auto* const* paths = std::get_if<std::vector<fs::path>*>(&field))
            for (const fs::path& path : **paths) files.push_back({flag, path});
    }
    if (options.decompositions) files.push_back({"--decompose", options.decompositions->name});
    if (const auto* path = std::get_if<fs::path>(&options.inputs)) files.push_back({"--inputs", withoutTensor(*path)});
    if (const auto* spec = std::get_if<InputSpec>(&options.inputs))
        for (const auto& value : spec->values)
            if (const auto* leaf = std::get_if<LeafSpec>(&value))
                if (const auto* file = std::get_if<Fill::File>(&leaf->fill.how))
                    files.push_back({"--inputs", withoutTensor(options.inputFolder / file->path)});
    return files;
}

void requireSeparateFiles(const std::vector<NamedFile>& read, const std::vector<NamedFile>& written) {
    std::vector<fs::path> places;
    bool standardOutput = false;
    for (const NamedFile& output : written) {
        if (output.path.empty()) continue;
        const OutputPlace place = outputPlace(output.path);
        const auto refuse = [&](const std::string& why) {
            throw UsageError(output.option + " " + output.path.string() + ": " + why);
        };
        if (output.path == "-" && std::exchange(standardOutput, true))
            refuse("another output goes to the standard output; write to a file");
        if (place.descriptor || place.special) continue;
        const auto identity = identityOf(place.folder / place.name);
        for (const NamedFile& input : read)
            if (identity && identity == identityOf(input.path) && !isSessionSavedAgain(input, output))
                refuse("this command reads that file (" + input.option + "); write to another one");
        for (const fs::path& other : places)
            if (other == place.folder / place.name) refuse("two outputs would go into that file; write to another one");
        places.push_back(place.folder / place.name);
    }
}

}  // namespace aotscope
