#pragma once

#include "session/open/read_printed.h"
#include "session/open/session_saved.h"

#include <memory>
#include <string>
#include <utility>

namespace aotscope {

/// Printed graphs in a session.
class FromPrinted {
public:
    const PrintedReading& reading() const { return reading_; }

protected:
    explicit FromPrinted(PrintedReading reading) : reading_(std::move(reading)) {}
    ~FromPrinted() = default;

    ModelReference reference(const std::string& model) const { return reference_.get(model, reading_.stamp); }

private:
    PrintedReading reading_;
    CachedReference reference_;
};

/// A session on printed graphs. `Base`: Session, or one that runs them.
template <typename Base>
class PrintedSession : public Base, public FromPrinted {
public:
    PrintedSession(const Options& options, PrintedReading read)
        : Base(options, read.record), FromPrinted(std::move(read)) {
        const ChosenLog& log = reading().log;
        this->rankPrefix_ = log.rank;
        this->options_.compileId = log.compileId.empty() ? std::string() : log.rank + log.compileId;
        this->compileIds_ = reading().compileIds;
        this->trace_ = reading().trace;
    }

    std::string whyNotCompiled() const override { return reading().whyNotCompiled; }
    SessionContent content() const override {
        SessionContent content = contentOf(*this, reference(this->options_.model));
        content.runsAsItIs = reading().whyNoGraphs.empty();
        return content;
    }
};

/// A session that shows graphs, and runs nothing, for this reason.
std::shared_ptr<const Session> shownOnly(const Options& options, PrintedReading read, std::string why);

/// A session on graphs printed by Python, from a source that may contain them (see readPrinted), which runs them. Null
/// if it does not. Sequences of passes are reported to `observer` unless it is null. Throws Error. In the engine.
std::shared_ptr<const Session> openPrinted(const Options& options, ModelSource source, const Progress& progress,
                                           const std::shared_ptr<const Session>& previous, PassObserver* observer);

}  // namespace aotscope
