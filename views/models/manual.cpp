#include "models/manual.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <array>

static void loadManualPages() { Q_INIT_RESOURCE(manual); }  // not possible within a namespace

namespace aotscope {

namespace {

const QString kFolder = QStringLiteral(":/manual/"), kContents = QStringLiteral("index.md");

struct Heading {
    int level;
    QString title;
};
/// The text after "#" in a line outside of code blocks.
Heading headingOf(const QString& line) {
    int level = 0;
    while (level < line.size() && line[level] == u'#') ++level;
    if (level == 0 || level == line.size() || line[level] != u' ') return {0, {}};
    return {level, line.mid(level + 1).trimmed()};
}

/// Calls `use(line, heading)` for every line; level 0: not a heading.
template <typename Use>
void forEachLine(const QString& text, Use&& use) {
    bool code = false;
    for (const QString& line : text.split(u'\n')) {
        if (line.startsWith(QLatin1String("```"))) code = !code;
        use(line, code ? Heading{0, {}} : headingOf(line));
    }
}

ManualPage readPage(const QString& name) {
    ManualPage page{.name = name, .title = name, .text = {}, .sections = {}};
    QFile file(kFolder + name);
    if (file.open(QIODevice::ReadOnly)) page.text = QString::fromUtf8(file.readAll());
    forEachLine(page.text, [&](const QString&, const Heading& heading) {
        if (heading.level == 1) page.title = heading.title;
        else if (heading.level > 1) page.sections.push_back({heading.title, anchorOf(heading.title)});
    });
    return page;
}

/// Words of a question that are in every section.
const QSet<QString> kSmallWords{QStringLiteral("a"),    QStringLiteral("an"),    QStringLiteral("and"),
                                QStringLiteral("are"),  QStringLiteral("can"),   QStringLiteral("do"),
                                QStringLiteral("does"), QStringLiteral("for"),   QStringLiteral("how"),
                                QStringLiteral("i"),    QStringLiteral("in"),    QStringLiteral("is"),
                                QStringLiteral("it"),   QStringLiteral("my"),    QStringLiteral("of"),
                                QStringLiteral("on"),   QStringLiteral("the"),   QStringLiteral("to"),
                                QStringLiteral("what"), QStringLiteral("which"), QStringLiteral("why")};

/// A section, and the words of those who look for it.
constexpr std::array<std::pair<const char*, const char*>, 10> kAnswers = {{
    {"saved-values.md", "tensor activation value saved save kept memory reason"},
    {"dialogs.md#example-inputs", "batch size sizes shape change other inputs"},
    {"window.md#large-graphs-light-and-dark", "font size text theme scale larger dark"},
    {"glossary.md#gradients", "gradient grad none missing"},
    {"glossary.md#tangents", "tangent tangents gradient output"},
    {"what-if.md", "recompute checkpoint less memory out oom undo"},
    {"panels-partition.md#memory", "peak memory live oom out where"},
    {"panels-time.md#time", "slow slowest operation profile time times"},
    {"comparing.md", "two runs difference compare partitions models"},
    {"dynamic-shapes.md#recompiles", "recompile recompiles recompiled again guard"},
}};

QString answersOf(const QString& place) {
    for (const auto& [answer, words] : kAnswers)
        if (place == QLatin1String(answer)) return QLatin1String(words);
    return {};
}

/// Without the small words of a question, if others are left.
QStringList wordsOf(const QStringList& question) {
    QStringList words;
    for (const QString& word : question)
        if (!kSmallWords.contains(word.toLower())) words << QString(word).remove(u'?');
    words.removeAll(QString());
    return words.isEmpty() ? question : words;
}

bool hasAll(const QString& text, const QStringList& words) {
    return std::all_of(words.begin(), words.end(),
                       [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

/// A section's text, and where it stands.
struct Stretch {
    const ManualPage* page;
    QString title, anchor;
    QStringList lines;
};
std::vector<Stretch> stretchesOf(const ManualPage& page) {
    std::vector<Stretch> stretches{{&page, page.title, {}, {}}};
    forEachLine(page.text, [&](const QString& line, const Heading& heading) {
        if (heading.level > 1) stretches.push_back({&page, heading.title, anchorOf(heading.title), {}});
        else if (heading.level == 0) stretches.back().lines.push_back(line);
    });
    return stretches;
}

}  // namespace

QString anchorOf(const QString& heading) {
    static const QRegularExpression dropped(QStringLiteral("[^\\w\\- ]"),
                                            QRegularExpression::UseUnicodePropertiesOption);
    return heading.toLower().remove(dropped).replace(u' ', u'-');
}

const Manual& Manual::instance() {
    static const Manual manual;
    return manual;
}

Manual::Manual() {
    loadManualPages();
    pages_.push_back(readPage(kContents));
    static const QRegularExpression link(QStringLiteral("\\]\\(([\\w-]+\\.md)"));
    const QString contents = pages_.front().text;
    for (auto match = link.globalMatch(contents); match.hasNext();)
        if (const QString name = match.next().captured(1); !find(name) && QFile::exists(kFolder + name))
            pages_.push_back(readPage(name));
}

const ManualPage* Manual::find(const QString& name) const {
    const auto it =
        std::find_if(pages_.begin(), pages_.end(), [&](const ManualPage& page) { return page.name == name; });
    return it == pages_.end() ? nullptr : &*it;
}

std::vector<Manual::Hit> Manual::search(const QStringList& question) const {
    const QStringList words = wordsOf(question);
    std::vector<Hit> inTitles, answers, inText;
    for (const ManualPage& page : pages_) {
        for (const Stretch& stretch : stretchesOf(page)) {
            const QString place = stretch.anchor.isEmpty() ? page.name : page.name + u'#' + stretch.anchor;
            const bool titled = hasAll(stretch.title, words), answer = hasAll(answersOf(place), words);
            if (!titled && !answer && !hasAll(stretch.title + u'\n' + stretch.lines.join(u'\n'), words)) continue;
            const auto line = std::find_if(stretch.lines.begin(), stretch.lines.end(), [&](const QString& text) {
                return text.contains(words.front(), Qt::CaseInsensitive);
            });
            (titled   ? inTitles
             : answer ? answers
                      : inText)
                .push_back(
                    {&page, stretch.anchor, stretch.title, line == stretch.lines.end() ? QString() : line->trimmed()});
        }
    }
    for (const auto* others : {&answers, &inText}) inTitles.insert(inTitles.end(), others->begin(), others->end());
    return inTitles;
}

}  // namespace aotscope
