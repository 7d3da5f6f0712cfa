// Pictures of the window: those of README and manual, or the first one of a model at any size.

#include "screenshots/scenes.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>

using namespace aotscope;
using namespace aotscope::test;

namespace {

void setAppearance(bool dark, bool colourBlind) {
    Isolation().forget();
    Settings().setAppearance(dark ? Settings::Appearance::dark : Settings::Appearance::light);
    Settings().setColourBlind(colourBlind);
}

void save(Driver& driver, const QString& file) {
    QTest::qWait(50);
    if (!driver.settle() || !driver.window.grab().save(file)) qFatal("%s cannot be written", qPrintable(file));
}

/// Every page, with all that can be known of the model; then the panels that are no pages.
void writePages(const QDir& folder, const QString& model, QSize size) {
    Driver driver;
    driver.window.resize(size);
    if (!driver.open(model)) qFatal("%s does not open", qPrintable(model));
    QTest::keyClick(driver.canvas(), Qt::Key_Down);
    for (const char* action : {"actionCheck", "actionTime", "actionSweep", "actionKeepRun", "actionTrain",
                               "actionDebug", "actionDebugStep", "actionDebugStep"}) {
        driver.trigger(action);
        if (!driver.settle()) qFatal("%s takes too long", action);
    }
    for (const Page& page : driver.window.pages().all()) {
        driver.window.pages().opening(page.widget)->trigger();
        save(driver, folder.filePath(page.name + QStringLiteral(".png")));
    }
    for (const char* action : {"actionProblems", "actionOptions"}) {
        driver.trigger(action);
        save(driver, folder.filePath(QLatin1String(action) + QStringLiteral(".png")));
    }
    for (const char* action :
         {"colourBy-family", "colourBy-mutation", "colourBy-fate", "colourBy-module", "colourBy-bytes"}) {
        driver.trigger(action);
        save(driver, folder.filePath(QLatin1String(action) + QStringLiteral(".png")));
    }
}

void write(const QString& file, const Scene& scene) {
    Driver driver;
    driver.window.resize(scene.size);
    if (scene.asOpened) driver.trigger("actionAutomaticModules");
    if (!driver.open(scene.model)) qFatal("%s does not open", qPrintable(scene.model));
    QTest::qWait(50);
    scene.act(driver);
    driver.window.statusBar()->clearMessage();
    QWidget* shown = scene.of.isEmpty() ? &driver.window : driver.window.findChild<QWidget*>(scene.of);
    if (!shown || !shown->grab().save(file)) qFatal("%s cannot be written", qPrintable(file));
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
         {QStringLiteral("graph"), QStringLiteral("Of that: the graph, such as backward."), QStringLiteral("KIND")},
         {QStringLiteral("dark"), QStringLiteral("Of that: in the dark theme.")}});
    parser.addOptions(
        {{QStringLiteral("pages"), QStringLiteral("Only every page, with this model."), QStringLiteral("MODEL")},
         {QStringLiteral("colour-blind"), QStringLiteral("Of these: with the palette for colour-blind people.")}});
    parser.addPositionalArgument(QStringLiteral("folder"), QStringLiteral("Where the pictures go."));
    parser.process(application);
    const QDir folder(parser.positionalArguments().value(0, QStringLiteral(".")));
    const bool dark = parser.isSet(QStringLiteral("dark")), colourBlind = parser.isSet(QStringLiteral("colour-blind"));
    setAppearance(dark, colourBlind);
    if (parser.isSet(QStringLiteral("pages"))) {
        writePages(folder, parser.value(QStringLiteral("pages")), sizeFrom(parser.value(QStringLiteral("size"))));
        return 0;
    }
    if (parser.isSet(QStringLiteral("first"))) {
        const QString model = parser.value(QStringLiteral("first")), name = model.section(u':', -1).section(u'/', -1);
        write(folder.filePath(name + u'-' + parser.value(QStringLiteral("size")) + QStringLiteral(".png")),
              {name, model, sizeFrom(parser.value(QStringLiteral("size"))), dark, true,
               [kind = graphKindFromName(parser.value(QStringLiteral("graph")).toStdString())](Driver& driver) {
                   if (kind) driver.pane()->showKind(*kind);
                   if (!driver.settle()) qFatal("the graph takes too long");
               }});
        return 0;
    }
    for (const Scene& scene : scenes())
        if (!parser.isSet(QStringLiteral("only")) || parser.value(QStringLiteral("only")) == scene.name) {
            setAppearance(scene.dark, false);
            write(folder.filePath(scene.name + QStringLiteral(".png")), scene);
        }
    return 0;
}
