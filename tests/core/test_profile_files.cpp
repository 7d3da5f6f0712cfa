// Profiles of torch.profiler: what is read of them, and what other files are told.

#include "load/pickle/foreign_file.h"
#include "load/profile/profile_reader.h"
#include "support/mapped_file.h"
#include "support/packed/deflate.h"
#include "support/packed/gzip.h"
#include "support/scratch.h"
#include "support/test_program.h"
#include "support/text.h"
#include "support/written_profile.h"

#include <boost/crc.hpp>

namespace aotscope::test::profile_files_test {
namespace {

using Json = nlohmann::json;

std::string little(std::uint32_t number) {
    std::string bytes;
    for (int i = 0; i < 4; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xff);
    return bytes;
}

/// As gzip writes it; `name`: of the file, in the header.
std::string gzipped(const std::string& content, const std::string& name = {}) {
    boost::crc_32_type sum;
    sum.process_bytes(content.data(), content.size());
    std::string file("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);
    if (!name.empty()) {
        file[3] = 8;
        file += name + '\0';
    }
    return file + deflated(content) + little(sum.checksum()) + little(static_cast<std::uint32_t>(content.size()));
}

std::string unpacked(std::string_view file) {
    GzipStream stream(file);
    std::string content;
    for (auto piece = stream.next(); !piece.empty(); piece = stream.next()) content += piece;
    return content;
}

WrittenProfile someProfile() {
    WrittenProfile written;
    written.annotation("ProfilerStep#2", 0, 100)
        .annotation("ProfilerStep#3", 100, 100)
        .python("nn.Module: Linear_0", 5, 50)
        .sized("aten::linear", 10, 40, Json::array({{5, 8}, {16, 8}, {16}}))
        .sized("aten::addmm", 15, 30, Json::array({{16}, {5, 8}, {8, 16}, Json::array()}))
        .operation("aten::relu", 110, 20, {{"Sequence number", 7}})
        .operation("autograd::engine::evaluate_function: ReluBackward0", 140, 20, {{"Sequence number", 7}})
        .operation("aten::threshold_backward", 145, 10);
    return written;
}

}  // namespace

class TestProfileFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void operationsAreNested() {
        const Profile profile = parseProfile(someProfile().text(), "p.json");
        QCOMPARE(profile.operations.size(), std::size_t{5});
        const CpuOperation& linear = profile.operations[0];
        const CpuOperation& addmm = profile.operations[1];
        QCOMPARE(q(profile.text(linear.name)), u"aten::linear"_s);
        QCOMPARE(linear.parent, -1);
        QCOMPARE(linear.end, 2);
        QCOMPARE(linear.selfUs, 10.0);
        QCOMPARE(addmm.parent, 0);
        QCOMPARE(addmm.selfUs, 30.0);
        QCOMPARE(q(profile.text(addmm.module)), u"Linear"_s);
        QCOMPARE(q(profile.text(profile.operations[2].module)), QString());
        const auto& sizes = profile.arguments[static_cast<std::size_t>(addmm.arguments)].sizes;
        QVERIFY((sizes == std::vector<ProfiledSizes>{{{16}}, {{5, 8}}, {{8, 16}}, {{}}}));
        QVERIFY(!profile.operations[2].isBackward && profile.operations[3].isBackward &&
                profile.operations[4].isBackward);
        QCOMPARE(profile.operations[2].sequence, 7);
        QCOMPARE(profile.steps.size(), std::size_t{2});
        QCOMPARE(addmm.step, 0);
        QCOMPARE(profile.operations[4].step, 1);
        QCOMPARE(q(profile.device), u"cpu"_s);
        QCOMPARE(profile.kernelMs(), 0.08);
    }

    void kernelsBelongToTheOperationThatLaunchesThem() {
        WrittenProfile written;
        written.operation("aten::linear", 0, 50)
            .operation("aten::addmm", 5, 40)
            .kernel("gemm", 10, 100, 7)
            .kernel("Memcpy DtoD", 47, 110, 2, Json::object(), "gpu_memcpy")
            .kernel("Memset", 60, 120, 1, Json::object(), "gpu_memset")
            .add("kernel", "graphed", 130, 3, {{"External id", 2}}, 0, 7);
        const Profile profile = parseProfile(written.text(), "p.json");
        QCOMPARE(q(profile.device), u"NVIDIA H100 80GB HBM3"_s);
        QCOMPARE(profile.activities.size(), std::size_t{4});
        const std::vector<std::int32_t> launchers = {1, 0, -1, 1};
        for (std::size_t i = 0; i < launchers.size(); ++i) QCOMPARE(profile.activities[i].operation, launchers[i]);
        QVERIFY(profile.activities[1].kind == GpuActivity::Kind::copy);
        QVERIFY(profile.activities[2].kind == GpuActivity::Kind::fill);
        QCOMPARE(profile.kernelMs(), 0.013);
    }

    /// Sizes of a list of tensors are told from those of one tensor.
    void listsOfTensorsHaveSizesOfEach() {
        WrittenProfile written;
        written.sized("aten::cat", 0, 5, Json::array({Json::array({{2, 3}, {4, 3}}), Json::array()}));
        const Profile profile = parseProfile(written.text(), "p.json");
        QVERIFY((profile.arguments.front().sizes == std::vector<ProfiledSizes>{{{2, 3}, {4, 3}}, {{}}}));
    }

