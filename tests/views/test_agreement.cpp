// Every figure that is shown in two places is the same in both: status bar, tables, tree and boxes of modules,
// Inspector, pass list, command line, log, reports, pages.

#include "canvas/difference_picture.h"
#include "canvas/layout/placements.h"
#include "cost/known_machines.h"
#include "cost/variant_costs.h"
#include "io/cost_text.h"
#include "io/partition_text.h"
#include "io/report.h"
#include "io/tables/sweep_table.h"
#include "io/text_report.h"
#include "io/trace/compile_log.h"
#include "load/sample_list.h"
#include "models/pass_list_model.h"
#include "models/summary_line.h"
#include "models/tables/values_table.h"
#include "models/tables/variant_tables.h"
#include "panels/inspector/node_html.h"
#include "support/long_tests.h"
#include "support/program.h"
#include "support/test_program.h"
#include "support/text.h"
#include "views/module_figures.h"
#include "views/records.h"
#include "views/table_cells.h"

#include <nlohmann/json.hpp>

namespace aotscope::test::agreement_test {
namespace {

const QStringList kPartition = {u"saved values"_s, u"saved bytes"_s, u"recomputed operations"_s, u"recomputed bytes"_s};
/// "3 values saved, 65.5 kB; 2 operations recomputed, 131 kB".
const QString kFigures =
    kCount + u"values? saved, ([\\d.]+ \\w?B); "_s + kCount + u"operations? recomputed(?:, ([\\d.]+ \\w?B))?"_s;

/// Reads one run wherever it is shown.
class Reader {
public:
    Reader(const std::shared_ptr<const CompileRecord>& record, const Options& options)
        : record_(record), options_(options), partition_(*record->partition), joint_(record->graph(GraphKind::joint)) {}

    Figures run() {
        statusBar();
        commandLine();
        report();
        valuesPage();
        whatIfPages();
        inspector();
        passes();
        modules();
        return std::move(figures_);
    }

private:
    void statusBar() {
        const QString line = summaryLine(*record_, GraphKind::joint, joint_->callCount(), false, nullptr);
        figures_.match("status bar", line,
                       u"joint ([\\d,]+) ops?    saved ([\\d,]+) values?, ([\\d.]+ \\w?B)(?:; already kept: .*)?    "
                       "recomputed (\\d+)"_s,
                       {u"joint operations"_s, kPartition[0], kPartition[1], kPartition[2]});
    }

    void commandLine() {
        const QString summary = q(summaryText(*record_)), details = q(partitionDetails(partition_, *joint_));
        figures_.match("summary", summary, u"joint ([\\d,]+) ops?"_s, {u"joint operations"_s});
        figures_.match("summary", summary, kFigures, kPartition);
        figures_.match("aotscope partition", details, u"partition of ([\\d,]+) operation"_s, {u"joint operations"_s});
        figures_.match("aotscope partition", details, kFigures, kPartition);
        const QString log = q(logText(compileLog(*record_), LogLevel::debug));
        if (partition_.algorithm != PartitionAlgorithm::printed)
            figures_.match("log", log, u"partition: "_s + kFigures, kPartition);
        const NodeTimes times(assumedGpu());
        const VariantCosts costs = costsOf(partition_, record_->knownMetadata(), times);
        figures_.match("costs", q(costsText(costs)), u"^saved ([\\d.]+ \\w?B)"_s, {kPartition[1]});
        figures_.add(kPartition[2], "costs", costs.recomputedOps);
        figures_.bytes(kPartition[1], "sweep",
                       sweepPoint("", *record_, 0, nullptr, nullptr).at("saved_bytes").get<std::int64_t>());
    }

    void report() {
        const nlohmann::json report = makeReport(options_, *record_, machineOf("cpu")), &own = report.at("partition");
        figures_.add(kPartition[0], "report", own.at("saved_values").get<std::size_t>());
        figures_.bytes(kPartition[1], "report", own.at("saved_unique_bytes").get<std::int64_t>());
        figures_.add(kPartition[2], "report", own.at("recomputed_operations").get<std::size_t>());
        if (own.at("recomputed_operations").get<std::size_t>() > 0)
            figures_.bytes(kPartition[3], "report", own.at("recomputed_bytes").get<std::int64_t>());
        std::int64_t kept = 0, bytes = 0;
        std::size_t computing = 0;
        for (const auto& value : own.at("saved"))
            if (value.at("kept_alive_bytes").is_number()) kept += value.at("kept_alive_bytes").get<std::int64_t>();
        for (const auto& value : own.at("recomputed")) {
            computing += value.at("computes").get<bool>();
            bytes += value.at("bytes").get<std::int64_t>();
        }
        figures_.bytes(kPartition[1], "rows of the report", kept);
        figures_.add(kPartition[2], "rows of the report", computing);
        if (computing > 0) figures_.bytes(kPartition[3], "rows of the report", bytes);
        figures_.add(u"joint operations"_s, "report", report.at("graphs").at("joint").at("calls").get<std::size_t>());
        for (const char* graph : {"joint", "backward"})
            figures_.add(u"gradients"_s, graph, report.at("graphs").at(graph).at("gradients").get<std::size_t>());
    }

