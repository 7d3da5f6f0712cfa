#include "controllers/settings.h"

#include "models/words/to_qstring.h"
#include "support/enumerators.h"

#include <QCryptographicHash>

#include <algorithm>

namespace aotscope {

namespace {

constexpr int kMostRecent = 10;

constexpr std::pair<const char*, std::string CompilerChoice::*> kCompilers[] = {
    {"options/compiler", &CompilerChoice::forward},
    {"options/backwardCompiler", &CompilerChoice::backward},
    {"options/inferenceCompiler", &CompilerChoice::inference}};

QStringList withFirst(QStringList list, const QString& latest) {
    list.removeAll(latest);
    list.prepend(latest);
    return list.mid(0, kMostRecent);
}

QString specKey(const QString& model) {
    return QStringLiteral("inputs/") +
           QString::fromLatin1(QCryptographicHash::hash(model.toUtf8(), QCryptographicHash::Sha1).toHex());
}

QString consentKey(const QString& what, const QString& file) {
    const QByteArray both = (what + u'\n' + file).toUtf8();
    return QStringLiteral("consent/") +
           QString::fromLatin1(QCryptographicHash::hash(both, QCryptographicHash::Sha256).toHex());
}

}  // namespace

QStringList Settings::recentModels() const { return store_.value("files/recent").toStringList(); }

void Settings::addRecentModel(const QString& model) {
    store_.setValue("files/recent", withFirst(recentModels(), model));
}

void Settings::setLessonDone(const QString& name) {
    QStringList done = lessonsDone();
    if (!done.contains(name)) store_.setValue("window/lessonsDone", done << name);
}

void Settings::addRemoteHost(const QString& host) {
    store_.setValue("files/remoteHosts", withFirst(remoteHosts(), host));
}

void Settings::clearRecentModels() { store_.remove("files/recent"); }

std::vector<Arrangement> Settings::arrangements() const {
    const QVariantMap docks = store_.value("window/docks").toMap();
    std::vector<Arrangement> all;
    const QSize window = store_.value("window/arrangedSize").toSize();
    for (auto each = docks.begin(); each != docks.end(); ++each)
        all.push_back({each.key(), each->toByteArray(), window});
    return all;
}

void Settings::setArrangements(const QString& perspective, const std::vector<Arrangement>& all) {
    QVariantMap docks;
    for (const Arrangement& each : all) docks.insert(each.perspective, each.docks);
    store_.setValue("window/docks", docks);
    if (!all.empty()) store_.setValue("window/arrangedSize", all.front().window);
    store_.setValue("window/perspective", perspective);
}

QStringList Settings::layoutNames() const { return store_.value("window/layouts").toMap().keys(); }

/// Earlier versions had one arrangement for everything.
Arrangement Settings::layout(const QString& name) const {
    const QVariant layout = store_.value("window/layouts").toMap().value(name);
    const QVariantMap parts = layout.toMap();
    if (parts.isEmpty()) return {{}, layout.toByteArray()};
    return {parts.value(QStringLiteral("perspective")).toString(), parts.value(QStringLiteral("docks")).toByteArray(),
            parts.value(QStringLiteral("window")).toSize()};
}

void Settings::setLayout(const QString& name, const Arrangement& layout) {
    QVariantMap layouts = store_.value("window/layouts").toMap();
    layouts.insert(name, QVariantMap{{QStringLiteral("perspective"), layout.perspective},
                                     {QStringLiteral("docks"), layout.docks},
                                     {QStringLiteral("window"), layout.window}});
    store_.setValue("window/layouts", layouts);
}

void Settings::removeLayout(const QString& name) {
    QVariantMap layouts = store_.value("window/layouts").toMap();
    layouts.remove(name);
    store_.setValue("window/layouts", layouts);
}

Settings::Appearance Settings::appearance() const {
    return enumeratorSpelled<Appearance>(store_.value("window/appearance").toString().toStdString())
        .value_or(Appearance::system);
}

void Settings::setAppearance(Appearance appearance) {
    store_.setValue("window/appearance", toQString(spelled(appearance)));
}

int Settings::textSize() const {
    return std::clamp(store_.value("window/textSize", 100).toInt(), kSmallestText, kLargestText);
}

void Settings::setTextSize(int percent) {
    store_.setValue("window/textSize", std::clamp(percent, kSmallestText, kLargestText));
}

void Settings::setLimits(const Limits& limits) {
    store_.setValue("limits/seconds", limits.seconds);
    store_.setValue("limits/bytes", static_cast<qlonglong>(limits.bytes));
}

CompilerChoice Settings::compilers() const {
    CompilerChoice choice;
    for (const auto& [key, compiler] : kCompilers)
        choice.*compiler = store_.value(key, toQString(choice.*compiler)).toString().toStdString();
    for (const QString& plugin : store_.value("options/plugins").toStringList())
        choice.plugins.emplace_back(plugin.toStdString());
    return choice;
}

void Settings::setCompilers(const CompilerChoice& choice) {
    QStringList plugins;
    for (const auto& plugin : choice.plugins) plugins << QString::fromStdString(plugin.string());
    for (const auto& [key, compiler] : kCompilers) store_.setValue(key, toQString(choice.*compiler));
    store_.setValue("options/plugins", plugins);
}

QByteArray Settings::consent(const QString& what, const QString& file) const {
    return store_.value(consentKey(what, file)).toStringList().value(0).toLatin1();
}

/// With its purpose, so that people can distinguish the entries.
void Settings::setConsent(const QString& what, const QString& file, const QByteArray& hash) {
    store_.setValue(consentKey(what, file), QStringList{QString::fromLatin1(hash), what, file});
}

QByteArray Settings::inputSpec(const QString& model) const { return store_.value(specKey(model)).toByteArray(); }

void Settings::setInputSpec(const QString& model, const QByteArray& json) { store_.setValue(specKey(model), json); }

}  // namespace aotscope
