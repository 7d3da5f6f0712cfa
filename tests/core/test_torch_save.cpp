// Values written by torch.save and torch.jit.save, and handmade pickles.

#include "aten/loadable.h"
#include "core/described_tensor.h"
#include "program/files/tensor_file.h"
#include "session/session.h"
#include "support/exported_files.h"
#include "support/scratch.h"
#include "support/tensor_files.h"
#include "support/test_program.h"
#include "support/text.h"

#include <ATen/core/Dict.h>
#include <ATen/ops/_efficientzerotensor.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/view_as_real.h>
#include <torch/csrc/jit/serialization/pickle.h>

#include <sstream>

namespace aotscope::test::torch_save_test {
namespace {

/// A string in a pickle.
QByteArray text(const QByteArray& content) {
    return QByteArray("X") + static_cast<char>(content.size()) + QByteArray(3, '\0') + content;
}

/// The output of torch.save between the name of the function that creates a tensor and its call: 0, 1, 2, 3.
QByteArray tensorArguments() {
    const QByteArray zero("K\0", 2), one("K\x01\x85", 3), four("K\x04\x85", 3);
    const QByteArray whole = tensorPickle(zero, four, one), start =
                                                                "\x80\x02"
                                                                "ctorch._utils\n_rebuild_tensor_v2\n";
    return whole.sliced(start.size(), whole.size() - start.size() - 3);  // "(...", without "tR."
}

}  // namespace

class TestTorchSave : public QObject {
    Q_OBJECT

    Scratch scratch_;

private Q_SLOTS:
    /// torch.load knows one type of each memory.
    void memoryOfTwoTypesIsCopied() {
        LoadableTensors loadable;
        const at::Tensor z = at::complex(at::ones({3}), at::ones({3}));
        const at::Tensor first = loadable.of(z).toTensor(), parts = loadable.of(at::view_as_real(z)).toTensor();
        QVERIFY(first.is_alias_of(z) && !parts.is_alias_of(z) && loadable.of(z[1]).toTensor().is_alias_of(z));
        QVERIFY(at::equal(parts, at::ones({3, 2})));
        const at::Tensor zeros = loadable.of(at::_efficientzerotensor({2}, at::kFloat)).toTensor();
        QVERIFY(!zeros._is_zerotensor() && zeros.numel() == 2);
    }

    void filesMadeByTorch() {
        const auto kinds = readTensors(dataFile("kinds.pt"));
        QCOMPARE(kinds.size(), std::size_t{6});
        QCOMPARE(describe(kinds.at("p")), u"Float[2][1]: 1 1"_s);
        QVERIFY(kinds.at("p").requires_grad() && kinds.at("p").is_leaf());
        QCOMPARE(describe(kinds.at("u")), u"UInt16[1][1]: 65535"_s);
        QCOMPARE(describe(kinds.at("w")), u"Half[3, 2][1, 3]: 0 3 1 4 2 5"_s);
        QCOMPARE(describe(kinds.at("tail")), u"Half[2][1]: 4 5"_s);
        QVERIFY(kinds.at("tail").is_alias_of(kinds.at("w")));
        QCOMPARE(describe(kinds.at("half")), u"BFloat16[1][1]: 1"_s);
        QCOMPARE(describe(kinds.at("flag")), u"Bool[2][1]: 1 0"_s);
        const auto state = readTensors(dataFile("checkpoint.pt"));
        QCOMPARE(state.size(), std::size_t{7});
        QCOMPARE(describe(state.at("0.weight")), u"Float[2, 2][2, 1]: 0 1 2 3"_s);
        QCOMPARE(describe(state.at("1.num_batches_tracked")), u"Long[][]: 0"_s);
        QVERIFY(errorOf([] { readTensor(dataFile("checkpoint.pt")); }).contains(u"expected a single tensor"_s));
    }

