// Checks before anything is built from a file: pickles, types in them, JSON, archives.

#include "load/files_here.h"
#include "load/pickle/pickle_check.h"
#include "load/pickle/type_text.h"
#include "load/printed/syntax/line_reader.h"
#include "program/files/archive.h"
#include "program/files/dict_keys.h"
#include "support/json/bounded_json.h"
#include "support/scratch.h"
#include "support/test_program.h"
#include "support/text.h"

#include <random>

namespace aotscope::test::readers_test {
namespace {

using Bytes = QByteArray;

const StorageSizes kTwelveBytes = [](const std::string& key) {
    return key == "0" ? std::optional<std::uint64_t>(12) : std::nullopt;
};

PickleFacts check(const Bytes& operations) {
    const Bytes pickle = "\x80\x02" + operations;
    return requireSoundPickle({pickle.constData(), static_cast<std::size_t>(pickle.size())}, kTwelveBytes);
}

Bytes text(const Bytes& content) {
    return "X" + Bytes(1, static_cast<char>(content.size())) + Bytes(3, '\0') + content;
}

/// ("storage", `type`, key, device, 3)
Bytes storage(const Bytes& type, const Bytes& key = "0") {
    return "(" + text("storage") + type + text(key) + text("cpu") + "K\x03tQ";
}

Bytes tensor(const Bytes& storageType, const Bytes& offset, const Bytes& sizes, const Bytes& strides) {
    return "ctorch._utils\n_rebuild_tensor_v2\n(" + storage(storageType) + offset + sizes + strides +
           "\x89"
           "ccollections\nOrderedDict\n)RtR";
}

const Bytes kZero("K\0", 2), kFloats("ctorch\nFloatStorage\n");

}  // namespace

class TestReaders : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Wherever a text is cut, its lines are contiguous up to its end, and no byte after it is read.
    void linesOfAllEncodings_data() {
        QTest::addColumn<Bytes>("text");
        const Bytes wide("a\0b\0\r\0\n\0\r\0\r\0c\0\x0a\x0a\n\0\0\xd8\n\0", 24);
        QTest::newRow("UTF-8") << Bytes("ab\r\n\r\rc\n\n\xd8\n");
        QTest::newRow("UTF-16") << "\xff\xfe" + wide;
        Bytes swapped = "\xfe\xff";
        for (qsizetype i = 0; i < wide.size(); i += 2) swapped += Bytes(1, wide[i + 1]) + wide[i];
        QTest::newRow("UTF-16 in the other order") << swapped;
    }
    void linesOfAllEncodings() {
        QFETCH(Bytes, text);
        const Scratch scratch;
        for (qsizetype size = 0; size <= text.size(); ++size)
            for (const auto ends : {LineReader::Ends::newLines, LineReader::Ends::returnsToo}) {
                const std::string path = scratch.write(u"lines.txt"_s, text.left(size)).toStdString();
                LineReader reader(filesHere()->open(path), 0, std::numeric_limits<std::uint64_t>::max(), ends);
                std::uint64_t next = 0;
                for (FileLine line; reader.next(line); next = line.next) {
                    QCOMPARE(line.offset, next);
                    QVERIFY(line.next > line.offset && line.next <= static_cast<std::uint64_t>(size));
                    QVERIFY(line.text.find('\n') == std::string_view::npos);
                    FileLine again;
                    QVERIFY(
                        LineReader(filesHere()->open(path), line.offset, line.next - line.offset, ends).next(again));
                }
                QCOMPARE(next, static_cast<std::uint64_t>(size));
            }
    }

    // --- pickles ---

    void soundPickles_data() {
        const auto row = columns<Bytes>("operations");
        row("none", Bytes("N."));
        row("numbers", Bytes("(K\x01M\x01\x02J\xff\xff\xff\xff\x8a\x08\1\2\3\4\5\6\7\x88G\0\0\0\0\0\0\0\0t.", 32));
        row("tensor", tensor(kFloats, kZero, "K\x03\x85", "K\x01\x85") + ".");
        row("part of a storage", tensor(kFloats, "K\x01", "K\x02\x85", "K\x01\x85") + ".");
        row("scalar", tensor(kFloats, "K\x02", ")", ")") + ".");
        row("empty tensor", tensor(kFloats, kZero, kZero + "K\x05\x86", "K\x05K\x01\x86") + ".");
        row("expanded", tensor(kFloats, kZero, "K\x64K\x03\x86", kZero + "K\x01\x86") + ".");
        row("integers", Bytes("ctorch.jit._pickle\nbuild_intlist\n(](K\x01K\x02"
                              "etR."));
        row("typed dict", "ctorch.jit._pickle\nrestore_type_tag\n(}(" + text("a") + "Nu" +
                              text("Dict[str, Optional[Tensor]]") + "tR.");
        row("typed tuples", "ctorch.jit._pickle\nrestore_type_tag\n(](" + text("a") + "K\x01\x86" + "e" +
                                text("List[Tuple[str, int]]") + "tR.");
        row("object", Bytes("c__torch__\nM\n)\x81}(X\1\0\0\0aNub.", 27));
        row("shared value", Bytes("(Nq\0h\0h\0t.", 10));
    }
    void soundPickles() {
        QFETCH(Bytes, operations);
        QCOMPARE(errorOf([&] { check(operations); }), QString());
    }

