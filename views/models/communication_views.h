#pragma once

#include "cost/communication.h"
#include "models/tables/table_content.h"
#include "models/time_bars.h"
#include "record/options/options.h"
#include "record/results/results.h"

namespace aotscope {

/// What the page of communication shows of the graphs that run.
struct CommunicationContent {
    TableContent collectives;
    TableContent totals;  ///< a row for each sharded parameter, then one for each module
    TimePicture lanes;    ///< computation, communication and where it is exposed, then what was measured
    QString figures;      ///< sent, exposed, simulated time: one line
};

/// Which of the lanes a row of the picture is, from above; the last two are there only if something was measured.
QStringList communicationLanes();

/// Of the record's partition, on a simulated timeline. `options`: world, links and device. `timing`: of the same
/// partition, in this process; null: it was not timed.
CommunicationContent communicationContent(const CompileRecord& record, const Options& options,
                                          const TimingResult* timing = nullptr);

/// What there is to say of a node that communicates: why it is exposed, and what becomes of the parameter that it
/// gathers. A sentence each; none for other nodes.
QStringList communicationStory(const Communication& found, NodeId node);

}  // namespace aotscope
