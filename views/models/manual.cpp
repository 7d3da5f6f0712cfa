#include "models/manual.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>

#include <algorithm>

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

std::vector<Manual::Hit> Manual::search(const QStringList& words) const {
    std::vector<Hit> inTitles, inText;
    for (const ManualPage& page : pages_) {
        for (const Stretch& stretch : stretchesOf(page)) {
            const bool titled = hasAll(stretch.title, words);
            if (!titled && !hasAll(stretch.title + u'\n' + stretch.lines.join(u'\n'), words)) continue;
            const auto line = std::find_if(stretch.lines.begin(), stretch.lines.end(), [&](const QString& text) {
                return text.contains(words.front(), Qt::CaseInsensitive);
            });
            (titled ? inTitles : inText)
                .push_back(
                    {&page, stretch.anchor, stretch.title, line == stretch.lines.end() ? QString() : line->trimmed()});
        }
    }
    inTitles.insert(inTitles.end(), inText.begin(), inText.end());
    return inTitles;
}

}  // namespace aotscope