    void brokenPickles_data() {
        const auto row = columns<Bytes, QString>("operations", "message");
        row("cut off", "(K", "is cut off");
        row("two values", "NN.", "ends in the middle of a value");
        row("open group", "N(.", "takes a value that is not there");
        row("below the mark", "N(\x85.", "takes a value that is not there");
        row("protocol 4", Bytes("\x8c\1a."), "holds the unknown operation 140");
        row("a value taken away", "NN0.", "holds the unknown operation 48");
        row("no memo", Bytes("h\0.", 3), "refers to a value that it does not hold");
        row("memo out of order", "Nq\x01.", "numbers its values out of order");
        row("short integer", Bytes("\x8a\x01\x01."), "that is not 64 bits wide");
        row("a function", "ctorch._utils\n_rebuild_tensor_v2\n.", "holds no value");
        row("calls an integer", kZero + ")R.", "calls a value that is not a function");
        row("storage type by number", tensor("K\x07", kZero, "K\x03\x85", "K\x01\x85") + ".", "of another type");
        row("storage of doubles", tensor("ctorch\nDoubleStorage\n", kZero, "K\x01\x85", "K\x01\x85") + ".",
            "gives storage '0' 24 bytes, it has 12");
        row("unknown storage", tensor("ctorch\nNoStorage\n", kZero, "K\x01\x85", "K\x01\x85") + ".",
            "names 'torch.NoStorage', which is not known");
        row("beyond", tensor(kFloats, kZero, "K\x04\x85", "K\x01\x85") + ".", "larger than its storage");
        row("strides beyond", tensor(kFloats, kZero, "K\x02\x85", "K\x03\x85") + ".", "larger than its storage");
        row("more sizes", tensor(kFloats, kZero, "K\x01K\x01\x86", "K\x01\x85") + ".", "sizes and strides differ");
        row("sizes as a list",
            tensor(kFloats, kZero,
                   "](K\x03"
                   "e",
                   "K\x01\x85") +
                ".",
            "of another type");
        row("quantized as plain", tensor("ctorch\nQInt8Storage\n", kZero, "K\x01\x85", "K\x01\x85") + ".",
            "that is not quantized, or the reverse");
        row("storage twice", "(" + storage(kFloats) + storage(kFloats) + "t.", "reads storage '0' twice");
        row("list of others", "ctorch.jit._pickle\nbuild_intlist\n(](NetR.", "holds a value that is not of type int");
        row("type of another container", "ctorch.jit._pickle\nrestore_type_tag\n(]" + text("Dict[str, int]") + "tR.",
            "which it cannot have");
        row("type given twice",
            "ctorch.jit._pickle\nrestore_type_tag\n(ctorch.jit._pickle\nbuild_intlist\n(]tR" + text("List[str]") +
                "tR.",
            "which it cannot have");
        row("inner list without a type",
            "ctorch.jit._pickle\nrestore_type_tag\n(](]e" + text("List[List[int]]") + "tR.",
            "holds a value that is not of type List[int]");
        row("changed later", Bytes("]q\0\x85h\0Na.", 9), "adds to a value that is finished");
        row("part of itself", Bytes("]q\0h\0a.", 7), "part of itself");
        row("list as a key", "}(]Nu.", "a key that is neither a string nor a number");
        row("new of a function", "ctorch._utils\n_rebuild_tensor_v2\n)\x81.", "of something other than a class");
        row("other module", "cos\nsystem\n.", "which TorchScript files do not use");
    }
    void brokenPickles() {
        QFETCH(Bytes, operations);
        QFETCH(QString, message);
        const QString error = errorOf([&] { check(operations); });
        QVERIFY2(error.startsWith(u"a pickle in it "_s) && error.contains(message), qPrintable(error));
    }

    void contentsOfPickles() {
        const PickleFacts facts = check("(" + storage("ctorch\nBoolStorage\n") + Bytes("c__torch__.m\nHue\nK\x02Rt."));
        QCOMPARE(facts.truthStorages, std::vector<std::string>{"0"});
        QCOMPARE(facts.enums.size(), std::size_t(1));
        QCOMPARE(facts.enums[0].type, std::string("__torch__.m.Hue"));
        QCOMPARE(std::get<std::int64_t>(facts.enums[0].value), 2);
    }

