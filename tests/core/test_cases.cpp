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

namespace aotscope::test::cases_test {
namespace {

using Histogram = QMap<QString, int>;

/// Operations that hide a value from autograd have no node in our graphs; symbolic sizes are not operations here.
bool isCompared(const QString& op) {
    return !op.startsWith("aten.detach."_L1) && !op.startsWith("aten.alias."_L1) && !op.startsWith("aten.sym_"_L1) &&
           op != "operator.add"_L1 && op != "operator.mul"_L1 && op != "operator.sub"_L1;
}

/// Operations of a graph as printed by Python.
Histogram printedOps(const QString& text) {
    static const QRegularExpression call(uR"(= (?:torch\.ops\.([\w.]+)\(|(operator\.\w+)\(|\w+\[\d+\]))"_s);
    Histogram counts;
    for (auto it = call.globalMatch(text); it.hasNext();) {
        const auto match = it.next();
        QString op = match.captured(1).isEmpty() ? match.captured(2) : match.captured(1);
        if (op.isEmpty()) op = u"operator.getitem"_s;
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

/// Arithmetic with numbers, whichever overload: PyTorch records those of a TorchScript file as they are.
Histogram withoutOverloads(const Histogram& counts) {
    Histogram merged;
    for (auto it = counts.begin(); it != counts.end(); ++it) {
        static const QRegularExpression number(uR"(^(aten\.(?:add|sub|mul|div))\.Scalar$)"_s);
        merged[QString(it.key()).replace(number, u"\\1.Tensor"_s)] += it.value();
    }
    return merged;
}

QStringList difference(const Histogram& ours, const Histogram& theirs) {
    QSet<QString> all;
    for (const QString& op : ours.keys() + theirs.keys()) all.insert(op);
    QStringList lines;
    for (const QString& op : all)
        if (ours.value(op) != theirs.value(op))
            lines << u"%1: %2, PyTorch has %3"_s.arg(op).arg(ours.value(op)).arg(theirs.value(op));
    return lines;
}

/// Intended differences, and cases that cannot be compared; everything else is equal.
struct Known {
    QStringList cases;
    const char* why;
};

/// Cases whose metadata differs.
const std::vector<Known>& knownMetadata() {
    static const std::vector<Known> known = {
        {{u"input_mutation_hidden_from_autograd_aliasing"_s, u"input_mutation_requires_grad_no_grad"_s,
          u"input_mutation_requires_grad_no_grad_inference_graph"_s, u"input_mutation_requires_grad_detach_leaf"_s},
         "a mutation that autograd does not see gets no tangent here: PyTorch gives it one, and wrong gradients if the "
         "input is returned"},
        {{u"module_tied_weights_simplified"_s}, "tied weights are one input here, two in PyTorch"},
    };
    return known;
}

/// Cases whose graphs differ.
const std::vector<Known>& knownGraphs() {
    static const std::vector<Known> known = {
        {{u"input_mutation_hidden_from_autograd_aliasing"_s, u"input_mutation_requires_grad_no_grad"_s,
          u"input_mutation_requires_grad_detach_leaf"_s},
         "no tangent for a mutation that autograd does not see, so neither a protective copy nor an addition"},
        {{u"input_mutation_alias_everything"_s},
         "PyTorch returns metadata-mutated members of a base as outputs of the graph; here the wrapper knows their "
         "strides"},
        {{u"module_tied_weights_simplified"_s}, "tied weights are one input here, two in PyTorch"},
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
        Options options{.model = reference_.folder.filePath(u"cases/%1.pt"_s.arg(name)).toStdString(),
                        .inputs = readInputSpec(reference_.folder.filePath(u"cases/%1.json"_s.arg(name)).toStdString()),
                        .partition = {.algorithm = partition},
                        .keepInputMutations = keep};
        if (name == "module_batchnorm2d_eval"_L1) options.mode = ModuleMode::eval;
        const QJsonObject recorded = reference_.entries[name]["options"_L1].toObject();
        options.seed = static_cast<std::uint64_t>(recorded["seed"_L1].toInt());
        if (!recorded["dynamic"_L1].toBool()) return options;
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
        const QJsonObject runs = reference_.entries[name]["runs"_L1].toObject();
        const QString wanted = keep ? u"keep_true"_s : u"keep_false"_s;
        if (runs.contains(wanted)) return runs[wanted].toObject();
        const bool same = reference_.entries[name]["keep_true_identical"_L1].toBool();
        return same ? runs["keep_false"_L1].toObject() : QJsonObject();
    }

    void rows(bool errors) const {
        const auto row = columns<QString>("name");
        for (const QString& name : reference_.entries.keys())
            if (reference_.entries[name].toObject().contains("error"_L1) == errors) row(name);
    }

    static QStringList metadataDifferences(const QJsonObject& ours, const QJsonObject& theirs) {
        QStringList found;
        const auto compare = [&](const QString& what, const QJsonValue& a, const QJsonValue& b) {
            if (a != b) found << u"%1: %2, PyTorch has %3"_s.arg(what, textOf(a), textOf(b));
        };
        const auto list = [&](const QString& what, const QJsonArray& a, const QJsonArray& b,
                              const QList<QPair<QString, QString>>& keys) {
            compare(u"number of "_s + what, a.size(), b.size());
            for (qsizetype i = 0; i < std::min(a.size(), b.size()); ++i)
                for (const auto& [mine, other] : keys)
                    compare(u"%1 %2 %3"_s.arg(what).arg(i).arg(mine), a[i][mine], b[i][other]);
        };
        const auto same = [](const QStringList& keys) {
            QList<QPair<QString, QString>> pairs;
            for (const QString& key : keys) pairs << qMakePair(key, key);
            return pairs;
        };
        list(u"input"_s, ours["inputs"_L1].toArray(), theirs["input_info"_L1].toArray(),
             same({u"is_leaf"_s, u"mutates_data"_s, u"mutates_metadata"_s, u"mutations_hidden_from_autograd"_s,
                   u"mutations_under_no_grad_or_inference_mode"_s, u"mutates_storage_metadata"_s, u"requires_grad"_s,
                   u"mutation_type"_s}));
        list(u"output"_s, ours["outputs"_L1].toArray(), theirs["output_info"_L1].toArray(),
             same({u"base_idx"_s, u"requires_grad"_s, u"requires_grad_for_backward"_s}) +
                 QList{qMakePair(u"type"_s, u"output_type"_s)});
        for (const char* key :
             {"num_intermediate_bases", "mutated_inp_runtime_indices", "mutated_graph_handled_indices",
              "aliased_out_indices", "unsafe_view_out_indices", "num_outputs", "num_outputs_non_aliased",
              "num_outputs_aliased_to_inputs", "num_outputs_aliased_to_intermediates", "num_outputs_aliased",
              "num_forward_returns", "keep_input_mutations"})
            compare(QLatin1String(key), ours[QLatin1String(key)], theirs[QLatin1String(key)]);
        compare(u"tangents"_s, ours["traced_tangents"_L1].toArray().size(),
                theirs["traced_tangents"_L1].toArray().size());
        return found;
    }

    static QStringList argumentDifferences(const QJsonObject& ours, const QJsonObject& run) {
        QStringList found;
        const auto mine = ours["dedupe"_L1].toObject(), other = run["dedupe"_L1].toObject();
        const bool specialised = other["specialised"_L1].toBool();
        for (const char* key : {"specialised", "keep_arg_mask", "add_dupe_map"})
            if ((specialised || QLatin1String(key) == "specialised"_L1) &&
                mine[QLatin1String(key)] != other[QLatin1String(key)])
                found << u"dedupe "_s + QLatin1String(key);
        QJsonArray groups, expected;
        for (const auto& group : ours["synthetic_bases"_L1]["groups"_L1].toArray()) groups << group["arguments"_L1];
        for (const auto& group : run["synthetic_base"_L1]["base_groups"_L1].toObject()) expected << group;
        if (groups != expected) found << u"synthetic bases: %1, PyTorch has %2"_s.arg(textOf(groups), textOf(expected));
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
            for (const auto& detail : result.details) found += q(detail) + u'\n';
            if (!result.ok && found.isEmpty()) found = u"not equal"_s;
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

    /// The operations that PyTorch decomposed when this case was recorded; null: none.
    static std::shared_ptr<const DecompositionTable> decompositions(const QString& name) {
        static const QMap<QString, QByteArray> tables = {
            {u"notebook_mlp_core_aten"_s, R"({"base": "core-aten"})"},
            {u"notebook_prims_add"_s, R"({"ops": {"aten.add": "prims", "aten.expand": "prims"}})"},
            {u"mem_eff_mish"_s, R"({"ops": {"aten.tanh_backward": "core-aten", "aten.detach": "core-aten"}})"},
        };
        if (!tables.contains(name)) return nullptr;
        const Scratch scratch;
        return DecompositionTable::load(scratch.write(u"table.json"_s, tables[name]).toStdString());
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
        for (const QString& line : lines) found << what + u": "_s + line;
    }

private Q_SLOTS:
    void initTestCase() { reference_.open(u"cases_reference.json"_s); }

    void eager_data() { rows(false); }
    void eager() {
        QFETCH(QString, name);
        for (const auto partition : {PartitionAlgorithm::defaultPartition, PartitionAlgorithm::minCut})
            for (const bool keep : {false, true})
                for (const bool inference : {false, true}) {
                    Options chosen = options(name, keep, partition);
                    chosen.inference = inference;
                    QVERIFY2(differenceFromEager(chosen).isEmpty(),
                             qPrintable(u"%1, keep %2, inference %3: %4"_s.arg(q(aotscope::name(partition)))
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
            const QJsonValue scripted = reference_.entries[name]["from_torchscript"_L1]["meta"_L1];
            QJsonObject theirs = run["meta"_L1].toObject();
            if (!keep && scripted.isObject()) theirs = scripted.toObject();
            theirs["keep_input_mutations"_L1] = keep;
            const QStringList found = metadataDifferences(ours, theirs) + argumentDifferences(ours, run);
            const char* why = whyKnown(knownMetadata(), name);
            QVERIFY2(found.empty() || why, qPrintable(found.join(u'\n')));
        }
    }

    void graphs_data() { rows(false); }
    void graphs() {
        QFETCH(QString, name);
        const QJsonObject scripted = reference_.entries[name]["from_torchscript"_L1].toObject();
        const bool own = scripted.contains("joint"_L1) || scripted.contains("inference"_L1);
        const bool keep = reference_.entries[name]["options"_L1].toObject().contains("keep"_L1);
        const QJsonObject theirs = own ? scripted : reference(name, keep);
        QStringList found;
        for (const auto partition : {PartitionAlgorithm::defaultPartition, PartitionAlgorithm::minCut}) {
            const bool minCut = partition == PartitionAlgorithm::minCut;
            Options chosen = options(name, keep, partition);
            chosen.decompositions = decompositions(name);
            const auto record = Session::open(chosen, {})->record();
            QVERIFY2(record->error.empty(), record->error.c_str());
            if (const auto inference = withoutDeadCode(*record); inference->name() == "inference") {
                QVERIFY2(theirs.contains("inference"_L1), "an inference graph here, a joint one there");
                if (!minCut) compareGraphs(u"inference"_s, *inference, theirs["inference"_L1].toString(), found, own);
                continue;
            }
            QVERIFY2(!theirs.contains("inference"_L1), "a joint graph here, an inference graph there");
            if (!minCut)
                compareGraphs(u"joint"_s, *withoutDeadCode(*record), theirs["joint"_L1].toString(), found, own);
            const QJsonObject halves = theirs[minCut ? "min_cut"_L1 : "default"_L1].toObject();
            const QString which = minCut ? u"min-cut "_s : u"default "_s;
            // aotscope merges equal operations before every partitioner, PyTorch only before min-cut.
            const Partition ours = minCut ? *record->partition : partitionByDefault(*withoutDeadCode(*record));
            compareGraphs(which + u"forward"_s, *ours.forward, halves["fw"_L1].toString(), found, own);
            compareGraphs(which + u"backward"_s, *ours.backward, halves["bw"_L1].toString(), found, own);
        }
        const char* why = whyKnown(knownGraphs(), name);
        QVERIFY2(found.empty() || why, qPrintable(found.join(u'\n')));
    }

    void errors_data() { rows(true); }
    void errors() {
        QFETCH(QString, name);
        // Cases that aotscope refuses, too, with the corresponding words. All others run here and equal eager.
        static const QMap<QString, QString> refused = {
            {u"err_set__and_data_mutation_bad"_s, u"cannot mutate tensors with frozen storage"_s},
            {u"err_nondifferentiable_view_mutation"_s, u"non-differentiable view input mutations are not handled"_s},
            {u"err_view_mutation_different_dtypes"_s,
             u"input mutations on views with different dtypes are not handled"_s},
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
