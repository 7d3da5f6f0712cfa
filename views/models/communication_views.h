#pragma once

#include "cost/communication.h"
#include "models/tables/table_content.h"
#include "models/time_bars.h"
#include "record/options/options.h"
#include "record/results/results.h"

namespace aotscope {

/// The content of the communication page for the compiled graphs.
struct CommunicationContent {
    TableContent collectives;
    TableContent totals;  ///< a row for each sharded parameter, then one for each module
    TimePicture lanes;    ///< computation, communication and where it is exposed, then measured times
    QString figures;      ///< sent, exposed, simulated time: one line
};

/// The lane of each row of the picture, from above; the last two exist only if something was measured.
QStringList communicationLanes();

/// For the record's partition, on a simulated timeline. `options`: world and links. `machine`: that computes. `timing`:
/// of the same partition, in this process; null: not timed.
CommunicationContent communicationContent(const CompileRecord& record, const Options& options,
                                          const MachineSource& machine, const TimingResult* timing = nullptr);

/// Remarks about a node that communicates: why it is exposed, and what happens to the parameter that it gathers. A
/// sentence each; none for other nodes.
QStringList communicationStory(const Communication& found, NodeId node);

}  // namespace aotscope
