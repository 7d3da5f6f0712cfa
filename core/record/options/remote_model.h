#pragma once

#include "record/model_kind.h"

#include <string>
#include <vector>

namespace aotscope {

/// A model that another process compiles and runs: on another machine, or here. For another machine, Options::model
/// names it: "ssh://[USER@]HOST[:PORT]/PATH", or, if another command than ssh connects, "exec://COMMAND/PATH" with
/// COMMAND percent-encoded.
struct RemoteModel {
    std::vector<std::string> command;  ///< starts aotscope there, without a local shell
    std::string place;                 ///< for display: "me@host", "docker exec -i box"; empty: this machine
    std::string model;                 ///< Options::model on the remote machine

    bool isHere() const { return place.empty(); }
    bool operator==(const RemoteModel&) const = default;
};

/// The process, in sentences: "the engine", "aotscope on 'me@host'".
std::string nameOf(const RemoteModel& there);

/// Parses Options::model. PATH is absolute, "~/..." in the remote home folder, or "sample:NAME". Throws UsageError for
/// anything that ssh could take for an option, or that is incomplete.
RemoteModel remoteModel(const std::string& model);

/// The name of the model in "ssh://HOST/PATH", reached through `command` instead of ssh. `command` is split at spaces
/// outside of quotes; unless its last word is a program called aotscope or aotscope-engine, "aotscope" is added. Throws
/// UsageError.
std::string throughCommand(const std::string& model, const std::string& command);

/// Options::model where it is opened: on the other machine, or here.
std::string modelThere(const std::string& model);

/// For display: "model.pt2 on me@host"; other models by their own name.
std::string shownModel(const std::string& model);

/// The name of another model in the same place.
std::string besideRemote(const std::string& model, const std::string& path);

}  // namespace aotscope
