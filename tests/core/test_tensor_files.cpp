// Tensors from .npy and .safetensors files, valid and broken.

#include "core/described_tensor.h"
#include "program/files/tensor_file.h"
#include "session/session.h"
#include "support/scratch.h"
#include "support/tensor_files.h"
#include "support/test_program.h"
#include "support/text.h"

#include <sys/resource.h>

namespace aotscope::test::tensor_files_test {

class TestTensorFiles : public QObject {
    Q_OBJECT

    Scratch scratch_;

    QString reading(const QByteArray& content, const QString& name) {
        const QString path = scratch_.write(name, content);
        return errorOf([&] { readTensor(path.toStdString()); });
    }

private Q_SLOTS:
    // --- numpy ---

    void arrays_data() {
        const auto row = columns<QByteArray, QString>("content", "result");
        row("float32", npyBytes(npyHeader("<f4", "(2, 3)"), bytesOf<float>({0, 1, 2, 3, 4, 5})),
            "Float[2, 3][3, 1]: 0 1 2 3 4 5");
        row("version 2", npyBytes(npyHeader("<f8", "(2,)"), bytesOf<double>({0.5, -1}), 2), "Double[2][1]: 0.5 -1");
        row("version 3", npyBytes(npyHeader("<i4", "(1L, 2L)"), bytesOf<int>({7, -8}), 3), "Int[1, 2][2, 1]: 7 -8");
        row("Fortran order", npyBytes(npyHeader("<i8", "(2, 3)", true), bytesOf<qint64>({0, 3, 1, 4, 2, 5})),
            "Long[2, 3][1, 2]: 0 1 2 3 4 5");
        row("big endian", npyBytes(npyHeader(">i2", "(2,)"), QByteArray("\x01\x02\xff\xfe", 4)), "Short[2][1]: 258 -2");
        row("big endian complex", npyBytes(npyHeader(">c8", "(1,)"), QByteArray("\x3f\x80\0\0\xc0\0\0\0", 8)),
            "ComplexFloat[1][1]: 1-2j");
        row("float16", npyBytes(npyHeader("<f2", "(2,)"), bytesOf<quint16>({0x3c00, 0xc100})), "Half[2][1]: 1 -2.5");
        row("bool", npyBytes(npyHeader("|b1", "(3,)"), QByteArray("\x01\0\x02", 3)), "Bool[3][1]: 1 0 1");
        row("int8", npyBytes(npyHeader("|i1", "(2,)"), QByteArray("\xff\x05", 2)), "Char[2][1]: -1 5");
        row("uint8", npyBytes(npyHeader("|u1", "(2,)"), QByteArray("\xff\x05", 2)), "Byte[2][1]: 255 5");
        row("uint16", npyBytes(npyHeader("<u2", "(1,)"), bytesOf<quint16>({65535})), "UInt16[1][1]: 65535");
        row("uint32", npyBytes(npyHeader("<u4", "(1,)"), bytesOf<quint32>({4294967295u})), "UInt32[1][1]: 4.29497e+09");
        row("uint64", npyBytes(npyHeader("<u8", "(1,)"), bytesOf<quint64>({9})), "UInt64[1][1]: 9");
        row("complex128", npyBytes(npyHeader("<c16", "(1,)"), bytesOf<double>({1.5, 2})),
            "ComplexDouble[1][1]: 1.5+2j");
        row("a number", npyBytes(npyHeader("<f4", "()"), bytesOf<float>({3})), "Float[][]: 3");
        row("empty", npyBytes(npyHeader("<f4", "(0, 4)"), {}), "Float[0, 4][4, 1]:");
        row("double quotes, another order, bytes behind",
            npyBytes(R"({"shape":(1,),"fortran_order":False,"descr":"<f4"})", bytesOf<float>({3, 4})),
            "Float[1][1]: 3");
    }
    void arrays() {
        QFETCH(QByteArray, content);
        QFETCH(QString, result);
        QCOMPARE(describe(readTensor(scratch_.write(u"a.npy"_s, content).toStdString())), result);
    }

    void unalignedArrays() {
        QByteArray header = QByteArray::fromStdString(npyHeader("<f4", "(1,)"));
        while ((10 + header.size()) % 4 != 1) header.append(' ');
        const QByteArray content =
            QByteArray("\x93NUMPY\x01\0", 8).append(static_cast<char>(header.size())).append('\0') + header +
            bytesOf<float>({1.5});
        QCOMPARE(describe(readTensor(scratch_.write(u"u.npy"_s, content).toStdString())), u"Float[1][1]: 1.5"_s);
    }

