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
    parser.addOptions({{"only", "Only the picture of this name.", "NAME"},
                       {"first", "Only the first picture of this model.", "MODEL"},
                       {"size", "Of that: its size.", "WIDTHxHEIGHT", "1680x1050"},
                       {"dark", "Of that: in the dark theme."}});
    parser.addPositionalArgument("folder", "Where the pictures go.");
    parser.process(application);
    const QDir folder(parser.positionalArguments().value(0, QStringLiteral(".")));
    if (parser.isSet("first")) {
        const QString model = parser.value("first"), name = model.section(u':', -1).section(u'/', -1);
        write(folder.filePath(name + u'-' + parser.value("size") + QStringLiteral(".png")),
              {name, model, sizeFrom(parser.value("size")), parser.isSet("dark")});
        return 0;
    }
    for (const Scene& scene : scenes())
        if (!parser.isSet("only") || parser.value("only") == scene.name)
            write(folder.filePath(scene.name + QStringLiteral(".png")), scene);
    return 0;
}