    void gzipIsUnpacked() {
        const std::string text = someProfile().text();
        for (const std::string& file :
             {gzipped(text), gzipped(text, "trace.json"), gzipped(text.substr(0, 100)) + gzipped(text.substr(100))}) {
            QVERIFY(unpacked(file) == text);
            QCOMPARE(parseProfile(file, "p.gz").operations.size(), std::size_t{5});
            QVERIFY(looksLikeProfile(file));
        }
        std::string large;
        while (large.size() < 500'000) large += std::to_string(large.size() * 2654435761U) + text.substr(0, 50);
        QVERIFY(unpacked(gzipped(large)) == large);
    }

    /// Given as a model, it is told how to use it.
    void itIsNotAModel() {
        const Scratch scratch;
        const std::string text = someProfile().text();
        for (const std::string& content : {text, gzipped(text)}) {
            const QString file = scratch.write(u"profile.json"_s, QByteArray::fromStdString(content));
            const auto mapped = MappedFile::open(file.toStdString());
            QVERIFY(describeForeignFile(*mapped).find("aotscope run MODEL --profile FILE") != std::string::npos);
        }
    }

    void damagedGzipIsRefused() {
        const std::string file = gzipped(someProfile().text(), "trace.json");
        for (std::size_t size = 0; size < file.size(); ++size)
            QVERIFY(!errorOf([&] { parseProfile({file.data(), size}, "p.gz"); }).isEmpty());
        for (const std::size_t at : {file.size() - 1, file.size() - 5, file.size() / 2}) {
            std::string damaged = file;
            damaged[at] = static_cast<char>(damaged[at] + 1);
            QVERIFY(!errorOf([&] { parseProfile(damaged, "p.gz"); }).isEmpty());
        }
    }

    void otherFilesAreNamed_data() {
        const auto row = columns<QString, QString>("content", "says");
        row("", "is not a profile of torch.profiler, which is JSON");
        row("graph forward", "is not a profile of torch.profiler, which is JSON");
        row("[1, 2]", "is JSON, but not an object");
        row("{\"a\": 1}", "has no list 'traceEvents'");
        row(R"({"schemaVersion": 1, "traceEvents": [{"ph": "X", "cat": "Trace", "name": "x"}]})",
            "has no operations among its 1 event; run the model between start and stop");
        row(R"({"traceEvents": [{"ph": "X", "cat": "Op", "name": "MatMul", "ts": 1, "dur": 2}]})",
            "is a Chrome trace of another program: none of its 1 event");
        row(R"({"traceEvents": [{"ph": "M", "name": "process_name", "pid": 3, "args": {"name": "/device:GPU:0"}}]})",
            "is a trace of TensorFlow or JAX");
        row(R"({"traceEvents": [], "otherData": {"model": "m", "times": "medians of 3 runs"}})",
            "is a Chrome trace that aotscope wrote");
        row(R"({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "ts": 1)",
            "ends too early, after 0 events");
        row(R"({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1},
                                {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 2}]})",
            "has the operations of 2 processes; give the profile of one rank");
        row(R"({"traceEvents": [{"ph": "X" "cat": 1}]})", "is not valid JSON at byte");
    }
    void otherFilesAreNamed() {
        FETCH(QString, content, says);
        const QString error = errorOf([&] { parseProfile(content.toStdString(), "file.json"); });
        QVERIFY2(error.contains(says) && error.contains(u"file.json"_s), qPrintable(error));
        QVERIFY2(!error.contains(u'\n'), qPrintable(error));
    }

    void whatGrowsWithoutEndIsRefused() {
        const std::string spaces(std::size_t{20} << 20, ' ');
        QVERIFY(
            errorOf([&] { parseProfile("{\"traceEvents\": [" + spaces, "p"); }).contains(u"a value of more than"_s));
        const std::string bomb = gzipped("{\"traceEvents\": [" + std::string(std::size_t{15} << 20, '1'));
        QVERIFY(!errorOf([&] { parseProfile(bomb, "p"); }).isEmpty());
        const std::string deep = "{\"traceEvents\": " + std::string(100'000, '[');
        QVERIFY(errorOf([&] { parseProfile(deep, "p"); }).contains(u"levels deep"_s));
        std::string wide =
            R"({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "args": {"Input Dims": [)";
        for (int i = 0; i < 100'000; ++i) wide += "[1],";
        QCOMPARE(parseProfile(wide + "[]]}}]}", "p").arguments.front().sizes.size(), std::size_t{1000});
    }

    void strangeEventsAreLeftOut() {
        const Profile profile = parseProfile(
            R"({"traceEvents": [3, "x", null, {}, [], {"ph": 7, "ts": "soon"}, {"ph": "X", "cat": "cpu_op", "dur": -5,
                "ts": 1e308, "name": "aten::mm", "args": {"Input Dims": 3, "Sequence number": 1e300}},
                {"ph": "X", "cat": "kernel", "name": "k", "ts": -1e308, "args": [{"correlation": 1}]}]})",
            "p");
        QCOMPARE(profile.operations.size(), std::size_t{1});
        QCOMPARE(profile.operations.front().selfUs, 0.0);
        QCOMPARE(profile.activities.size(), std::size_t{1});
    }
};

AOTSCOPE_TEST(TestProfileFiles)

}  // namespace aotscope::test::profile_files_test

#include "test_profile_files.moc"
