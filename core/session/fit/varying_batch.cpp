#include "session/fit/varying_batch.h"

#include "cost/fit/batch_size.h"
#include "session/engine.h"
#include "support/error.h"
#include "support/quoted.h"

#include <algorithm>

namespace aotscope {

namespace {

std::vector<std::string> notDynamic(const CompileRecord& record, const std::vector<std::string>& names) {
    std::vector<std::string> missing;
    for (const std::string& name : names)
        if (symbolsNamed(record, {name}).empty()) missing.push_back(name);
    return missing;
}

/// Why the size has no symbol in `record`, which was compiled with it as a dynamic one.
std::string whyStatic(const CompileRecord& record, const std::string& name) {
    const std::string only = "Only the batch of the example inputs is shown: ";
    if (sizeNamed(record, name) < 2)
        return only + "it is " + std::to_string(*sizeNamed(record, name)) +
               ", and sizes of 0 and 1 are compiled by themselves; give example inputs with 2 or more (--inputs).";
    for (const Guard& guard : record.guards)
        if (guard.kind == Guard::Kind::size && !guard.reason.empty())
            return only + oneLine("the size " + inQuotes(name) + " cannot vary, because " + guard.reason) + ".";
    return only + "the size " + inQuotes(name) + " cannot vary.";
}

}  // namespace

VaryingBatch varyBatch(const Engine& engine, const std::shared_ptr<const Session>& session, const std::string& name,
                       const Progress& progress) {
    VaryingBatch batch{session, {}, {}};
    const std::vector<std::string> names =
        name.empty() ? sharedDimension(*session->record()) : std::vector<std::string>{name};
    if (names.empty()) {
        batch.note =
            "Only the sizes of the example inputs are shown: its tensors share no dimension; name the size that is the "
            "batch, as in --batch x.0=1..64.";
        return batch;
    }
    const std::vector<std::string> missing = notDynamic(*session->record(), names);
    if (!missing.empty()) {
        Options options = session->options();
        for (const std::string& size : missing) options.dynamic.push_back({size});
        if (const std::string why = session->whyNotCompiled(); !why.empty() || options.staticShapes) {
            batch.note = "Only the batch of the example inputs is shown: " + (why.empty() ? "--static-shapes." : why);
            return batch;
        }
        batch.session = engine.open(options, progress, session);
        if (const std::string& error = batch.session->record()->error; !error.empty()) throw Error(error);
    }
    const CompileRecord& record = *batch.session->record();
    if (const std::vector<std::string> fixed = notDynamic(record, names); !fixed.empty()) {
        batch.note = whyStatic(record, fixed.front());
        return batch;
    }
    batch.sizes = symbolsNamed(record, names);
    return batch;
}

}  // namespace aotscope
