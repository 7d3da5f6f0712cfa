#pragma once

#include "controllers/runs/run_list.h"
#include "record/compile_record.h"

#include <memory>
#include <optional>
#include <vector>

namespace aotscope {

/// The run that the window shows: one of the list or, while the pipeline is paused at a breakpoint, the new one as far
/// as it has come. Results belong to the former; they are hidden while a paused run is shown.
struct ShownRun {
    RunList runs;                                  ///< of the open model
    std::shared_ptr<const CompileRecord> partial;  ///< of a paused run; null: none
    /// The session's record with the partition shown by what-if; null: what-if shows the compiled one.
    std::shared_ptr<const CompileRecord> whatIf;
    /// The partition requested by what-if, even if it equals the compiled one; nothing: not requested.
    std::optional<PartitionOptions> asked;

    /// The list shows another run.
    void open(const std::shared_ptr<const Session>& session, bool reopened = false);
    /// Of the list's shown run; null: none is open.
    const std::shared_ptr<const Session>& session() const;
    const RunResults& results() const;
    /// Null: none.
    std::shared_ptr<const CompileRecord> record() const;
    bool showsWhatIf() const { return whatIf && !partial; }
    /// record() with the partition in the joint graph.
    std::shared_ptr<const CompileRecord> partitioned() const { return showsWhatIf() ? whatIf : record(); }
    /// The request behind partitioned().
    PartitionOptions partitionOptions() const;
    /// Of record(); null: not timed, or not checked.
    const TimingResult* timing() const { return partial || !results().timed ? nullptr : &*results().timed; }
    const CheckResult* check() const { return partial || !results().checked ? nullptr : &*results().checked; }
    const BisectResult* bisection() const { return partial || !results().bisected ? nullptr : &*results().bisected; }
    /// The compilers of record()'s graphs, as far as known.
    std::vector<CompilerUse> compilers() const;
};

}  // namespace aotscope
