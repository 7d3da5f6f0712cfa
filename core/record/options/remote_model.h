#pragma once

#include "record/model_kind.h"

#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// A model on another machine. Options::model names it: "ssh://[USER@]HOST[:PORT]/PATH", or, where another command than
/// ssh gets there, "exec://COMMAND/PATH" with COMMAND percent-encoded.
struct RemoteModel {
    std::vector<std::string> command;  ///< starts aotscope there, without a shell here
    std::string place;                 ///< for people: "me@host", "docker exec -i box"
    std::string model;                 ///< as Options::model names it there

    bool operator==(const RemoteModel&) const = default;
};

/// What Options::model stands for. PATH is absolute, "~/..." in the home folder there, or "sample:NAME". Throws
/// UsageError for anything that ssh could take for an option, or that is cut off.
RemoteModel remoteModel(const std::string& model);

/// The name of the model that "ssh://HOST/PATH" names, reached through `command` instead of ssh. `command` is split at
/// spaces outside of quotes; unless its last word is a program called aotscope, "aotscope" is added. Throws UsageError.
std::string throughCommand(const std::string& model, const std::string& command);

/// For people: "model.pt2 on me@host"; other models by their own name.
std::string shownModel(const std::string& model);

/// The name of another model in the same place.
std::string besideRemote(const std::string& model, const std::string& path);

}  // namespace aotscope
