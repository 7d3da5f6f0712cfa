#include "session/open/without_engine.h"

#include "record/model_kind.h"
#include "record/results/fallback_list.h"
#include "session/open/printed_session.h"
#include "session/remote/session_remote.h"
#include "session/session_limits.h"
#include "support/budget.h"
#include "support/confinement.h"
#include "support/input_file.h"
#include "support/needs_torch.h"

namespace aotscope {

namespace {

/// Null if there are no graphs. Texts are not trusted: they are read on a confined thread.
std::shared_ptr<const Session> openToShow(const Options& options, ModelSource source, const Progress& progress,
                                          const Session* previous, PassObserver* observer) {
    options.use({"--time-limit", "--memory-limit"});
    const Budget budget(progress, limitsFor(options));
    return confined([&]() -> std::shared_ptr<const Session> {
        const BudgetScope scope(&budget);
        auto read = readPrinted({options, RulesWithoutTorch(), progress, previous, observer}, source);
        if (!read) return nullptr;
        std::string why = read->whyNoGraphs.empty() ? needsTorch("running printed graphs") : read->whyNoGraphs;
        return shownOnly(options, std::move(*read), std::move(why));
    });
}

std::shared_ptr<const Session> openAsValue(const Options& options, const Progress& progress,
                                           const std::shared_ptr<const Session>& previous, PassObserver* observer) {
    const ModelSource source = recognise(options.model);
    if (source == ModelSource::remote) return openRemote(options, progress, previous, observer);
    if (auto saved = openSaved(options, source, progress, previous)) return saved;
    if (mayBePrinted(source))
        if (auto printed = openToShow(options, source, progress, previous.get(), observer)) return printed;
    if (namesFile(options.model)) const InputFile readable(options.model);  // or throws the reason
    throw Error("cannot open '" + options.model + "': " + needsTorch("compiling and running models"));
}

}  // namespace

std::shared_ptr<const Session> openWithoutEngine(const Options& options, const Progress& progress,
                                                 const std::shared_ptr<const Session>& previous,
                                                 PassObserver* observer) {
    auto session = openAsValue(options, progress, previous, observer);
    requireNoFallback(*session->record(), options);
    return session;
}

}  // namespace aotscope
