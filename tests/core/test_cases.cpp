// 131 small programs on mutation, aliasing, duplicates and synthetic bases: against eager, and against the results of
// PyTorch's AOTAutograd on the same files. The files are not in the repository: the test is skipped without them.

#include "io/metadata_json.h"
#include "ops/decompositions/decomposition_table.h"
#include "partition/partition_joint.h"
#include "session/session.h"
#include "support/program.h"
#include "support/reference_files.h"
#include "support/scratch.h"
#include "support/test_program.h"
#include "support/text.h"

#include <QDir>
#include <QJsonArray>
#include <QRegularExpression>
#include <QtTest>

namespace aotscope::test::cases_test {
namespace {

using Histogram = QMap<QString, int>;

/// Operations that hide a value from autograd have no node in our graphs; symbolic sizes are not operations here.
bool isCompared(const QString& op) {
    return !op.startsWith(QLatin1String("aten.detach.")) && !op.startsWith(QLatin1String("aten.alias.")) &&
           !op.startsWith(QLatin1String("aten.sym_")) && op != QLatin1String("operator.add") &&
           op != QLatin1String("operator.mul") && op != QLatin1String("operator.sub");
}

/// Operations of a graph as printed by Python.
Histogram printedOps(const QString& text) {
    static const QRegularExpression call(
        QStringLiteral(R"(= (?:torch\.ops\.([\w.]+)\(|(operator\.\w+)\(|\w+\[\d+\]))"));
    Histogram counts;
    for (auto it = call.globalMatch(text); it.hasNext();) {
        const auto match = it.next();
        QString op = match.captured(1).isEmpty() ? match.captured(2) : match.captured(1);
        if (op.isEmpty()) op = QStringLiteral("operator.getitem");
        if (isCompared(op)) ++counts[op];
    }
    return counts;
}

Histogram opsOf(const Graph& graph) {
    Histogram counts;
    for (const auto& [op, count] : opHistogram(graph))
        if (isCompared(q(op))) counts[q(op)] = count;
    return counts;
}

/// Arithmetic with numbers, whichever overload: PyTorch records those of a TorchScript file as they are there.
Histogram withoutOverloads(const Histogram& counts) {
    Histogram merged;
    for (auto it = counts.begin(); it != counts.end(); ++it) {
        static const QRegularExpression number(QStringLiteral(R"(^(aten\.(?:add|sub|mul|div))\.Scalar$)"));
        merged[QString(it.key()).replace(number, QStringLiteral("\\1.Tensor"))] += it.value();
    }
    return merged;
}

QStringList difference(const Histogram& ours, const Histogram& theirs) {
    QSet<QString> all;
    for (const QString& op : ours.keys() + theirs.keys()) all.insert(op);
    QStringList lines;
    for (const QString& op : all)
        if (ours.value(op) != theirs.value(op))
            lines << QStringLiteral("%1: %2, PyTorch has %3").arg(op).arg(ours.value(op)).arg(theirs.value(op));
    return lines;
}

/// Intended differences, and what cannot be compared; everything else is equal.
struct Known {
    QStringList cases;
    const char* why;
};

/// Cases whose metadata differs.
const std::vector<Known>& knownMetadata() {
    static const std::vector<Known> known = {
        {{QStringLiteral("input_mutation_hidden_from_autograd_aliasing"),
          QStringLiteral("input_mutation_requires_grad_no_grad"),
          QStringLiteral("input_mutation_requires_grad_no_grad_inference_graph"),
          QStringLiteral("input_mutation_requires_grad_detach_leaf")},
         "a mutation that autograd does not see gets no tangent here: PyTorch gives it one, and wrong gradients if the "
         "input is returned"},
        {{QStringLiteral("module_tied_weights_simplified")}, "tied weights are one input here, two in PyTorch"},
    };
    return known;
}

/// Cases whose graphs differ.
const std::vector<Known>& knownGraphs() {
    static const std::vector<Known> known = {
        {{QStringLiteral("input_mutation_hidden_from_autograd_aliasing"),
          QStringLiteral("input_mutation_requires_grad_no_grad"),
          QStringLiteral("input_mutation_requires_grad_detach_leaf")},
         "no tangent for a mutation that autograd does not see, so neither a protective copy nor an addition"},
        {{QStringLiteral("input_mutation_alias_everything")},
         "PyTorch returns metadata-mutated members of a base as outputs of the graph; here the wrapper knows their "
         "strides"},
        {{QStringLiteral("module_tied_weights_simplified")}, "tied weights are one input here, two in PyTorch"},
    };
    return known;
}

const char* whyKnown(const std::vector<Known>& known, const QString& name) {
    for (const Known& k : known)
        if (k.cases.contains(name)) return k.why;
    return nullptr;
}

QJsonObject toQt(const nlohmann::json& json) {
    return QJsonDocument::fromJson(QByteArray::fromStdString(json.dump())).object();
}

}  // namespace

class TestCases : public QObject {
    Q_OBJECT

