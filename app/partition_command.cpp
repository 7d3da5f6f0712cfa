#include "partition_command.h"

#include "io/partition_text.h"
#include "io/report.h"
#include "session.h"
#include "support/file.h"

#include <nlohmann/json.hpp>

#include <iostream>

namespace aotscope {

int showPartition(const Command& command) {
    const auto session = Session::open(command.options, {});
    const CompileRecord& record = *session->record();
    if (!record.error.empty()) throw Error(record.error);
    const auto joint = record.graph(GraphKind::joint);
    if (!record.partition || !joint)
        throw Error("there is nothing to partition: " +
                    (record.metadata ? record.metadata->whyAutograd : std::string("the file has no joint graph")));
    const bool toScreen = command.report == "-";
    if (!command.report.empty()) {
        const std::string text = jsonText(makeReport(command.options, record, nullptr, nullptr));
        if (toScreen) std::cout << text;
        else writeFileAtomically(command.report, text);
    }
    if (!toScreen) std::cout << partitionDetails(*record.partition, *joint);
    return kFine;
}

}  // namespace aotscope