    void brokenArrays_data() {
        const auto row = columns<QByteArray, QString>("content", "message");
        const QByteArray sound = npyBytes(npyHeader("<f4", "(2, 3)"), QByteArray(24, '\0'));
        row("magic only", sound.left(7), "it ends within its header");
        row("half a header", sound.left(60), "its header claims to be 118 bytes long, more than the file has");
        row("data missing", sound.left(sound.size() - 1), "its header asks for 24 bytes of elements, the file has 23");
        row("version 9", npyBytes(npyHeader("<f4", "(1,)"), {}, 9), "it has version 9 of NumPy's format");
        row("objects", npyBytes(npyHeader("|O", "(1,)"), QByteArray(8, '\0')),
            "NumPy's dtype '|O', which PyTorch does not");
        row("long double", npyBytes(npyHeader("<f16", "(1,)"), QByteArray(16, '\0')), "NumPy's dtype '<f16'");
        row("text", npyBytes(npyHeader("<U3", "(1,)"), QByteArray(12, '\0')), "NumPy's dtype '<U3'");
        row("no type", npyBytes(npyHeader("", "(1,)"), QByteArray(12, '\0')), "NumPy's dtype ''");
        row("records", npyBytes("{'descr': [('a','<f4')], 'fortran_order': False, 'shape': (1,)}", {}),
            "an array of records; expected an array of numbers");
        row("negative", npyBytes(npyHeader("<f4", "(-1,)"), {}), "a tensor with a dimension of size -1");
        row("overflow", npyBytes(npyHeader("<f4", "(4294967296, 4294967296, 1)"), {}),
            "a tensor of more than 2^40 elements");
        row("huge number", npyBytes(npyHeader("<f4", "(99999999999999999999,)"), {}), "its header is damaged");
        row("huge", npyBytes(npyHeader("<f8", "(1099511627776,)"), {}), "asks for 8796093022208 bytes");
        row("no dict", npyBytes("[]", {}), "its header is damaged");
        row("open dict", npyBytes("{'descr': '<f4', ", {}), "its header is damaged");
        row("open text", npyBytes("{'descr", {}), "its header is damaged");
        row("no shape", npyBytes("{'descr': '<f4', 'fortran_order': False}", {}), "its header lacks");
        row("unknown entry", npyBytes("{'colour': '<f4'}", {}), "its header has an unknown entry 'colour'");
        row("order no truth", npyBytes("{'fortran_order': 1}", {}), "its header is damaged");
    }
    void brokenArrays() {
        QFETCH(QByteArray, content);
        QFETCH(QString, message);
        const QString error = reading(content, u"broken.npy"_s);
        QVERIFY2(error.startsWith(u"cannot read '%1': "_s.arg(scratch_.at(u"broken.npy"_s))) && error.contains(message),
                 qPrintable(error));
    }

    void filesMadeByNumpy() {
        QCOMPARE(describe(readTensor(dataFile("fortran_big_endian.npy"))), u"Float[2, 3][1, 2]: 0 1 2 3 4 5"_s);
        QCOMPARE(describe(readTensor(dataFile("complex.npy"))), u"ComplexFloat[2][1]: 1+2j 3-4j"_s);
    }

    // --- safetensors ---

    void filesMadeBySafetensors() {
        const auto tensors = readTensors(dataFile("three.safetensors"));
        QCOMPARE(tensors.size(), std::size_t{3});
        QCOMPARE(describe(tensors.at("a")), u"Long[3][1]: 0 1 2"_s);
        QCOMPARE(describe(tensors.at("b")), u"BFloat16[2, 2][2, 1]: 1 1 1 1"_s);
        QCOMPARE(describe(tensors.at("s")), u"Float[][]: 2.5"_s);
        QCOMPARE(describe(readTensor(dataFile("three.safetensors:a"))), u"Long[3][1]: 0 1 2"_s);
        QVERIFY(errorOf([] {
                    readTensor(dataFile("three.safetensors"));
                }).endsWith(u"it holds 3 tensors (a, b, s); write FILE.safetensors:NAME to pick one"_s));
        QVERIFY(errorOf([] {
                    readTensor(dataFile("three.safetensors:c"));
                }).endsWith(u"it has no tensor 'c'; there are a, b, s"_s));
    }

