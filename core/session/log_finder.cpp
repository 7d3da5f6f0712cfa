#include "session/log_finder.h"

#include "record/options/remote_model.h"

namespace aotscope {

std::vector<FoundLog> LogFinder::at(const std::string& place, const Progress& progress) {
    const bool far = isRemote(place);
    auto& files = files_[far ? remoteModel(place).command : std::vector<std::string>()];
    if (!files) files = engine_.files(place);
    std::vector<FoundLog> found;
    for (const auto& path : files->logsAt(modelThere(place), progress))
        found.push_back({files, path, far ? besideRemote(place, path.string()) : path.string()});
    return found;
}

}  // namespace aotscope