    /// The pickle of source locations for a source with this text, as LibTorch writes it.
    void placesInSources() {
        const auto number = [](int value) { return Bytes("K") + Bytes(1, static_cast<char>(value)); };
        const auto errorFor = [&](const Bytes& content, int begin, int end) {
            const Bytes pieces = "ctorch.jit._pickle\nbuild_intlist\n(](" + number(0) + "etR";
            const Bytes place = "((" + pieces + number(0) + number(1) + "t" + number(begin) + number(end) + "t";
            const Bytes pickle = "\x80\x02(" + text("FORMAT_WITH_STRING_TABLE") + "(" + text(content) + "t((" +
                                 number(0) + place + number(0) + "ttt.";
            return errorOf([&] {
                requireSoundDebugPickle({pickle.constData(), static_cast<std::size_t>(pickle.size())});
            });
        };
        QCOMPARE(errorFor("abc", 0, 3), QString());
        QCOMPARE(errorFor("abc", 3, 3), QString());
        QCOMPARE(errorFor("", 0, 1), QString());  // of elements without a place
        QVERIFY(errorFor("abc", 0, 4).contains(u"source locations that do not exist"_s));
        QVERIFY(errorFor("abc", 2, 1).contains(u"source locations that do not exist"_s));
    }

    void types() {
        const TypeText type = parseTypeText("Dict[str, Tuple[()]]");
        QCOMPARE(type.name, std::string_view("Dict"));
        QCOMPARE(type.arguments.size(), std::size_t(2));
        QCOMPARE(type.arguments[1].text, std::string_view("Tuple[()]"));
        for (const char* wrong : {"", "List[", "List[int]]", "List[]", "(int)", "List[int, ]"})
            QVERIFY2(errorOf([&] { parseTypeText(wrong); }).contains(u"cannot be read"_s), wrong);
    }

    void keysThatCollide() {
        std::mt19937_64 random(1);
        std::vector<std::uint64_t> some, counted, collide;
        for (std::uint64_t i = 0; i < 100'000; ++i) some.push_back(random()), counted.push_back(i);
        for (std::uint64_t i = 0; i < 40; ++i) collide.push_back(0xf1de83e19937733du * i);
        QVERIFY(!keysCollide({}) && !keysCollide({7}) && !keysCollide(some) && !keysCollide(counted));
        QVERIFY(keysCollide(collide));
        QVERIFY(keysCollide(std::vector<std::uint64_t>(40, 5)));
    }

    // --- JSON ---

    void boundedJson() {
        QCOMPARE(parseBounded(R"({"a": [1, 2.5, "x", null, true]})").size(), std::size_t(1));
        QVERIFY_EXCEPTION_THROWN(parseBounded("[1,"), nlohmann::json::exception);
        const auto nested = [](std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); };
        QCOMPARE(errorOf([&] { parseBounded(nested(100)); }), QString());
        QVERIFY(errorOf([&] { parseBounded(nested(101)); }).contains(u"more than 100 levels deep"_s));
        QVERIFY(errorOf([&] { parseBounded(nested(1'000'000)); }).contains(u"levels deep"_s));
        JsonBounds bounds;
        bounds.memory = 10'000;
        const std::string numbers = "[" + std::string(2000, ' ').replace(0, 0, "1") + "]";
        QCOMPARE(errorOf([&] { parseBounded(numbers, bounds); }), QString());
        std::string lists = "[0";
        for (int i = 0; i < 1000; ++i) lists += ",[]";
        QVERIFY(errorOf([&] { parseBounded(lists + "]", bounds); }).contains(u"too much for its size"_s));
        bounds.distinct = true;
        QVERIFY(errorOf([&] {
                    parseBounded(R"({"a": 1, "a": 2})", bounds);
                }).contains(u"two members with the same name"_s));
        bounds.form = JsonBounds::Form::cbor;
        QCOMPARE(parseBounded("\x82\x01\x02", bounds).size(), std::size_t(2));
        QVERIFY(errorOf([&] { parseBounded(std::string(500, '\x81'), bounds); }).contains(u"levels deep"_s));
    }

    /// Names of records are compared as in LibTorch.
    void namesInArchives() {
        const IgnoringCase less;
        QVERIFY(!less("Data.PKL", "data.pkl") && !less("data.pkl", "Data.PKL"));
        QVERIFY(less("data/1", "data/A") && less("code", "data") && !less("data", "CODE"));
    }
};

AOTSCOPE_TEST(TestReaders)

}  // namespace aotscope::test::readers_test

#include "test_readers.moc"