    void elementTypesOfSafetensors_data() {
        columns<QByteArray, QByteArray, QString>("type", "data", "result");
        const auto row = [](const char* type, const QByteArray& data, const char* result) {
            QTest::newRow(type) << QByteArray(type) << data << result;
        };
        row("F64", bytesOf<double>({1.5}), "Double[1][1]: 1.5");
        row("F32", bytesOf<float>({1.5}), "Float[1][1]: 1.5");
        row("F16", bytesOf<quint16>({0x3c00}), "Half[1][1]: 1");
        row("BF16", bytesOf<quint16>({0x3f80}), "BFloat16[1][1]: 1");
        row("I64", bytesOf<qint64>({-3}), "Long[1][1]: -3");
        row("I32", bytesOf<qint32>({-3}), "Int[1][1]: -3");
        row("I16", bytesOf<qint16>({-3}), "Short[1][1]: -3");
        row("I8", bytesOf<qint8>({-3}), "Char[1][1]: -3");
        row("U64", bytesOf<quint64>({3}), "UInt64[1][1]: 3");
        row("U32", bytesOf<quint32>({3}), "UInt32[1][1]: 3");
        row("U16", bytesOf<quint16>({3}), "UInt16[1][1]: 3");
        row("U8", bytesOf<quint8>({3}), "Byte[1][1]: 3");
        row("BOOL", bytesOf<quint8>({3}), "Bool[1][1]: 1");
        row("C64", bytesOf<float>({1, 2}), "ComplexFloat[1][1]: 1+2j");
        row("F8_E4M3", bytesOf<quint8>({0x38}), "Float8_e4m3fn[1][1]: 1");
        row("F8_E5M2", bytesOf<quint8>({0x3c}), "Float8_e5m2[1][1]: 1");
    }
    void elementTypesOfSafetensors() {
        FETCH(QByteArray, type, data);
        QFETCH(QString, result);
        const QByteArray header = "{\"x\":{\"dtype\":\"" + type + "\",\"shape\":[1],\"data_offsets\":[0," +
                                  QByteArray::number(data.size()) + "]}}";
        const QString path = scratch_.write(u"x.safetensors"_s, safetensorsBytes(header, data));
        QCOMPARE(describe(readTensor(path.toStdString())), result);
    }

