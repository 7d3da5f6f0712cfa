// Pictures of the window: those of README and manual, or the first one of a model at any size.

#include "screenshots/scenes.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>

using namespace aotscope;
using namespace aotscope::test;

namespace {

void write(const QString& file, const Scene& scene) {
    Isolation().forget();
    Settings().setAppearance(scene.dark ? Settings::Appearance::dark : Settings::Appearance::light);
    Driver driver;
    driver.window.resize(scene.size);
    if (scene.asOpened) driver.trigger("actionAutomaticModules");
    if (!driver.open(scene.model)) qFatal("%s does not open", qPrintable(scene.model));
    QTest::qWait(50);
    scene.act(driver);
    driver.window.statusBar()->clearMessage();
    if (!driver.window.grab().save(file)) qFatal("%s cannot be written", qPrintable(file));
}

QSize sizeFrom(const QString& text) { return {text.section(u'x', 0, 0).toInt(), text.section(u'x', 1, 1).toInt()}; }

}  // namespace

int main(int argc, char** argv) {
    const QApplication application(argc, argv);
    initializeTorch();
    QCommandLineParser parser;
    parser.addHelpOption();
    parser.addOptions(
        {{QStringLiteral("only"), QStringLiteral("Only the picture of this name."), QStringLiteral("NAME")},
         {QStringLiteral("first"), QStringLiteral("Only the first picture of this model."), QStringLiteral("MODEL")},
         {QStringLiteral("size"), QStringLiteral("Of that: its size."), QStringLiteral("WIDTHxHEIGHT"),
          QStringLiteral("1680x1050")},
         {QStringLiteral("dark"), QStringLiteral("Of that: in the dark theme.")}});
    parser.addPositionalArgument(QStringLiteral("folder"), QStringLiteral("Where the pictures go."));
    parser.process(application);
    const QDir folder(parser.positionalArguments().value(0, QStringLiteral(".")));
    if (parser.isSet(QStringLiteral("first"))) {
        const QString model = parser.value(QStringLiteral("first")), name = model.section(u':', -1).section(u'/', -1);
        write(
            folder.filePath(name + u'-' + parser.value(QStringLiteral("size")) + QStringLiteral(".png")),
            {name, model, sizeFrom(parser.value(QStringLiteral("size"))), parser.isSet(QStringLiteral("dark")), true});
        return 0;
    }
    for (const Scene& scene : scenes())
        if (!parser.isSet(QStringLiteral("only")) || parser.value(QStringLiteral("only")) == scene.name)
            write(folder.filePath(scene.name + QStringLiteral(".png")), scene);
    return 0;
}
