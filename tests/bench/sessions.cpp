#include "sessions.h"

#include "ops/decompositions/decomposition_table.h"

namespace aotscope {

Options PartitionedModel::options() const {
    return {.model = where(), .decompositions = DecompositionTable::load(decompositions)};
}

std::shared_ptr<const Session> openSound(const Options& options, const std::shared_ptr<const Session>& previous) {
    auto session = Session::open(options, {}, previous);
    if (const auto& error = session->record()->error; !error.empty()) throw Error(error);
    return session;
}

std::shared_ptr<const Session> sessionOf(const std::string& where, bool inference) {
    static std::shared_ptr<const Session> latest;
    const Options options{.model = where, .inference = inference};
    const bool wanted =
        latest && latest->options().model == options.model && latest->options().inference == options.inference;
    if (!wanted) latest = openSound(options, latest);
    return latest;
}

NodeId savedActivation(const CompileRecord& record) {
    for (const SavedValue& value : record.partition->saved)
        if (value.kind == SavedValue::Kind::activation) return value.node;
    throw Error("the partition saves no value that the forward computes");
}

std::shared_ptr<const Session> compileAgain(const std::shared_ptr<const Session>& session) {
    return openSound(session->options(), session);
}

}  // namespace aotscope