    void valuesPage() {
        const TableContent table = valuesTable(*record_, {});
        figures_.match("Values", table.summary, kFigures, kPartition);
        const auto rows = [&](unsigned filter) {
            return static_cast<std::size_t>(
                std::ranges::count_if(table.rows, [&](const auto& row) { return row.filters & filter; }));
        };
        figures_.add(kPartition[0], "rows of Values", rows(1U));
        figures_.add(kPartition[2], "rows of Values", rows(2U));
        const auto fates = column(table, "Fate");
        figures_.add(kPartition[0], "fates in Values", static_cast<std::size_t>(fates.count(u"saved"_s)));
        std::int64_t kept = 0;
        for (const auto& row : table.rows) kept += std::max<std::int64_t>(row.cells.at(3).sortKey.toLongLong(), 0);
        figures_.bytes(kPartition[1], "storages in Values", kept);
    }

    void whatIfPages() {
        const auto shared = record_->partition;
        const Variant variant =
            makeVariant(u"Compiled"_s, {}, shared, record_->knownMetadata(), NodeTimes(assumedGpu()));
        const TableContent table = runTable({runRowOf(variant)});
        figures_.add(kPartition[0], "Variants", cell(table, 0, "Values"));
        figures_.add(kPartition[1], "Variants", cell(table, 0, "Saved"));
        figures_.add(kPartition[2], "Variants", cell(table, 0, "Recomputed"));
        const PartitionResult result = resultOf(variant, variant, false);
        figures_.add(kPartition[1], "What If", result.figures.at(0).after);
        figures_.add(kPartition[2], "What If", result.figures.at(1).after);
        figures_.match("Cost of the other choice", differenceLine(variant, variant),
                       u"saved ([\\d,]+) values?, ([^;]+); recomputed (\\d+)"_s, kPartition.first(3));
        const TableContent difference = differenceTable(variant, variant, {});
        figures_.add(kPartition[0], "Difference", difference.rows.at(0).cells.at(1).text);
        figures_.add(kPartition[1], "Difference", difference.rows.at(1).cells.at(1).text);
        figures_.add(kPartition[2], "Difference", difference.rows.at(2).cells.at(1).text);
    }

    void inspector() {
        for (const GraphKind kind : {GraphKind::joint, GraphKind::backward}) {
            const QString html = graphSections(*record_->graph(kind), kind).front().html;
            if (html.contains(u"gradient"_s))
                figures_.match("Inspector", html, kCount + u"gradients?"_s, {u"gradients"_s});
            figures_.match("Inspector", html, u">"_s + kCount + u"operation"_s,
                           {q(std::string(name(kind))) + u" operations"_s});
        }
    }

    void passes() {
        PassListModel list;
        list.setRecord(record_);
        for (std::size_t i = 0; i < record_->passes.size(); ++i)
            for (const auto& [kind, graph] : record_->passes[i].graphs)
                if (graph == joint_ && kind == GraphKind::joint)
                    figures_.add(u"joint operations"_s, "Passes",
                                 list.index(static_cast<int>(i), 1).data().toString().section(u'→', -1).trimmed());
    }

    void modules() {
        for (const auto& [kind, graph] : record_->graphs) ModuleReader(figures_, record_, kind).run();
        const ModuleTree tree = moduleTree({record_, joint_, GraphKind::joint, nullptr});
        figures_.add(u"joint operations"_s, "Modules", tree.modules.front().operations);
        if (tree.modules.front().savedBytes > 0)
            figures_.bytes(kPartition[1], "Modules", tree.modules.front().savedBytes);
    }

