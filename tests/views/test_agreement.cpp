// Every figure that two places show is the same in both: status bar, tables, tree and boxes of modules, Inspector, pass
// list, command line, log, reports, pages.

#include "canvas/difference_picture.h"
#include "canvas/page_data.h"
#include "canvas/placements.h"
#include "canvas/visible.h"
#include "cost/variant_costs.h"
#include "io/compile_log.h"
#include "io/cost_text.h"
#include "io/partition_text.h"
#include "io/report.h"
#include "io/sweep_text.h"
#include "io/text_report.h"
#include "models/module_tree_model.h"
#include "models/pass_list_model.h"
#include "models/summary_line.h"
#include "models/values_table.h"
#include "models/variant_tables.h"
#include "panels/node_html.h"
#include "support/long_tests.h"
#include "support/program.h"
#include "support/test_program.h"
#include "support/text.h"
#include "views/records.h"
#include "views/table_cells.h"

#include <QJsonArray>
#include <QRegularExpression>
#include <QtTest>

#include <nlohmann/json.hpp>

namespace aotscope::test::agreement_test {
namespace {

/// What places show, by figure.
class Figures {
public:
    void add(const QString& figure, const char* place, const QString& value) {
        shown_[figure].emplace_back(QString::fromUtf8(place), QString(value).remove(u','));
    }
    void add(const QString& figure, const char* place, std::size_t value) {
        add(figure, place, QString::number(value));
    }
    void bytes(const QString& figure, const char* place, std::int64_t value) {
        add(figure, place, q(formatBytes(value)));
    }
    /// The groups of a pattern in `text`, in the order of `figures`; one that takes no part says nothing.
    void match(const char* place, const QString& text, const QString& pattern, const QStringList& figures) {
        const auto found = QRegularExpression(pattern).match(text);
        if (!found.hasMatch()) return add(figures.front(), place, QStringLiteral("'%1' not in %2").arg(pattern, text));
        for (int i = 0; i < figures.size(); ++i)
            if (!found.captured(i + 1).isEmpty()) add(figures[i], place, found.captured(i + 1).trimmed());
    }