    ReferenceFiles reference_;
    int graphs_ = 0, equalGraphs_ = 0;

    Options options(const QString& name, bool keep, PartitionAlgorithm partition) const {
        Options options;
        options.model = reference_.folder.filePath(QStringLiteral("cases/%1.pt").arg(name)).toStdString();
        options.inputs =
            readInputSpec(reference_.folder.filePath(QStringLiteral("cases/%1.json").arg(name)).toStdString());
        options.keepInputMutations = keep;
        options.partition.algorithm = partition;
        if (name == QLatin1String("module_batchnorm2d_eval")) options.mode = ModuleMode::eval;
        const QJsonObject recorded = reference_.entries[name][QLatin1String("options")].toObject();
        options.seed = static_cast<std::uint64_t>(recorded[QLatin1String("seed")].toInt());
        if (!recorded[QLatin1String("dynamic")].toBool()) return options;
        nameSizes(std::get<InputSpec>(options.inputs));
        return options;
    }

    /// Makes every size except 1 dynamic.
    static void nameSizes(InputSpec& spec) {
        for (ValueSpec& value : spec.values) {
            auto* leaf = std::get_if<LeafSpec>(&value);
            for (std::size_t d = 0; leaf && d < leaf->shape.size(); ++d) {
                leaf->dimNames.resize(leaf->shape.size());
                if (leaf->shape[d] == 1) continue;
                leaf->dimNames[d] = "size" + std::to_string(spec.dims.size());
                spec.dims.push_back({leaf->dimNames[d], leaf->shape[d], 2, NamedDimension::kLargest});
            }
        }
    }

    QJsonObject reference(const QString& name, bool keep) const {
        const QJsonObject runs = reference_.entries[name][QLatin1String("runs")].toObject();
        const QString wanted = keep ? QStringLiteral("keep_true") : QStringLiteral("keep_false");
        if (runs.contains(wanted)) return runs[wanted].toObject();
        const bool same = reference_.entries[name][QLatin1String("keep_true_identical")].toBool();
        return same ? runs[QLatin1String("keep_false")].toObject() : QJsonObject();
    }

    void rows(bool errors) const {
        QTest::addColumn<QString>("name");
        for (const QString& name : reference_.entries.keys())
            if (reference_.entries[name].toObject().contains(QLatin1String("error")) == errors)
                QTest::newRow(qPrintable(name)) << name;
    }

    static QStringList metadataDifferences(const QJsonObject& ours, const QJsonObject& theirs) {
        QStringList found;
        const auto compare = [&](const QString& what, const QJsonValue& a, const QJsonValue& b) {
            if (a != b) found << QStringLiteral("%1: %2, PyTorch has %3").arg(what, textOf(a), textOf(b));
        };
        const auto list = [&](const QString& what, const QJsonArray& a, const QJsonArray& b,
                              const QList<QPair<QString, QString>>& keys) {
            compare(QStringLiteral("number of ") + what, a.size(), b.size());
            for (qsizetype i = 0; i < std::min(a.size(), b.size()); ++i)
                for (const auto& [mine, other] : keys)
                    compare(QStringLiteral("%1 %2 %3").arg(what).arg(i).arg(mine), a[i][mine], b[i][other]);
        };
        const auto same = [](const QStringList& keys) {
            QList<QPair<QString, QString>> pairs;
            for (const QString& key : keys) pairs << qMakePair(key, key);
            return pairs;
        };
        list(QStringLiteral("input"), ours[QLatin1String("inputs")].toArray(),
             theirs[QLatin1String("input_info")].toArray(),
             same({QStringLiteral("is_leaf"), QStringLiteral("mutates_data"), QStringLiteral("mutates_metadata"),
                   QStringLiteral("mutations_hidden_from_autograd"),
                   QStringLiteral("mutations_under_no_grad_or_inference_mode"),
                   QStringLiteral("mutates_storage_metadata"), QStringLiteral("requires_grad"),
                   QStringLiteral("mutation_type")}));
        list(QStringLiteral("output"), ours[QLatin1String("outputs")].toArray(),
             theirs[QLatin1String("output_info")].toArray(),
             same({QStringLiteral("base_idx"), QStringLiteral("requires_grad"),
                   QStringLiteral("requires_grad_for_backward")}) +
                 QList{qMakePair(QStringLiteral("type"), QStringLiteral("output_type"))});
        for (const char* key :
             {"num_intermediate_bases", "mutated_inp_runtime_indices", "mutated_graph_handled_indices",
              "aliased_out_indices", "unsafe_view_out_indices", "num_outputs", "num_outputs_non_aliased",
              "num_outputs_aliased_to_inputs", "num_outputs_aliased_to_intermediates", "num_outputs_aliased",
              "num_forward_returns", "keep_input_mutations"})
            compare(QLatin1String(key), ours[QLatin1String(key)], theirs[QLatin1String(key)]);
        compare(QStringLiteral("tangents"), ours[QLatin1String("traced_tangents")].toArray().size(),
                theirs[QLatin1String("traced_tangents")].toArray().size());
        return found;
    }

