// Settings that are kept between runs, and their file.

#include "app/isolation.h"
#include "controllers/settings.h"
#include "support/test_program.h"

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
        QVERIFY(settings.inputSpec(u"a.pt"_s).isEmpty());
    }

    void isKeptInAFile() {
        Settings().addRecentModel(u"a.pt"_s);
        QVERIFY(isolation_.file().startsWith(isolation_.folder().path()));
        QVERIFY(QFileInfo::exists(isolation_.file()));
        QCOMPARE(Settings().recentModels(), words("a.pt"));
    }

    /// Exports do not move the dialog that opens models.
    void savingHasAFolderOfItsOwn() {
        Settings settings;
        settings.setLastFolder(u"/models"_s);
        QCOMPARE(settings.saveFolder(), u"/models"_s);
        settings.setSaveFolder(u"/pictures"_s);
        QCOMPARE(settings.saveFolder(), u"/pictures"_s);
        QCOMPARE(settings.lastFolder(), u"/models"_s);
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
        const QString model = u"/tmp/a b, \"c\"=ä;%1/モデル.pt"_s;
        Settings().addRecentModel(model);
        Settings().setInputSpec(model, "[]");
        QCOMPARE(Settings().recentModels(), QStringList{model});
        QCOMPARE(Settings().inputSpec(model), QByteArray("[]"));
    }

    void theWindow() {
        const QByteArray geometry("\x01\x00\xff", 3), docks("\x00state", 6);
        Settings().setWindowGeometry(geometry);
        Settings().setArrangements(u"run"_s, {{u"memory"_s, docks}});
        QCOMPARE(Settings().windowGeometry(), geometry);
        QCOMPARE(Settings().perspective(), u"run"_s);
        QCOMPARE(Settings().arrangements().size(), 1U);
        QCOMPARE(Settings().arrangements().front().perspective, u"memory"_s);
        QCOMPARE(Settings().arrangements().front().docks, docks);
    }

    /// Also settings of earlier versions, which had no perspectives.
    void layouts() {
        const QByteArray docks("\x00state", 6);
        QSettings().setValue("window/layouts", QVariantMap{{u"old"_s, docks}});
        Settings().setLayout(u"new"_s, {u"debug"_s, docks});
        QCOMPARE(Settings().layoutNames(), QStringList({u"new"_s, u"old"_s}));
        for (const char* name : {"old", "new"}) QCOMPARE(Settings().layout(QLatin1String(name)).docks, docks);
        QVERIFY(Settings().layout(u"old"_s).perspective.isEmpty());
        QCOMPARE(Settings().layout(u"new"_s).perspective, u"debug"_s);
        Settings().removeLayout(u"old"_s);
        QCOMPARE(Settings().layoutNames(), QStringList(u"new"_s));
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
        QSettings().setValue("window/appearance", u"sepia"_s);
        QCOMPARE(Settings().appearance(), Settings::Appearance::system);
    }

    void specsBelongToTheirModels() {
        Settings().setInputSpec(u"a.pt"_s, "[1]");
        Settings().setInputSpec(u"b.pt"_s, "[2]");
        QCOMPARE(Settings().inputSpec(u"a.pt"_s), QByteArray("[1]"));
        QCOMPARE(Settings().inputSpec(u"b.pt"_s), QByteArray("[2]"));
        QVERIFY(Settings().inputSpec(u"c.pt"_s).isEmpty());
    }

    void libraries() {
        QVERIFY(Settings().libraries().isEmpty());
        Settings().setLibraries({u"/a.so"_s, u"/b c.so"_s});
        QCOMPARE(Settings().libraries(), (QStringList{u"/a.so"_s, u"/b c.so"_s}));
        Settings().setLibraries({});
        QVERIFY(Settings().libraries().isEmpty());
    }

    void aDamagedFileIsAFirstStart() {
        Settings().addRecentModel(u"a.pt"_s);
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
