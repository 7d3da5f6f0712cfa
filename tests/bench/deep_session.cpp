#include "deep_session.h"

#include "cost/known_machines.h"
#include "cost/runtime_model.h"
#include "deep_graphs.h"
#include "io/session/session_file.h"
#include "passes/repartition.h"
#include "sessions.h"

#include <QTemporaryDir>

namespace aotscope {

std::filesystem::path writeDeepSession(int nodes) {
    static const QTemporaryDir folder;
    auto path = std::filesystem::path(folder.path().toStdString()) / (std::to_string(nodes) + ".aotscope");
    if (std::filesystem::exists(path)) return path;
    SessionContent content = sessionOf("sample:mlp")->content();
    CompileRecord record;
    record.model = {"deep-" + std::to_string(nodes), path.string(), "sample", torchVersion()};
    PassRecord pass;
    pass.id = PassId::joint;
    pass.graphs = {{GraphKind::joint, makeDeepGraph(nodes)}};
    pass.changed = true;
    pass.nodesAfter = pass.graphs[0].second->callCount();
    record.graphs = {pass.graphs[0]};
    record.passes = {pass};
    content.options.partition.algorithm = PartitionAlgorithm::defaultPartition;  // min-cut takes long here
    content.record = repartition(record, content.options.partition, rooflineTimes(machineOf("cpu")));
    content.model = {};
    content.options.model = "deep";
    content.notExecutable = "the graph was made up";
    writeSessionFile(path, content);
    return path;
}

}  // namespace aotscope