    static QStringList argumentDifferences(const QJsonObject& ours, const QJsonObject& run) {
        QStringList found;
        const auto mine = ours[QLatin1String("dedupe")].toObject(), other = run[QLatin1String("dedupe")].toObject();
        const bool specialised = other[QLatin1String("specialised")].toBool();
        for (const char* key : {"specialised", "keep_arg_mask", "add_dupe_map"})
            if ((specialised || QLatin1String(key) == QLatin1String("specialised")) &&
                mine[QLatin1String(key)] != other[QLatin1String(key)])
                found << QStringLiteral("dedupe ") + QLatin1String(key);
        QJsonArray groups, expected;
        for (const auto& group : ours[QLatin1String("synthetic_bases")][QLatin1String("groups")].toArray())
            groups << group[QLatin1String("arguments")];
        for (const auto& group : run[QLatin1String("synthetic_base")][QLatin1String("base_groups")].toObject())
            expected << group;
        if (groups != expected)
            found << QStringLiteral("synthetic bases: %1, PyTorch has %2").arg(textOf(groups), textOf(expected));
        return found;
    }

    static QString textOf(const QJsonValue& value) {
        QString text = QString::fromUtf8(QJsonDocument(QJsonArray{value}).toJson(QJsonDocument::Compact));
        return text.mid(1, text.size() - 2);
    }

    static QString differenceFromEager(const Options& options) {
        QString found;
        const QString error = errorOf([&] {
            const CheckResult result = Session::open(options, {})->check({});
            for (const auto& detail : result.details) found += q(detail) + QLatin1Char('\n');
            if (!result.ok && found.isEmpty()) found = QStringLiteral("not equal");
        });
        return error + found;
    }

    /// The joint or inference graph as in PyTorch: after dead code elimination, before common subexpressions are
    /// merged.
    static std::shared_ptr<const Graph> withoutDeadCode(const CompileRecord& record) {
        for (const PassRecord& pass : record.passes)
            if (pass.id == PassId::deadCode) return pass.graphs.back().second;
        return nullptr;
    }

    /// The operations that PyTorch decomposed when this case was recorded; null if there are none.
    static std::shared_ptr<const DecompositionTable> decompositions(const QString& name) {
        static const QMap<QString, QByteArray> tables = {
            {QStringLiteral("notebook_mlp_core_aten"), R"({"base": "core-aten"})"},
            {QStringLiteral("notebook_prims_add"), R"({"ops": {"aten.add": "prims", "aten.expand": "prims"}})"},
            {QStringLiteral("mem_eff_mish"),
             R"({"ops": {"aten.tanh_backward": "core-aten", "aten.detach": "core-aten"}})"},
        };
        if (!tables.contains(name)) return nullptr;
        const Scratch scratch;
        return DecompositionTable::load(scratch.write(QStringLiteral("table.json"), tables[name]).toStdString());
    }

    /// Counts one comparison of graphs; the differences go to `found`. `scripted`: recorded of a TorchScript file.
    void compareGraphs(const QString& what, const Graph& ours, const QString& theirs, QStringList& found,
                       bool scripted) {
        if (theirs.isEmpty()) return;  // too long to be recorded
        const QStringList lines = scripted
                                      ? difference(withoutOverloads(opsOf(ours)), withoutOverloads(printedOps(theirs)))
                                      : difference(opsOf(ours), printedOps(theirs));
        ++graphs_;
        if (lines.empty()) ++equalGraphs_;
        for (const QString& line : lines) found << what + QStringLiteral(": ") + line;
    }

private Q_SLOTS:
    void initTestCase() {
        initializeTorch();
        reference_.open(QStringLiteral("cases_reference.json"));
    }

    void eager_data() { rows(false); }
    void eager() {
        QFETCH(QString, name);
        for (const auto partition : {PartitionAlgorithm::defaultPartition, PartitionAlgorithm::minCut})
            for (const bool keep : {false, true})
                for (const bool inference : {false, true}) {
                    Options chosen = options(name, keep, partition);
                    chosen.inference = inference;
                    QVERIFY2(differenceFromEager(chosen).isEmpty(),
                             qPrintable(QStringLiteral("%1, keep %2, inference %3: %4")
                                            .arg(q(aotscope::name(partition)))
                                            .arg(keep)
                                            .arg(inference)
                                            .arg(differenceFromEager(chosen))));
                }
    }

