#pragma once

#include "io/session/model_reference.h"
#include "session/open/executable_session.h"
#include "session/open/trace_folder.h"
#include "verify/printed/printed_run.h"

#include <mutex>

namespace aotscope {

/// A session on graphs printed by Python: they run as they are, on given inputs or ones created from their types.
class PrintedGraphSession : public ExecutableSession {
public:
    InputSpec inputSpec() const override;
    std::vector<std::string> inputNames() const override;
    std::string whyNotCompiled() const override;
    std::string whyNoOtherInputs() const override { return whyNot_; }
    std::string whyNotExecutable() const override;
    SessionContent content() const override;
    TrainResult train(const TrainOptions& training, const Progress& progress,
                      const TrainListener& listener) const override;

protected:
    PrintedGraphSession(const Options& options, ChosenLog log, FileStamp stamp,
                        std::shared_ptr<const CompileRecord> record);

    const ChosenLog& log() const { return log_; }
    const FileStamp& stamp() const { return stamp_; }

private:
    Runnable runnable(const Progress& progress) const override;
    std::unique_ptr<const PrintedRun> makeRun(const Progress& progress) const;
    const ConstantTable& constantsOf(GraphKind kind) const override;
    Compilation recompile(const std::vector<c10::IValue>& leaves, std::size_t compilation,
                          const Progress& progress) const override;

    ChosenLog log_;
    FileStamp stamp_;
    CachedReference reference_;
    std::string whyNot_;  ///< it cannot run; empty: it can
    mutable std::mutex mutex_;
    mutable std::unique_ptr<const PrintedRun> run_;  ///< null until something is run
};

}  // namespace aotscope
