// Settings that are kept between runs, and their file.

#include "app/isolation.h"
#include "controllers/settings.h"
#include "support/test_program.h"

#include <QFileInfo>
#include <QStandardPaths>
#include <QtTest>

namespace aotscope::test::settings_test {
namespace {

QStringList words(const char* text) { return QString::fromUtf8(text).split(u' ', Qt::SkipEmptyParts); }

}  // namespace

class TestSettings : public QObject {
    Q_OBJECT

    Isolation isolation_;

private Q_SLOTS:
    void init() { isolation_.forget(); }

    void startedProgramsKeepTheirsApart() {
        QCOMPARE(QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation), isolation_.folder().path());
    }

    void firstStart() {
        const Settings settings;
        QVERIFY(settings.recentModels().isEmpty());
        QVERIFY(settings.windowGeometry().isEmpty() && settings.arrangements().empty());
        QCOMPARE(settings.appearance(), Settings::Appearance::system);
        QVERIFY(settings.lastFolder().isEmpty());
        QVERIFY(settings.inputSpec(QStringLiteral("a.pt")).isEmpty());
    }

    void isKeptInAFile() {
        Settings().addRecentModel(QStringLiteral("a.pt"));
        QVERIFY(isolation_.file().startsWith(isolation_.folder().path()));
        QVERIFY(QFileInfo::exists(isolation_.file()));
        QCOMPARE(Settings().recentModels(), words("a.pt"));
    }

    void theLastModelComesFirst() {
        Settings settings;
        for (const QString& model : words("a.pt b.pt c.pt a.pt")) settings.addRecentModel(model);
        QCOMPARE(settings.recentModels(), words("a.pt c.pt b.pt"));
    }

    void onlyTenModelsAreKept() {
        Settings settings;
        for (int i = 0; i < 25; ++i) settings.addRecentModel(QString::number(i));
        QCOMPARE(settings.recentModels(), words("24 23 22 21 20 19 18 17 16 15"));
        settings.clearRecentModels();
        QVERIFY(settings.recentModels().isEmpty());
    }

    void namesMayHoldAnything() {
        const QString model = QStringLiteral("/tmp/a b, \"c\"=ä;%1/モデル.pt");
        Settings().addRecentModel(model);
        Settings().setInputSpec(model, "[]");
        QCOMPARE(Settings().recentModels(), QStringList{model});
        QCOMPARE(Settings().inputSpec(model), QByteArray("[]"));
    }

    void theWindow() {
        const QByteArray geometry("\x01\x00\xff", 3), docks("\x00state", 6);
        Settings().setWindowGeometry(geometry);
        Settings().setArrangements(QStringLiteral("run"), {{QStringLiteral("memory"), docks}});
        QCOMPARE(Settings().windowGeometry(), geometry);
        QCOMPARE(Settings().perspective(), QStringLiteral("run"));
        QCOMPARE(Settings().arrangements().size(), 1U);
        QCOMPARE(Settings().arrangements().front().perspective, QStringLiteral("memory"));
        QCOMPARE(Settings().arrangements().front().docks, docks);
    }

    /// Also what earlier programs wrote, which had no perspectives.
    void layouts() {
        const QByteArray docks("\x00state", 6);
        QSettings().setValue("window/layouts", QVariantMap{{QStringLiteral("old"), docks}});
        Settings().setLayout(QStringLiteral("new"), {QStringLiteral("debug"), docks});
        QCOMPARE(Settings().layoutNames(), QStringList({QStringLiteral("new"), QStringLiteral("old")}));
        for (const char* name : {"old", "new"}) QCOMPARE(Settings().layout(QLatin1String(name)).docks, docks);
        QVERIFY(Settings().layout(QStringLiteral("old")).perspective.isEmpty());
        QCOMPARE(Settings().layout(QStringLiteral("new")).perspective, QStringLiteral("debug"));
        Settings().removeLayout(QStringLiteral("old"));
        QCOMPARE(Settings().layoutNames(), QStringList(QStringLiteral("new")));
    }

    void appearance() {
        for (const auto value :
             {Settings::Appearance::dark, Settings::Appearance::light, Settings::Appearance::system}) {
            Settings().setAppearance(value);
            QCOMPARE(Settings().appearance(), value);
        }
    }

    void palette() {
        QVERIFY(!Settings().colourBlind());
        Settings().setColourBlind(true);
        QVERIFY(Settings().colourBlind());
    }

    void anUnknownAppearanceIsTheSystems() {
        QSettings().setValue("window/appearance", QStringLiteral("sepia"));
        QCOMPARE(Settings().appearance(), Settings::Appearance::system);
    }

    void specsBelongToTheirModels() {
        Settings().setInputSpec(QStringLiteral("a.pt"), "[1]");
        Settings().setInputSpec(QStringLiteral("b.pt"), "[2]");
        QCOMPARE(Settings().inputSpec(QStringLiteral("a.pt")), QByteArray("[1]"));
        QCOMPARE(Settings().inputSpec(QStringLiteral("b.pt")), QByteArray("[2]"));
        QVERIFY(Settings().inputSpec(QStringLiteral("c.pt")).isEmpty());
    }

    void libraries() {
        QVERIFY(Settings().libraries().isEmpty());
        Settings().setLibraries({QStringLiteral("/a.so"), QStringLiteral("/b c.so")});
        QCOMPARE(Settings().libraries(), (QStringList{QStringLiteral("/a.so"), QStringLiteral("/b c.so")}));
        Settings().setLibraries({});
        QVERIFY(Settings().libraries().isEmpty());
    }

    void aDamagedFileIsAFirstStart() {
        Settings().addRecentModel(QStringLiteral("a.pt"));
        QFile file(isolation_.file());
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("[files\n\xff\xfe recent=@Variant(\\0\\0\n[[[\n");
        file.close();
        const Settings settings;
        settings.recentModels();
        QCOMPARE(settings.appearance(), Settings::Appearance::system);
    }
};

AOTSCOPE_TEST(TestSettings)

}  // namespace aotscope::test::settings_test

#include "test_settings.moc"