    std::shared_ptr<const CompileRecord> record_;
    const Options& options_;
    const Partition& partition_;
    std::shared_ptr<const Graph> joint_;
    Figures figures_;
};

QString problemsOf(const std::shared_ptr<const Session>& session) {
    const auto record = session->record();
    if (!record->partition || !record->graph(GraphKind::joint)) return {};
    const Figures figures = Reader(record, session->options()).run();
    if (figures.placesOf("saved bytes") < 10) return u"too few places show what is saved"_s;
    return figures.contradictions().join(u'\n');
}

QString problemsOf(const Options& options) { return problemsOf(Session::open(options, {})); }

}  // namespace

class TestAgreement : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(recordOf("sincos")); }

    void samples_data() {
        QTest::addColumn<double>("budget");
        for (const SampleInfo& sample : sampleList()) {
            if (isLargeSample(sample.name) && !longTests()) continue;
            QTest::addRow("%s", sample.name.c_str()) << 1.0;
            QTest::addRow("%s budget", sample.name.c_str()) << 0.3;
        }
    }
    void samples() {
        QFETCH(double, budget);
        Options options;
        options.model = "sample:" + QString::fromUtf8(QTest::currentDataTag()).section(u' ', 0, 0).toStdString();
        options.partition.memoryBudget = budget;
        QCOMPARE(problemsOf(options), QString());
    }

    /// As Python has split them, and as we do.
    void logs_data() {
        QTest::addColumn<QString>("file");
        for (const QString& folder : {u"printed"_s, u"trace_logs"_s}) {
            const QDir dir(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/") + folder);
            for (const QString& file : dir.entryList({u"*.log"_s, u"*.trace"_s}, QDir::Files)) {
                // Most programs also have a text of TORCH_LOGS with the same graphs.
                const bool twice = folder == "printed"_L1 && file.endsWith(u".log"_s);
                if (!twice || longTests()) QTest::newRow(qPrintable(file)) << dir.filePath(file);
            }
        }
    }
    void logs() {
        QFETCH(QString, file);
        Options options{.model = file.toStdString()};
        QCOMPARE(problemsOf(options), QString());
        options.repartition = true;
        QCOMPARE(problemsOf(options), QString());
    }

    /// A few real models; all of them in the long tests.
    void realModels_data() {
        QTest::addColumn<QString>("file");
        const QString path = qEnvironmentVariable("AOTSCOPE_REFERENCE");
        if (path.isEmpty()) QTest::newRow("none") << QString();
        const QDir reference(path.isEmpty() ? u"/nowhere"_s : path);
        for (const char* folder : {"real", "real2", "zoo", "logs"}) {
            const QDir dir(reference.filePath(QString::fromUtf8(folder)));
            QStringList files = dir.entryList({u"*.pt2"_s, u"*.log"_s}, QDir::Files);
            if (!longTests()) files = files.first(std::min<qsizetype>(files.size(), 2));
            for (const QString& file : std::as_const(files)) QTest::newRow(qPrintable(file)) << dir.filePath(file);
        }
    }
    void realModels() {
        QFETCH(QString, file);
        if (file.isEmpty())
            QSKIP("SKIPPED: no real models; point AOTSCOPE_REFERENCE to a folder with real/ and real2/");
        Options options{.model = file.toStdString()};
        std::shared_ptr<const Session> session;
        try {
            session = Session::open(options, {});
        } catch (const Error& refused) {
            QSKIP(qPrintable(u"SKIPPED: "_s + QString::fromUtf8(refused.what())));
        }
        QCOMPARE(problemsOf(session), QString());
        options.partition.memoryBudget = 0.3;
        QCOMPARE(problemsOf(options), QString());
    }

    /// Every value that a difference counts and that is in the picture is marked there, as a box or as a line in one.
    void changedValuesAreMarked() {
        Options options{.model = "sample:gpt2-tiny"};
        const auto before = Session::open(options, {})->record();
        options.partition.memoryBudget = 0.2;
        const auto after = Session::open(options, {})->record();
        const GraphDifference difference = compareRuns(*before, *after, GraphKind::joint);
        const DrawnGraph picture = drawDifference(*before, *after, difference);
        std::size_t lines = 0;
        for (const DifferenceRow& row : difference.rows) {
            if (row.kind != DifferenceKind::changed) continue;
            const auto own = picture.indexOf.find(row.after), line = picture.attachedTo.find(row.after);
            if (own == picture.indexOf.end() && line == picture.attachedTo.end()) continue;
            lines += own == picture.indexOf.end();
            const int box = own == picture.indexOf.end() ? line->second : own->second;
            QVERIFY2(differs(picture.nodes.at(static_cast<std::size_t>(box))), row.what.c_str());
        }
        QVERIFY(lines > 0);
    }

    /// The cards of the start page show the number of operations in the joint graph of a sample.
    void cards() {
        const QJsonObject counts = readJson(QStringLiteral(AOTSCOPE_SOURCE_DIR "/resources/pictures/samples.json"));
        for (const SampleInfo& sample : sampleList()) {
            if (isLargeSample(sample.name) && sample.name != "gpt2" && !longTests()) continue;
            const auto joint = recordOf(sample.name)->graph(GraphKind::joint);
            QVERIFY2(joint, sample.name.c_str());
            QCOMPARE(static_cast<std::size_t>(counts[q(sample.name)].toInt()), joint->callCount());
        }
    }
};

AOTSCOPE_TEST(TestAgreement)

}  // namespace aotscope::test::agreement_test

#include "test_agreement.moc"
