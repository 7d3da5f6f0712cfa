#include "session/session_profile.h"

#include "cost/profile/join_profile.h"
#include "load/profile/profile_reader.h"
#include "support/error.h"

namespace aotscope {

namespace {

/// Inductor's code for the graphs of a session from a log of TORCH_TRACE; otherwise nothing.
std::vector<GeneratedCode> generatedCode(const Session& session) {
    const auto log = session.trace();
    const auto ids = session.compileIds();
    if (!log || ids.empty()) return {};
    const std::string& asked = session.options().compileId;
    const TracedCompile* compile = log->find(asked.empty() ? ids.front() : asked);
    return compile ? readGeneratedCode(*log, *compile) : std::vector<GeneratedCode>();
}

}  // namespace

JoinedProfile profileOn(const Session& session, const std::filesystem::path& file, const Progress& progress) {
    progress.enter("profile");
    const Profile profile = readProfile(file, progress);
    if (!session.record()->error.empty()) throw Error(session.record()->error);
    return joinProfile(profile, *session.record(), generatedCode(session), progress);
}

}  // namespace aotscope