    void metadata_data() { rows(false); }
    void metadata() {
        QFETCH(QString, name);
        for (const bool keep : {false, true}) {
            const QJsonObject run = reference(name, keep);
            if (run.isEmpty()) continue;
            const auto record = Session::open(options(name, keep, PartitionAlgorithm::defaultPartition), {})->record();
            QVERIFY2(record->error.empty(), record->error.c_str());
            const QJsonObject ours = toQt(metadataJson(*record->metadata, *record->graphMetadata));
            const QJsonValue scripted =
                reference_.entries[name][QLatin1String("from_torchscript")][QLatin1String("meta")];
            QJsonObject theirs = run[QLatin1String("meta")].toObject();
            if (!keep && scripted.isObject()) theirs = scripted.toObject();
            theirs[QLatin1String("keep_input_mutations")] = keep;
            const QStringList found = metadataDifferences(ours, theirs) + argumentDifferences(ours, run);
            const char* why = whyKnown(knownMetadata(), name);
            QVERIFY2(found.empty() || why, qPrintable(found.join(QLatin1Char('\n'))));
        }
    }

    void graphs_data() { rows(false); }
    void graphs() {
        QFETCH(QString, name);
        const QJsonObject scripted = reference_.entries[name][QLatin1String("from_torchscript")].toObject();
        const bool own = scripted.contains(QLatin1String("joint")) || scripted.contains(QLatin1String("inference"));
        const bool keep = reference_.entries[name][QLatin1String("options")].toObject().contains(QLatin1String("keep"));
        const QJsonObject theirs = own ? scripted : reference(name, keep);
        QStringList found;
        for (const auto partition : {PartitionAlgorithm::defaultPartition, PartitionAlgorithm::minCut}) {
            const bool minCut = partition == PartitionAlgorithm::minCut;
            Options chosen = options(name, keep, partition);
            chosen.decompositions = decompositions(name);
            const auto record = Session::open(chosen, {})->record();
            QVERIFY2(record->error.empty(), record->error.c_str());
            if (const auto inference = withoutDeadCode(*record); inference->name() == "inference") {
                QVERIFY2(theirs.contains(QLatin1String("inference")), "an inference graph here, a joint one there");
                if (!minCut)
                    compareGraphs(QStringLiteral("inference"), *inference,
                                  theirs[QLatin1String("inference")].toString(), found, own);
                continue;
            }
            QVERIFY2(!theirs.contains(QLatin1String("inference")), "a joint graph here, an inference graph there");
            if (!minCut)
                compareGraphs(QStringLiteral("joint"), *withoutDeadCode(*record),
                              theirs[QLatin1String("joint")].toString(), found, own);
            const QJsonObject halves = theirs[minCut ? QLatin1String("min_cut") : QLatin1String("default")].toObject();
            const QString which = minCut ? QStringLiteral("min-cut ") : QStringLiteral("default ");
            // aotscope merges equal operations before every partitioner, PyTorch only before min-cut.
            const Partition ours = minCut ? *record->partition : partitionByDefault(*withoutDeadCode(*record));
            compareGraphs(which + QStringLiteral("forward"), *ours.forward, halves[QLatin1String("fw")].toString(),
                          found, own);
            compareGraphs(which + QStringLiteral("backward"), *ours.backward, halves[QLatin1String("bw")].toString(),
                          found, own);
        }
        const char* why = whyKnown(knownGraphs(), name);
        QVERIFY2(found.empty() || why, qPrintable(found.join(QLatin1Char('\n'))));
    }

    void errors_data() { rows(true); }
    void errors() {
        QFETCH(QString, name);
        // Cases that aotscope refuses, too, with the corresponding words. All others run here and equal eager.
        static const QMap<QString, QString> refused = {
            {QStringLiteral("err_set__and_data_mutation_bad"),
             QStringLiteral("cannot mutate tensors with frozen storage")},
            {QStringLiteral("err_nondifferentiable_view_mutation"),
             QStringLiteral("non-differentiable view input mutations are not handled")},
            {QStringLiteral("err_view_mutation_different_dtypes"),
             QStringLiteral("input mutations on views with different dtypes are not handled")},
        };
        const auto session = Session::open(options(name, false, PartitionAlgorithm::minCut), {});
        const QString error = q(session->record()->error);
        if (refused.contains(name)) QVERIFY2(error.contains(refused[name]), qPrintable(error));
        else QVERIFY2(error.isEmpty() && session->check({}).ok, qPrintable(error));
    }

    void cleanupTestCase() {
        if (graphs_ > 0) qInfo("%d of %d graphs have PyTorch's operations", equalGraphs_, graphs_);
    }
};

AOTSCOPE_TEST(TestCases)

}  // namespace aotscope::test::cases_test

#include "test_cases.moc"
