#include "models/words/option_words.h"

#include "models/words/to_qstring.h"
#include "record/options/option_values.h"

#include <QObject>
#include <QStringList>

namespace aotscope {

namespace {

/// "CUDA graphs" for "CUDA Graphs". Without a label in the window, the flag or the key of session files.
QString inSentence(const OptionEntry& entry) {
    const std::string_view label = !entry.label.empty()  ? entry.label
                                   : !entry.flag.empty() ? entry.name()
                                                         : entry.session;
    QStringList words = toQString(label).split(u' ');
    for (QString& word : words)
        if (word != word.toUpper()) word = word.toLower();
    return words.join(u' ');
}

}  // namespace

QString chosenOptionWords(const OptionEntry& entry, const Options& options) {
    const QString value = toQString(optionText(entry, options));
    if (value == QLatin1String("on")) return inSentence(entry);
    return inSentence(entry) + QStringLiteral(": ") + value.section(u'/', -1);
}

QString changedOptionWords(const OptionEntry& entry, const Options& options) {
    if (entry.flag == "MODEL" || entry.session == "model") return {};
    if (entry.name() == "--inputs") return QObject::tr("other inputs");
    if (entry.session == "compileId") return QObject::tr("compilation %1").arg(toQString(options.compileId));
    if (!isDefault(entry, options)) return chosenOptionWords(entry, options);
    const bool flag = optionText(entry, options) == "off";
    return (flag ? QObject::tr("without %1") : QObject::tr("default %1")).arg(inSentence(entry));
}

}  // namespace aotscope
