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

/// Every page, with all facts about the model; then the panels that are not pages.
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
        save(driver, folder.filePath(page.name + u".png"_s));
    }
    for (const char* action : {"actionProblems", "actionOptions"}) {
        driver.trigger(action);
        save(driver, folder.filePath(QLatin1String(action) + u".png"_s));
    }
    for (const char* action :
         {"colourBy-family", "colourBy-mutation", "colourBy-fate", "colourBy-module", "colourBy-bytes"}) {
        driver.trigger(action);
        save(driver, folder.filePath(QLatin1String(action) + u".png"_s));
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
    parser.addOptions({{u"only"_s, u"Only the picture of this name."_s, u"NAME"_s},
                       {u"first"_s, u"Only the first picture of this model."_s, u"MODEL"_s},
                       {u"size"_s, u"Of that: its size."_s, u"WIDTHxHEIGHT"_s, u"1680x1050"_s},
                       {u"graph"_s, u"Of that: the graph, such as backward."_s, u"KIND"_s},
                       {u"text"_s, u"Of that: the size of text."_s, u"PERCENT"_s, u"100"_s},
                       {u"dark"_s, u"Of that: in the dark theme."_s}});
    parser.addOptions({{u"pages"_s, u"Only every page, with this model."_s, u"MODEL"_s},
                       {u"colour-blind"_s, u"Of these: with the palette for colour-blind people."_s}});
    parser.addPositionalArgument(u"folder"_s, u"Where the pictures go."_s);
    parser.process(application);
    const QDir folder(parser.positionalArguments().value(0, u"."_s));
    const bool dark = parser.isSet(u"dark"_s), colourBlind = parser.isSet(u"colour-blind"_s);
    setAppearance(dark, colourBlind);
    Settings().setTextSize(parser.value(u"text"_s).toInt());
    if (parser.isSet(u"pages"_s)) {
        writePages(folder, parser.value(u"pages"_s), sizeFrom(parser.value(u"size"_s)));
        return 0;
    }
    if (parser.isSet(u"first"_s)) {
        const QString model = parser.value(u"first"_s), name = model.section(u':', -1).section(u'/', -1);
        write(folder.filePath(name + u'-' + parser.value(u"size"_s) + u".png"_s),
              {name, model, sizeFrom(parser.value(u"size"_s)), dark, true,
               [kind = graphKindFromName(parser.value(u"graph"_s).toStdString())](Driver& driver) {
                   if (kind) driver.pane()->showKind(*kind);
                   if (!driver.settle()) qFatal("the graph takes too long");
               }});
        return 0;
    }
    for (const Scene& scene : scenes())
        if (!parser.isSet(u"only"_s) || parser.value(u"only"_s) == scene.name) {
            setAppearance(scene.dark, false);
            write(folder.filePath(scene.name + u".png"_s), scene);
        }
    return 0;
}
