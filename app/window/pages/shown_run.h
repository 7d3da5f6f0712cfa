#pragma once

#include "record/compile_record.h"
#include "session/session.h"

#include <QTime>

#include <memory>
#include <optional>
#include <vector>

namespace aotscope {

/// The run that the window shows: of the open session or, while the pipeline is paused at a breakpoint, the new one as
/// far as it has come. Results belong to the session; they are hidden while another run is shown.
struct ShownRun {
    std::shared_ptr<const Session> session;        ///< null: none is open
    std::shared_ptr<const CompileRecord> partial;  ///< of a paused run; null: none
    /// The session's record with the partition shown by what-if; null: what-if shows the compiled one.
    std::shared_ptr<const CompileRecord> whatIf;
    /// The partition requested by what-if, even if it equals the compiled one; nothing: not requested.
    std::optional<PartitionOptions> asked;
    std::optional<TimingResult> timed;
    std::optional<CheckResult> checked;
    std::optional<BisectResult> bisected;
    QTime judged;  ///< time of the last of these two; invalid: they were saved with the session

    /// Another session, without results.
    void open(std::shared_ptr<const Session> opened);
    /// Null: none.
    std::shared_ptr<const CompileRecord> record() const;
    bool showsWhatIf() const { return whatIf && !partial; }
    /// record() with the partition in the joint graph.
    std::shared_ptr<const CompileRecord> partitioned() const { return showsWhatIf() ? whatIf : record(); }
    /// The request behind partitioned().
    PartitionOptions partitionOptions() const;
    /// Of record(); null: not timed, or not checked.
    const TimingResult* timing() const { return timed && !partial ? &*timed : nullptr; }
    const CheckResult* check() const { return checked && !partial ? &*checked : nullptr; }
    const BisectResult* bisection() const { return bisected && !partial ? &*bisected : nullptr; }
    /// The compilers of record()'s graphs, as far as known.
    std::vector<CompilerUse> compilers() const;
};

}  // namespace aotscope