    void brokenSafetensors_data() {
        columns<QByteArray, QString>("content", "message");
        const auto row = [](const char* name, const QByteArray& header, const char* message) {
            QTest::newRow(name) << safetensorsBytes(header, QByteArray(8, '\0')) << message;
        };
        QTest::newRow("empty") << QByteArray() << "it ends within its header";
        QTest::newRow("long header") << QByteArray(8, '\x7f') + "{}"
                                     << "bytes long, more than the file has";
        QTest::newRow("header without end") << safetensorsBytes("{\"a\"", {}) << "its header is not valid JSON";
        row("no object", "[]", "its header is not a JSON object");
        row("entry no object", R"({"x":3})", "it has a tensor 'x' without a description");
        row("no dtype", R"({"x":{}})", "it has a tensor 'x' without a 'dtype'");
        row("unknown dtype", R"({"x":{"dtype":"F4","shape":[1],"data_offsets":[0,1]}})", "of the unknown dtype 'F4'");
        row("no shape", R"({"x":{"dtype":"F32","data_offsets":[0,4]}})", "without a list 'shape'");
        row("shape of texts", R"({"x":{"dtype":"F32","shape":["a"],"data_offsets":[0,4]}})", "not made of sizes");
        row("negative", R"({"x":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", "not made of sizes");
        row("one offset", R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[0]}})", "are not a begin and an end");
        row("reversed", R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", "are not a begin and an end");
        row("beyond the end", R"({"x":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}})",
            "that ends at byte 16 of 8");
        row("offset of 2^64-1", R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[0,18446744073709551615]}})",
            "that ends at byte 18446744073709551615 of 8");
        row("size of 2^64-1", R"({"x":{"dtype":"F32","shape":[18446744073709551615],"data_offsets":[0,4]}})",
            "with a dimension of size -1");
        row("product overflows", R"({"x":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}})",
            "of more than 2^40 elements");
        row("wrong length", R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})",
            "whose shape takes 8 bytes and whose offsets give it 4");
        row("overlap",
            R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"y":{"dtype":"F32","shape":[1],"data_offsets":[2,6]}})",
            "its tensors 'x' and 'y' overlap");
        row("twice",
            R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"x":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
            "its header has two members with the same name");
        row("deep", "{\"x\":" + QByteArray(1'000'000, '['), "its header nests its values more than 3 levels deep");
    }
    void brokenSafetensors() {
        QFETCH(QByteArray, content);
        QFETCH(QString, message);
        const QString error = reading(content, u"broken.safetensors"_s);
        QVERIFY2(error.startsWith(u"cannot read '"_s) && error.contains(message), qPrintable(error));
        QCOMPARE(errorOf([&] { readTensors(scratch_.at(u"broken.safetensors"_s).toStdString()); }), error);
    }

    void safetensorsAreNotReadUntilTouched() {
        constexpr qint64 bytes = qint64{1} << 31;
        const QString path = scratch_.write(
            u"large.safetensors"_s,
            safetensorsBytes(R"({"x":{"dtype":"F32","shape":[536870912],"data_offsets":[0,2147483648]}})", {}));
        QFile file(path);
        const qint64 header = file.size();
        QVERIFY(file.resize(header + bytes));  // a hole: takes no disk space
        rusage before{}, after{};
        getrusage(RUSAGE_SELF, &before);
        {
            const at::Tensor tensor = readTensor(path.toStdString());
            QCOMPARE(tensor.numel(), bytes / 4);
            QCOMPARE(tensor[1000].item<float>(), 0.0f);
            tensor[1000].fill_(3);
            QCOMPARE(tensor[1000].item<float>(), 3.0f);
        }
        getrusage(RUSAGE_SELF, &after);
        QVERIFY(after.ru_maxrss - before.ru_maxrss < 65536);  // kilobytes
        QCOMPARE(readTensor(path.toStdString())[1000].item<float>(), 0.0f);
        QFile::remove(path);
    }

    void otherFiles() {
        QVERIFY(reading("nonsense", u"n.bin"_s).contains(u"it is not a file of tensors; expected a .npy file"_s));
        QVERIFY(reading({}, u"n.pt"_s).contains(u"it is not a file of tensors"_s));
        QVERIFY(errorOf([&] { readTensor(scratch_.path().toStdString()); }).contains(u"found a folder"_s));
        QVERIFY(errorOf([&] { readTensors("/no/such/file.npy"); }).contains(u"no such file"_s));
        QVERIFY(errorOf([&] { readTensor("/dev/zero"); }).contains(u"expected a regular file"_s));
        QVERIFY(errorOf([&] { readTensors(dataFile("complex.npy")); }).contains(u"one array without a name"_s));
    }

    /// Every file, truncated anywhere or with any byte changed, gives tensors or an error.
    void damagedFiles_data() {
        QTest::addColumn<QString>("file");
        for (const char* name : {"fortran_big_endian.npy", "three.safetensors", "kinds.pt"})
            QTest::newRow(name) << QString::fromUtf8(dataFile(name).c_str());
    }
    void damagedFiles() {
        QFETCH(QString, file);
        const QByteArray whole = contentOf(file);
        const QString path = scratch_.at(u"damaged"_s + QFileInfo(file).suffix());
        const auto tryIt = [&](const QByteArray& content) {
            scratch_.write(QFileInfo(path).fileName(), content);
            const QString one = errorOf([&] { readTensor(path.toStdString()); });
            const QString all = errorOf([&] { readTensors(path.toStdString()); });
            return !one.startsWith(u"not an"_s) && !all.startsWith(u"not an"_s);
        };
        for (qsizetype length = 0; length<whole.size(); length += whole.size()> 1000 ? 13 : 1)
            QVERIFY2(tryIt(whole.left(length)), qPrintable(QString::number(length)));
        for (qsizetype i = 0; i<whole.size(); i += whole.size()> 1000 ? 7 : 1)
            for (char flip : {'\x01', '\x80'}) {
                QByteArray content = whole;
                content[i] = static_cast<char>(content[i] ^ flip);
                QVERIFY2(tryIt(content), qPrintable(QString::number(i)));
            }
    }
};

AOTSCOPE_TEST(TestTensorFiles)

}  // namespace aotscope::test::tensor_files_test

#include "test_tensor_files.moc"
