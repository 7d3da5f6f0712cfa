// The targets of the fuzzer (./dev fuzz) on the files in tests/data/fuzz/TARGET. Files called crash-... have crashed
// an earlier version.

#include "fuzz/fuzz_targets.h"
#include "support/child_pool.h"
#include "support/error.h"
#include "support/scratch.h"
#include "support/test_program.h"
#include "support/text.h"

namespace aotscope::test::fuzz_corpus_test {
namespace {

const QString kTaken = u"taken"_s, kRefused = u"refused"_s;

QDir corpusOf(const fuzz::Target& target) {
    return {QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/fuzz/") + QLatin1String(target.name)};
}

QString outcomeOf(const fuzz::Target& target, const QByteArray& content) {
    try {
        target.run({content.constData(), static_cast<std::size_t>(content.size())});
    } catch (const Error& e) {
        return q(e.what()).isEmpty() ? u"an error without words"_s : kRefused;
    } catch (const std::exception& e) {
        return u"not an Error: "_s + q(e.what());
    }
    return kTaken;
}

}  // namespace

class TestFuzzCorpus : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyFolderBelongsToATarget() {
        const QStringList folders = QDir(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/fuzz"))
                                        .entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
        QStringList names;
        for (const fuzz::Target& target : fuzz::targets()) names << QLatin1String(target.name);
        names.sort();
        QCOMPARE(folders, names);
    }

    void files_data() {
        const auto row = columns<int>("index");
        for (std::size_t i = 0; i < fuzz::targets().size(); ++i) row(fuzz::targets()[i].name, static_cast<int>(i));
    }
    void files() {
        QFETCH(int, index);
        const fuzz::Target& target = fuzz::targets()[static_cast<std::size_t>(index)];
        const QDir folder = corpusOf(target);
        const QStringList files = folder.entryList(QDir::Files, QDir::Name);
        QVERIFY2(!files.isEmpty(), qPrintable(folder.path()));
        const QStringList outcomes = runInChildren(
            static_cast<int>(files.size()),
            [&](int i) { return outcomeOf(target, contentOf(folder.filePath(files[i]))); }, {10, std::size_t{1} << 29});
        for (int i = 0; i < files.size(); ++i)
            QVERIFY2(outcomes[i] == kTaken || outcomes[i] == kRefused, qPrintable(files[i] + u": "_s + outcomes[i]));
        QVERIFY2(outcomes.contains(kTaken), "a target that refuses everything tests nothing");
    }
};

AOTSCOPE_TEST(TestFuzzCorpus)

}  // namespace aotscope::test::fuzz_corpus_test

#include "test_fuzz_corpus.moc"