    void valuesSavedByLibTorch() {
        const at::Tensor t = at::tensor({1.5f, 2.5f});
        c10::impl::GenericDict dict(c10::StringType::get(), c10::AnyType::get());
        dict.insert("list", c10::List<at::Tensor>({t, t}));
        dict.insert("ints", c10::List<int64_t>({-1, 300, int64_t{1} << 40}));
        dict.insert("mixed", c10::ivalue::Tuple::create({c10::IValue(), true, 2.5, "text"}));
        const auto bytes = torch::jit::pickle_save(dict);
        const QString path = scratch_.write(u"v.pt"_s, QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size())));
        const auto read = readSavedValue(path.toStdString()).toGenericDict();
        QVERIFY(at::equal(read.at("list").toListRef()[1].toTensor(), t));
        QCOMPARE(read.at("ints").toListRef()[0].toInt(), -1);
        QCOMPARE(read.at("ints").toListRef()[2].toInt(), int64_t{1} << 40);
        const auto& mixed = read.at("mixed").toTupleRef().elements();
        QVERIFY(mixed[0].isNone() && mixed[1].toBool() && mixed[2].toDouble() == 2.5 &&
                mixed[3].toStringRef() == "text");
    }

    void handMadeArchives() {
        const std::string path = scratch_.at(u"hand.pt"_s).toStdString();
        writeArchive(path, tensorPickle("K\x01", "K\x02K\x02\x86", QByteArray("K\0K\x01\x86", 5)),
                     bytesOf<float>({0, 1, 2, 3}));
        QCOMPARE(describe(readTensor(path)), u"Float[2, 2][0, 1]: 1 2 1 2"_s);
    }

    /// A file that was unpacked and zipped again.
    void deflatedArchives() {
        const QString path = ExportedFile::read(dataFile("kinds.pt")).write(scratch_.at(u"zip.pt"_s), true);
        const auto stored = readTensors(dataFile("kinds.pt")), deflated = readTensors(path.toStdString());
        QCOMPARE(deflated.size(), stored.size());
        for (const auto& [name, tensor] : stored) QCOMPARE(describe(deflated.at(name)), describe(tensor));
    }

    /// A tensor's class, its attributes and its repr determine how Python pickles it.
    void tensorsOfAllLayouts_data() {
        const auto row = columns<QByteArray, QString>("pickle", "result");
        const QByteArray rebuild = "ctorch._utils\n_rebuild_tensor_v2\n", plain = rebuild + tensorArguments() + "tR";
        const auto ofType = [&](const QByteArray& type, const QByteArray& state) {
            return "ctorch._tensor\n_rebuild_from_type_v2\n(" + rebuild + "c" + type + "\n" + tensorArguments() + "t" +
                   state + "tR.";
        };
        const QByteArray tag = "}" + text("tag") + text("a note") + "s";
        row("attributes", ofType("torch\nTensor", tag), "Float[4][1]: 0 1 2 3");
        row("a subclass", ofType("__main__\nSub", "N"), "Float[4][1]: 0 1 2 3");
        row("a parameter", "ctorch._utils\n_rebuild_parameter\n(" + plain + "\x88)tR.", "Float[4][1]: 0 1 2 3");
        row("a parameter with attributes",
            "ctorch._utils\n_rebuild_parameter_with_state\n(" + plain + "\x88)" + tag + "tR.", "Float[4][1]: 0 1 2 3");
        row("negated", rebuild + tensorArguments() + "}" + text("neg") + "\x88stR.", "Float[4][1]: 0 -1 -2 -3");
        row("of a device of its own",
            "ctorch._utils\n_rebuild_device_tensor_from_cpu_tensor\n(" + plain + "ctorch\nfloat64\n" + text("xla") +
                "\x89tR.",
            "Double[4][1]: 0 1 2 3");
    }
    void tensorsOfAllLayouts() {
        QFETCH(QByteArray, pickle);
        QFETCH(QString, result);
        const std::string path = scratch_.at(u"layout.pt"_s).toStdString();
        writeArchive(path, pickle, bytesOf<float>({0, 1, 2, 3}));
        const at::Tensor tensor = readTensor(path);
        QCOMPARE(describe(tensor.resolve_neg()), result);
    }

    /// Named tuples and data classes become their contents.
    void containersOfPython_data() {
        const auto row = columns<QByteArray, QString>("pickle", "result");
        row("deque",
            "ccollections\ndeque\n)R(K\x01K\x02"
            "e.",
            "[1, 2]");
        row("defaultdict", "ccollections\ndefaultdict\nc__builtin__\nlist\n\x85R" + text("a") + "K\x01s.", "{a: 1}");
        row("named tuple", "cmine\nPoint\nK\x01K\x02\x86\x81.", "(1, 2)");
        row("tuples and None as keys", "}(NK\x01K\x01" + text("a") + "K\x02\x86\x86K\x02u.",
            "{None: 1, (1, ('a', 2)): 2}");
        row("data class", "cmine\nData\n)\x81}" + text("a") + "K\x01sb.", "{a: 1}");
    }
    void containersOfPython() {
        QFETCH(QByteArray, pickle);
        QFETCH(QString, result);
        const std::string path = scratch_.at(u"container.pt"_s).toStdString();
        writeArchive(path, pickle, {});
        std::ostringstream shown;
        shown << readSavedValue(path);
        QCOMPARE(q(shown.str()), result);
    }

    void brokenArchives_data() {
        const auto row = columns<QByteArray, QString>("pickle", "message");
        const QByteArray zero("K\0", 2), one("K\x01\x85", 3), four("K\x04\x85", 3);
        row("empty", {}, "the pickle is cut off");
        row("nothing", ".", "the pickle takes a value that is not there");
        row("a call of the system",
            "cos\nsystem\n(X\x04\0\0\0true"
            "tR.",
            "the pickle is cut off");
        row("the system", QByteArray("cos\nsystem\n(X\x04\0\0\0truetR.", 24), "it holds an object made by 'os.system'");
        row("an object", QByteArray("c__main__\nNet\n)\x81}b.", 20), "it holds an object made by '__main__.Net'");
        row("a module", "c__main__\nNet\n)\x81}" + text("_parameters") + "}sb.", "an object made by '__main__.Net'");
        row("a module of TorchScript", "c__torch__\nNet\n)\x81}" + text("training") + "\x88sb.",
            "an object made by '__torch__.Net'");
        row("a class", "c__main__\nNet\n.", "it holds '__main__.Net'; expected tensors");
        row("unknown operation", "\xfe.", "the pickle holds the unknown operation 254");
        row("long text", "X\xff\xff\xff\x7f.", "the pickle is cut off");
        row("longer text", "\x8d\xff\xff\xff\xff\xff\xff\xff\xff.", "the pickle is cut off");
        row("no mark", "t.", "the pickle ends a group that it did not begin");
        row("below the mark", "N(0.", "the pickle takes a value that is not there");
        row("no memo", "h\x07.", "the pickle refers to a value that it does not hold");
        row("in a circle", QByteArray("]q\0h\0a.", 7), "nested more than 64 levels deep");
        row("many values", QByteArray(1'000'001, 'N') + ".", "the pickle holds more than 1000000 values");
        row("two values", "NN.", "the pickle ends in the middle of a value");
        row("memo out of order", "Nq\x01.", "the pickle numbers its values out of order");
        row("deep", ")" + QByteArray(900'000, '\x85') + ".", "nested more than 64 levels deep");
        QByteArray laughs("]q\0", 3);
        for (char level = 0; level < 12; ++level)
            laughs += QByteArray("](") + (QByteArray("h") + level).repeated(10) + "eq" + static_cast<char>(level + 1);
        row("a billion laughs", "(" + laughs + "t.", "it holds more than 1000000 values");
        row("beyond the storage", tensorPickle(zero, "K\x05\x85", one),
            "5 elements that reaches beyond its storage of 4");
        row("offset beyond", tensorPickle("K\x01", four, one), "reaches beyond its storage of 4");
        row("strides beyond", tensorPickle(zero, QByteArray("K\x02\x85", 3), four), "reaches beyond its storage of 4");
        row("negative offset", tensorPickle("J\xff\xff\xff\xff", four, one), "not numbers from 0 to 2^40");
        row("negative size", tensorPickle(zero, "J\xff\xff\xff\xff\x85", one), "not numbers from 0 to 2^40");
        row("sizes no tuple", tensorPickle(zero, zero, one), "whose sizes or strides are not a tuple");
        row("more sizes", tensorPickle(zero, "K\x02K\x02\x86", one), "sizes and strides differ");
        row("large view", tensorPickle(zero, QByteArray("\x8a\x05\0\0\0\0\x02\x85", 8), QByteArray("K\0\x85", 3)),
            "8589934592 elements in a storage of 4");
        row("unknown storage", tensorPickle(zero, four, one, "torch\nQInt8Storage"), "class 'torch.QInt8Storage'");
        row("too few arguments", "ctorch._utils\n_rebuild_tensor_v2\n)R.", "with too few arguments");
        row("sparse", "ctorch._utils\n_rebuild_sparse_tensor\n)R.", "it holds a sparse tensor; expected dense");
        row("quantized", "ctorch._utils\n_rebuild_qtensor\n)R.", "it holds a quantized tensor");
        row("without values", "ctorch._utils\n_rebuild_meta_tensor_no_storage\n)R.", "it holds a meta tensor");
        row("a wrapper",
            "ctorch._tensor\n_rebuild_from_type_v2\n(ctorch._utils\n_rebuild_wrapper_subclass\ncao\nInt8\n)}tR.",
            "it holds a tensor of a Python class that wraps other tensors");
        row("made by its class", "ctorch._tensor\n_rebuild_from_type_v2\n(cao\nmake\ncao\nInt8\n)}tR.",
            "it holds a tensor of a Python class that is made by 'ao.make'");
        row("without arguments", "ctorch._tensor\n_rebuild_from_type_v2\n)R.", "with too few arguments");
        row("shown in another way",
            "ctorch._utils\n_rebuild_tensor_v2\n" + tensorArguments() + "}" + text("bad") + "\x88stR.",
            "it marks a tensor in an unknown way");
        row("conjugated without being complex",
            "ctorch._utils\n_rebuild_tensor_v2\n" + tensorArguments() + "}" + text("conj") + "\x88stR.",
            "it marks a tensor in an unknown way");
        row("a dict with a list as key", "}]Ns.", "a key that is not a string, number, None or tuple of these");
        row("calls a number", "K\x01)R.", "it calls a value that is not a function");
        row("half an entry", "}(Nu.", "a key without a value");
        row("appends to none", "NNa.", "appends to a value that is not a list");
    }
    void brokenArchives() {
        QFETCH(QByteArray, pickle);
        QFETCH(QString, message);
        const QString path = scratch_.at(u"hostile.pt"_s);
        writeArchive(path.toStdString(), pickle, bytesOf<float>({0, 1, 2, 3}));
        const QString error = errorOf([&] { readSavedValue(path.toStdString()); });
        QVERIFY2(error.startsWith(u"cannot read '%1': "_s.arg(path)) && error.contains(message), qPrintable(error));
    }
};

AOTSCOPE_TEST(TestTorchSave)

}  // namespace aotscope::test::torch_save_test

#include "test_torch_save.moc"
