#pragma once

#include "record/compile_record.h"
#include "session/session.h"

#include <QTime>

#include <memory>
#include <optional>
#include <vector>

namespace aotscope {

/// The run that the window shows: of the open session, or, while the pipeline is paused at a breakpoint, the new one as
/// far as it has come. Results belong to the session's; nothing is shown of them while another run is.
struct ShownRun {
    std::shared_ptr<const Session> session;        ///< null: none is open
    std::shared_ptr<const CompileRecord> partial;  ///< of a run that is paused; null: none is
    /// The session's record with the partition that what-if shows instead of the compiled one; null: it shows that one.
    std::shared_ptr<const CompileRecord> whatIf;
    /// What what-if asked for, even if it comes to the same as the compiled partition; nothing: it was not asked.
    std::optional<PartitionOptions> asked;
    std::optional<TimingResult> timed;
    std::optional<CheckResult> checked;
    std::optional<BisectResult> bisected;
    QTime judged;  ///< when the last of these two came; invalid: they were saved with the session

    /// Another session, without results.
    void open(std::shared_ptr<const Session> opened);
    /// Null: there is none.
    std::shared_ptr<const CompileRecord> record() const;
    bool showsWhatIf() const { return whatIf && !partial; }
    /// record() with the partition that the joint graph shows.
    std::shared_ptr<const CompileRecord> partitioned() const { return showsWhatIf() ? whatIf : record(); }
    /// What partitioned() was asked for.
    PartitionOptions partitionOptions() const;
    /// Of record(); null: it was not timed, or not checked.
    const TimingResult* timing() const { return timed && !partial ? &*timed : nullptr; }
    const CheckResult* check() const { return checked && !partial ? &*checked : nullptr; }
    const BisectResult* bisection() const { return bisected && !partial ? &*bisected : nullptr; }
    /// What is known by now of the compilers of record()'s graphs.
    std::vector<CompilerUse> compilers() const;
};

}  // namespace aotscope
