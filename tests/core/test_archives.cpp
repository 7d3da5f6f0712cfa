// Zip archives as we write them: others read them, and what is deflated can be inflated, whoever has packed it.

#include "program/files/archive.h"
#include "program/files/archive_writer.h"
#include "support/mutations.h"
#include "support/packed/deflate.h"
#include "support/scratch.h"
#include "support/test_program.h"

#include <caffe2/serialize/inline_container.h>

#include <map>
#include <sstream>

namespace aotscope::test::archives_test {

class TestArchives : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// With the numbers of large records, too.
    void archivesAreReadByOthers_data() {
        columns<quint64>("large");
        QTest::newRow("small") << quint64{0xffffffff};
        QTest::newRow("large") << quint64{1};
    }
    void archivesAreReadByOthers() {
        QFETCH(quint64, large);
        const std::string text = "text", repeated(100'000, 'a');
        std::string bytes;
        ArchiveWriter writer([&](std::string_view more) { bytes += more; }, large);
        writer.add("text", text, false);
        writer.add("folder/repeated", repeated, true);
        writer.add("empty", "", true);
        writer.finish();
        QVERIFY(bytes.size() < 2000);
        const ZipArchive ours(bytes);
        std::istringstream in(bytes);
        caffe2::serialize::PyTorchStreamReader theirs(&in);
        QCOMPARE(ours.records().size(), std::size_t{4});
        for (const auto& [name, content] :
             std::map<std::string, std::string>{{"text", text}, {"folder/repeated", repeated}, {"empty", ""}}) {
            QCOMPARE(ours.read(name), content);
            const auto [data, size] = theirs.getRecord(name);
            QCOMPARE(std::string(static_cast<const char*>(data.get()), size), content);
        }
    }

    void whatIsWrittenCanBeRead() {
        const std::string zeros(40 << 20, '\0');
        std::string bytes;
        ArchiveWriter writer([&](std::string_view more) { bytes += more; });
        writer.add("zeros", zeros, true);
        writer.finish();
        QVERIFY(ZipArchive(bytes).read("zeros") == zeros);
    }

    void packedBytesAreThoseGiven_data() {
        columns<QByteArray>("content");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("a byte") << QByteArray("a");
        QTest::newRow("a run") << QByteArray(300'000, 'x');
        QTest::newRow("text") << contentOf(QStringLiteral(__FILE__)).repeated(5);
        QByteArray noise;
        Random64 random(5);
        while (noise.size() < 70'000) noise += static_cast<char>(random());
        QTest::newRow("noise") << noise;
        QTest::newRow("noise, again at the end of the window") << noise.left(1 << 15).repeated(2);
        QTest::newRow("noise, again behind the window") << noise.left((1 << 15) + 1).repeated(2);
        QByteArray words;
        while (words.size() < 400'000) words += noise.mid(static_cast<qsizetype>(random() % 1000), random() % 40);
        QTest::newRow("words, in several blocks") << words;
    }
    void packedBytesAreThoseGiven() {
        QFETCH(QByteArray, content);
        const std::string given = content.toStdString(), packed = deflated(given);
        QVERIFY(packed.size() < given.size() + given.size() / 100 + 100);
        QVERIFY(inflated(packed, given.size()) == given);
        QVERIFY(!inflated(packed, given.size() + 1) && !inflated({packed.data(), packed.size() - 1}, given.size()));
        if (!given.empty()) QVERIFY(!inflated(packed, given.size() - 1));
    }

    /// Kinds of blocks that others write.
    void otherBlocksAreUnpacked_data() {
        columns<QByteArray>("packed");
        QTest::newRow("stored") << QByteArray("011100eeff68656c6c6f2068656c6c6f2068656c6c6f");
        QTest::newRow("fixed codes") << QByteArray("cb48cdc9c957c8409000");
    }
    void otherBlocksAreUnpacked() {
        QFETCH(QByteArray, packed);
        const std::string bytes = QByteArray::fromHex(packed).toStdString();
        QVERIFY(inflated(bytes, 17) == "hello hello hello");
        for (std::size_t i = 0; i < bytes.size(); ++i) QVERIFY(!inflated({bytes.data(), i}, 17));
    }

    void damagedBytesAreNotUnpacked() {
        const std::string given = contentOf(QStringLiteral(__FILE__)).left(5000).toStdString(),
                          packed = deflated(given);
        Random64 random(9);
        int refused = 0;
        for (int i = 0; i < 2000; ++i) {
            std::string damaged = packed;
            for (int k = 0; k < 1 + i % 3; ++k)
                damaged[random() % (i % 2 ? damaged.size() : 100)] = static_cast<char>(random());
            const auto content = inflated(damaged, given.size());
            QVERIFY(!content || content->size() == given.size());
            refused += !content;
        }
        QVERIFY(refused > 1000);
    }
};

AOTSCOPE_TEST(TestArchives)

}  // namespace aotscope::test::archives_test

#include "test_archives.moc"