    QStringList contradictions() const {
        QStringList list;
        for (const auto& [figure, places] : shown_) {
            QStringList values;
            for (const auto& [place, value] : places) values << place + QStringLiteral(" ") + value;
            const bool same =
                std::ranges::all_of(places, [&](const auto& shown) { return shown.second == places.front().second; });
            if (!same) list << figure + QStringLiteral(": ") + values.join(QStringLiteral(", "));
        }
        return list;
    }
    std::size_t placesOf(const char* figure) const {
        const auto known = shown_.find(QString::fromUtf8(figure));
        return known == shown_.end() ? 0 : known->second.size();
    }

private:
    std::map<QString, std::vector<std::pair<QString, QString>>> shown_;
};

const QString kCount = QStringLiteral("([\\d,]+) ");
const QStringList kPartition = {QStringLiteral("saved values"), QStringLiteral("saved bytes"),
                                QStringLiteral("recomputed operations"), QStringLiteral("recomputed bytes")};
/// "3 values saved, 65.5 kB; 2 operations recomputed, 131 kB".
const QString kFigures = kCount + QStringLiteral("values? saved, ([\\d.]+ \\w?B); ") + kCount +
                         QStringLiteral("operations? recomputed(?:, ([\\d.]+ \\w?B))?");

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
                       QStringLiteral("joint ([\\d,]+) ops?    saved ([\\d,]+) values?, ([\\d.]+ \\w?B)    recomputed "
                                      "(\\d+)"),
                       {QStringLiteral("joint operations"), kPartition[0], kPartition[1], kPartition[2]});
    }

    void commandLine() {
        const QString summary = q(summaryText(*record_)), details = q(partitionDetails(partition_, *joint_));
        figures_.match("summary", summary, QStringLiteral("joint ([\\d,]+) ops?"),
                       {QStringLiteral("joint operations")});
        figures_.match("summary", summary, kFigures, kPartition);
        figures_.match("aotscope partition", details, QStringLiteral("partition of ([\\d,]+) operation"),
                       {QStringLiteral("joint operations")});
        figures_.match("aotscope partition", details, kFigures, kPartition);
        const QString log = q(logText(compileLog(*record_), LogLevel::debug));
        if (partition_.algorithm != PartitionAlgorithm::printed)
            figures_.match("log", log, QStringLiteral("partition: ") + kFigures, kPartition);
        const NodeTimes times(assumedGpu());
        const VariantCosts costs = costsOf(partition_, record_->knownMetadata(), times);
        figures_.match("costs", q(costsText(costs)), QStringLiteral("^saved ([\\d.]+ \\w?B)"), {kPartition[1]});
        figures_.add(kPartition[2], "costs", costs.recomputedOps);
        figures_.bytes(kPartition[1], "sweep",
                       sweepPoint("", *record_, 0, nullptr, nullptr).at("saved_bytes").get<std::int64_t>());
    }

    void report() {
        const nlohmann::json report = makeReport(options_, *record_, nullptr, nullptr), &own = report.at("partition");
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
        figures_.add(QStringLiteral("joint operations"), "report",
                     report.at("graphs").at("joint").at("calls").get<std::size_t>());
        for (const char* graph : {"joint", "backward"})
            figures_.add(QStringLiteral("gradients"), graph,
                         report.at("graphs").at(graph).at("gradients").get<std::size_t>());
    }

    void valuesPage() {
        const TableContent table = valuesTable(*record_, {});
        figures_.match("Values", table.summary,
                       QStringLiteral("Saved: ([\\d,]+) values?, ([^;]+); recomputed: ([\\d,]+) operations?, ([^;]+)"),
                       figures_.placesOf("recomputed bytes") > 0 ? kPartition : kPartition.first(3));
        const auto rows = [&](unsigned filter) {
            return static_cast<std::size_t>(
                std::ranges::count_if(table.rows, [&](const auto& row) { return row.filters & filter; }));
        };
        figures_.add(kPartition[0], "rows of Values", rows(1U));
        figures_.add(kPartition[2], "rows of Values", rows(2U));
        const auto fates = column(table, "Fate");
        figures_.add(kPartition[0], "fates in Values", static_cast<std::size_t>(fates.count(QStringLiteral("saved"))));
        std::int64_t kept = 0;
        for (const auto& row : table.rows) kept += std::max<std::int64_t>(row.cells.at(3).sortKey.toLongLong(), 0);
        figures_.bytes(kPartition[1], "storages in Values", kept);
    }

    void whatIfPages() {
        const auto shared = record_->partition;
        const Variant variant =
            makeVariant(QStringLiteral("Compiled"), {}, shared, record_->knownMetadata(), NodeTimes(assumedGpu()));
        const TableContent table = variantTable({variant}, 0);
        figures_.add(kPartition[0], "Variants", cell(table, 0, "Values"));
        figures_.add(kPartition[1], "Variants", cell(table, 0, "Saved"));
        figures_.add(kPartition[2], "Variants", cell(table, 0, "Recomputed"));
        const PartitionResult result = resultOf(variant, variant, false);
        figures_.add(kPartition[1], "What If", result.figures.at(0).after);
        figures_.add(kPartition[2], "What If", result.figures.at(1).after);
        figures_.match("Cost of the other choice", differenceLine(variant, variant),
                       QStringLiteral("saved ([\\d,]+) values?, ([^;]+); recomputed (\\d+)"), kPartition.first(3));
        const TableContent difference = differenceTable(variant, variant, {});
        figures_.add(kPartition[0], "Difference", difference.rows.at(0).cells.at(1).text);
        figures_.add(kPartition[1], "Difference", difference.rows.at(1).cells.at(1).text);
        figures_.add(kPartition[2], "Difference", difference.rows.at(2).cells.at(1).text);
    }

    void inspector() {
        for (const GraphKind kind : {GraphKind::joint, GraphKind::backward}) {
            const QString html = graphSections(*record_->graph(kind), kind).front().html;
            if (html.contains(QStringLiteral("gradient")))
                figures_.match("Inspector", html, kCount + QStringLiteral("gradients?"), {QStringLiteral("gradients")});
            figures_.match("Inspector", html, QStringLiteral(">") + kCount + QStringLiteral("operation"),
                           {q(std::string(name(kind))) + QStringLiteral(" operations")});
        }
    }

    void passes() {
        PassListModel list;
        list.setRecord(record_);
        for (std::size_t i = 0; i < record_->passes.size(); ++i)
            for (const auto& [kind, graph] : record_->passes[i].graphs)
                if (graph == joint_ && kind == GraphKind::joint)
                    figures_.add(QStringLiteral("joint operations"), "Passes",
                                 list.index(static_cast<int>(i), 1).data().toString().section(u'→', -1).trimmed());
    }

    void modules() {
        const auto tree = std::make_shared<const ModuleTree>(moduleTree({record_, joint_, GraphKind::joint, nullptr}));
        ModuleTreeModel model;
        model.setTree(tree, QStringLiteral("model"));
        const auto cellOf = [&](int module, int column) { return model.indexOf(module, column).data().toString(); };
        figures_.add(QStringLiteral("joint operations"), "Modules", cellOf(0, ModuleTreeModel::Column::operations));
        const QString saved = cellOf(0, ModuleTreeModel::Column::saved);
        if (!saved.isEmpty()) figures_.add(kPartition[1], "Modules", saved);
        const auto drawn = withGroups(drawGraph(*joint_, GraphKind::joint, *record_));
        std::map<QString, int> calls;
        for (const ModuleGroup& group : drawn->groups->groups)
            if (group.kind == ModuleGroup::Kind::module) ++calls[group.path];
        for (int depth = 1; depth <= drawn->groups->deepest(); ++depth) {
            const auto closed = visibleGraph(drawn, collapsedTo(*drawn->groups, depth));
            for (const DrawnNode& box : closed->nodes) {
                const ModuleGroup* group = box.group >= 0 ? &(*drawn->groups)[box.group] : nullptr;
                const int module = group ? tree->byPath(group->path) : -1;
                if (module < 0 || group->kind != ModuleGroup::Kind::module || calls[group->path] > 1) continue;
                box_ = group->path;
                closedModule(box, cellOf(module, ModuleTreeModel::Column::saved));
                operations_[box_] += box.operations;
                figures_.match("box", box.lines.join(u'\n'), kCount + QStringLiteral("operation"),
                               {QStringLiteral("operations of %1, %2").arg(box_).arg(static_cast<int>(box.stage))});
                figures_.add(QStringLiteral("operations of %1, %2").arg(box_).arg(static_cast<int>(box.stage)),
                             "box counted", static_cast<std::size_t>(box.operations));
            }
            page(*closed);
            for (const auto& [path, operations] : operations_) {
                figures_.add(QStringLiteral("operations of ") + path, "Modules",
                             cellOf(tree->byPath(path), ModuleTreeModel::Column::operations));
                figures_.add(QStringLiteral("operations of ") + path, "boxes", static_cast<std::size_t>(operations));
            }
            operations_.clear();
        }
    }

    /// What a box says of the whole module, once.
    void closedModule(const DrawnNode& box, const QString& inTree) {
        for (const QString& line : box.lines) {
            if (!line.startsWith(QStringLiteral("saves "))) continue;
            const QString bytes = line.section(QStringLiteral(", "), -1);
            figures_.add(QStringLiteral("saved by ") + box_, "box",
                         line == QLatin1String("saves nothing") ? QStringLiteral("0 B") : bytes);
            figures_.add(QStringLiteral("saved by ") + box_, "Modules",
                         inTree.isEmpty() ? QStringLiteral("0 B") : inTree);
        }
    }

    void page(const DrawnGraph& closed) {
        const QJsonDocument data = QJsonDocument::fromJson(pageData(closed, *joint_));
        for (const auto& module : data[QStringLiteral("modules")].toArray()) {
            const DrawnNode& box = closed.nodes.at(static_cast<std::size_t>(module[QStringLiteral("box")].toInt()));
            const QString key = QStringLiteral("text of ") + box.name + QString::number(static_cast<int>(box.stage)) +
                                QString::number(closed.nodes.size());
            figures_.add(key, "page",
                         module[QStringLiteral("fate")].toString().section(u'\n', 0, box.lines.size() - 1));
            figures_.add(key, "box", box.lines.join(u'\n'));
        }
    }

    std::shared_ptr<const CompileRecord> record_;
    const Options& options_;
    const Partition& partition_;
    std::shared_ptr<const Graph> joint_;
    Figures figures_;
    QString box_;
    std::map<QString, int> operations_;
};

