#include "session/described_tables.h"

#include "io/differences/difference_table.h"
#include "io/differences/recompilations_text.h"
#include "io/history_text.h"
#include "io/rank_timeline.h"
#include "io/tables/check_table.h"
#include "io/tables/communication_tables.h"
#include "io/tables/compiler_table.h"
#include "io/tables/fit_table.h"
#include "io/tables/guard_table.h"
#include "io/tables/hang_table.h"
#include "io/tables/memory_table.h"
#include "io/tables/metadata_tables.h"
#include "io/tables/operator_cost_table.h"
#include "io/tables/operator_tables.h"
#include "io/tables/pareto_table.h"
#include "io/tables/partition_table.h"
#include "io/tables/pass_table.h"
#include "io/tables/rank_tables.h"
#include "io/tables/snapshot_tables.h"
#include "io/tables/step_table.h"
#include "io/tables/sweep_table.h"
#include "io/tables/table_text.h"
#include "io/tables/trace_tables.h"
#include "io/tables/train_tables.h"
#include "io/trace/trace_log_text.h"
#include "load/sample_list.h"

#include <nlohmann/json.hpp>

namespace aotscope {

Table samplesTable() {
    Table table{"samples",
                {{"name", "sample", "what to open"}, {"help", "about", "what the model is, and what it shows"}}};
    for (const SampleInfo& sample : sampleList()) table.add("sample:" + sample.name, sample.help);
    return table;
}

std::vector<DescribedTable> describedTables() {
    const CompileRecord nothing;
    const MachineModel machine;
    std::vector<DescribedTable> tables = {
        {"aotscope samples", samplesTable()},
        {"aotscope compilers", compilerTable({}), "`compilers`, with a list of `settings` for each compiler"},
        {"aotscope costs MODEL", operatorCostTable(nothing, machine)},
        {"aotscope fit MODEL", fitTable({})},
        {"aotscope snapshot FILE --list categories", memoryCategoryTable(emptyMemoryStory())},
        {"aotscope snapshot FILE", memoryLineTable(emptyMemoryStory())},
        {"aotscope snapshot FILE --list blocks", memoryBlockTable(emptyMemoryStory())},
        {"aotscope snapshot FILE --list curve", memoryCurveTable(emptyMemoryStory())},
        {"aotscope snapshot FILE --list leaks", memoryLeakTable(emptyMemoryStory())},
        {"aotscope snapshot FILE --against OTHER", memoryChangeTable(emptyMemoryStory(), emptyMemoryStory())},
        {"aotscope hang DUMP", hangTable({}), "`ranks`, beside `hangs`"},
        {"aotscope ops", coverageTable({})},
        {"aotscope ops --decompose TABLE", decompositionsTable({}, {}, "")},
        {"aotscope ops --before-autograd", pythonKernelsTable("")},
        {"aotscope passes MODEL", passTable(nothing)},
        {"aotscope passes MODEL --node NODE", historyTable(nothing, {})},
        {"aotscope partition MODEL", partitionTable({}, nullptr, {}),
         "`partition.saved` and `partition.recomputed` of the report; CSV has both"},
        {"aotscope partition MODEL --report", liveValueTable({}, 0), "`memory.live_at_peak` of the report"},
        {"aotscope pareto MODEL", paretoTable({})},
        {"aotscope sweep FILE", sweepTable(nlohmann::json::array())},
        {"aotscope run MODEL --time N", stepTable({}, nothing, &machine), "`timing.steps` of the report"},
        {"aotscope run MODEL", guardTable(nothing), "`guards` of the report; `assumptions` has the same keys"},
        {"aotscope run MODEL --check", compilationTable(nothing, {}),
         "`check.recompilations` of the report, with differences"},
        {"aotscope run MODEL --check --report FILE", checkedValueTable({}), "`check.values` of the report"},
        {"aotscope run MODEL --world-size N", collectiveTable({}),
         "`collectives` of each of `communication.graphs` in the report, with `why_exposed`"},
        {"aotscope run MODEL --world-size N, by module",
         withColumns(communicatingModuleTable({}),
                     {"module", "collectives", "sent_bytes", "communication_ms", "exposed_ms"}),
         "`modules` of each of `communication.graphs` in the report"},
        {"aotscope run MODEL --world-size N, sharded parameters",
         withColumns(unshardTable({}), {"parameter", "gather", "shard_bytes", "gathered_bytes", "backward",
                                        "saved_bytes", "sent_bytes", "exposed_ms"}),
         "`communication.unshards` of the report"},
        {"aotscope run MODEL --report FILE, inputs", inputTable({}), "`metadata.inputs` of the report"},
        {"aotscope run MODEL --report FILE, outputs", outputTable({}, {}), "`metadata.outputs` of the report"},
        {"aotscope run MODEL --ranks N", rankCheckTable({}), "`checks` of the report"},
        {"aotscope run MODEL --ranks N --time N", rankTimelineTable({}), "`timelines` of the report"},
        {"aotscope train MODEL", trainStepTable({}), "`training.curve`"},
        {"aotscope train MODEL --json FILE", trainRunTable({}), "`training.eager` and `training.compiled`"},
        {"aotscope run MODEL --time N --report FILE", moduleTable({}, nothing), "`timing.modules` of the report"},
        {"aotscope diff A B", differenceTable(RunDifference()),
         "`ops`, `saved`, `recomputed`, `facts`, and `nodes` of each of `graphs`; CSV has all"},
        {"aotscope ranks RANK OTHER", rankDifferencesTable({}, {"RANK"})},
        {"aotscope compiles LOG", listTable(overviewTable({}, {}, {})),
         "`compilations`, which have more; there, `compile` is called `id`, and `file` stands before them"},
        {"aotscope compiles TEXT", printedTable(), "`compilations` of each of `texts`, where `compile` is called `id`"},
        {"aotscope compiles LOG --why saved", listTable(whySavedTable({}, nullptr, {}))}};
    for (const TraceList& list : traceLists())
        tables.push_back({"aotscope compiles LOG --list " + std::string(list.name), listTable(list.table({}, {}, {}))});
    return tables;
}

std::string tablesManual() {
    std::string page =
        "# Tables for other programs\n\nCommands that print tables can also write them as JSON (`--json`; `--report` "
        "for `run` and `partition`) and as CSV (`--csv`). Both have the same keys. A key with a dot is a nested member "
        "in JSON, and has `_` instead of the dot in CSV. Missing values are left out in JSON and empty in CSV. "
        "Lists are separated by spaces in CSV, sentences by line breaks.\n";
    for (const DescribedTable& each : describedTables())
        page += "\n## " + each.command + "\n\nThe rows are in " +
                (each.where.empty() ? "`" + each.table.key + "`" : each.where) + ".\n\n" + tableManual(each.table);
    return page;
}

}  // namespace aotscope