QString problemsOf(const Options& options) {
    const auto session = Session::open(options, {});
    const auto record = session->record();
    if (!record->partition || !record->graph(GraphKind::joint)) return {};
    const Figures figures = Reader(record, session->options()).run();
    if (figures.placesOf("saved bytes") < 10) return QStringLiteral("too few places show what is saved");
    return figures.contradictions().join(u'\n');
}

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
        for (const QString& folder : {QStringLiteral("printed"), QStringLiteral("trace_logs")}) {
            const QDir dir(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/") + folder);
            for (const QString& file :
                 dir.entryList({QStringLiteral("*.log"), QStringLiteral("*.trace")}, QDir::Files)) {
                // Of most programs there is a text of TORCH_LOGS, too, with the same graphs.
                const bool twice = folder == QLatin1String("printed") && file.endsWith(QStringLiteral(".log"));
                if (!twice || longTests()) QTest::newRow(qPrintable(file)) << dir.filePath(file);
            }
        }
    }
    void logs() {
        QFETCH(QString, file);
        Options options;
        options.model = file.toStdString();
        QCOMPARE(problemsOf(options), QString());
        options.repartition = true;
        QCOMPARE(problemsOf(options), QString());
    }

    /// Of real models a few; all of them among the long tests.
    void realModels_data() {
        QTest::addColumn<QString>("file");
        const QString path = qEnvironmentVariable("AOTSCOPE_REFERENCE");
        if (path.isEmpty()) QTest::newRow("none") << QString();
        const QDir reference(path.isEmpty() ? QStringLiteral("/nowhere") : path);
        for (const char* folder : {"real", "real2", "logs"}) {
            const QDir dir(reference.filePath(QString::fromUtf8(folder)));
            QStringList files = dir.entryList({QStringLiteral("*.pt2"), QStringLiteral("*.log")}, QDir::Files);
            if (!longTests()) files = files.first(std::min<qsizetype>(files.size(), 2));
            for (const QString& file : std::as_const(files)) QTest::newRow(qPrintable(file)) << dir.filePath(file);
        }
    }
    void realModels() {
        QFETCH(QString, file);
        if (file.isEmpty())
            QSKIP("SKIPPED: no real models; point AOTSCOPE_REFERENCE to a folder with real/ and real2/");
        Options options;
        options.model = file.toStdString();
        QCOMPARE(problemsOf(options), QString());
        options.partition.memoryBudget = 0.3;
        QCOMPARE(problemsOf(options), QString());
    }

    /// Every value that a difference counts and that is in the picture is marked there, as a box or as a line in one.
    void changedValuesAreMarked() {
        Options options;
        options.model = "sample:gpt2-tiny";
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

    /// The cards of the start page say how many operations the joint graph of a sample has.
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
