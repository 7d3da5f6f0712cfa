#include "models/glossary.h"

#include "models/manual.h"

#include <QSet>

#include <algorithm>

namespace aotscope {

namespace {

const QString kGlossaryPage = QStringLiteral("glossary.md"), kTermHeading = QStringLiteral("### ");

/// Without links to other pages, and without the marks of code.
QString withoutLinks(const QString& text) {
    static const QRegularExpression link(QStringLiteral("\\[([^\\]]*)\\]\\([^)]*\\)")),
        lonely(QStringLiteral("(?:^|(?<=[.:] ))\\[[^\\]]*\\]\\([^)]*\\)\\s*$"));
    return text.simplified().remove(lonely).replace(link, QStringLiteral("\\1")).remove(u'`').trimmed();
}

GlossaryTerm termIn(const QString& entry) {
    const QString title = entry.section(u'\n', 0, 0).trimmed();
    return {title.split(QStringLiteral(", ")),
            withoutLinks(entry.section(u'\n', 1).section(QStringLiteral("\n#"), 0, 0)),
            kGlossaryPage + u'#' + anchorOf(title)};
}

/// Words with a usual meaning, which is the one in most sentences.
bool isUsualWord(const QString& word) {
    static const QSet<QString> usual{QStringLiteral("operations"), QStringLiteral("pass"),  QStringLiteral("group"),
                                     QStringLiteral("gradients"),  QStringLiteral("trace"), QStringLiteral("symbol"),
                                     QStringLiteral("duplicate"),  QStringLiteral("base"),  QStringLiteral("distance"),
                                     QStringLiteral("variant"),    QStringLiteral("saved")};
    return usual.contains(word.toLower());
}

}  // namespace

QString GlossaryTerm::tip() const { return words.join(QStringLiteral(", ")) + QStringLiteral(": ") + meaning; }

const Glossary& Glossary::instance() {
    static const Glossary glossary;
    return glossary;
}

Glossary::Glossary() {
    QStringList words;
    if (const ManualPage* page = Manual::instance().find(kGlossaryPage))
        for (const QString& entry : page->text.split(u'\n' + kTermHeading).mid(1)) {
            terms_.push_back(termIn(entry));
            for (const QString& word : terms_.back().words) {
                if (isUsualWord(word)) continue;
                words << QRegularExpression::escape(word);
                if (word.endsWith(u's')) words << QRegularExpression::escape(word.chopped(1));
            }
        }
    // The longest first: "saved for backward" before "saved".
    std::ranges::sort(words, [](const QString& a, const QString& b) { return a.size() > b.size(); });
    words_ = QRegularExpression(
        QStringLiteral("<a\\b.*?</a>|<[^>]*>|&\\w+;|(?<![%.\\w])(%1)(?:s|es)?(?!\\w|\\.\\w)").arg(words.join(u'|')),
        QRegularExpression::CaseInsensitiveOption | QRegularExpression::DotMatchesEverythingOption);
}

const GlossaryTerm* Glossary::at(const QString& place) const {
    const auto found = std::ranges::find(terms_, place, &GlossaryTerm::place);
    return found == terms_.end() ? nullptr : &*found;
}

const GlossaryTerm* Glossary::find(const QString& word) const {
    const auto isPlural = [](const QString& many, const QString& one) {
        return many.compare(one + u's', Qt::CaseInsensitive) == 0 ||
               many.compare(one + QStringLiteral("es"), Qt::CaseInsensitive) == 0;
    };
    const auto is = [&](const QString& name) {
        return word.compare(name, Qt::CaseInsensitive) == 0 || isPlural(word, name) || isPlural(name, word);
    };
    const auto found =
        std::ranges::find_if(terms_, [&](const GlossaryTerm& term) { return std::ranges::any_of(term.words, is); });
    return found == terms_.end() ? nullptr : &*found;
}

QString Glossary::linked(const QString& html) const {
    QString text;
    QSet<const GlossaryTerm*> linked;
    qsizetype written = 0;
    for (auto match = words_.globalMatch(html); match.hasNext();) {
        const auto word = match.next();
        const GlossaryTerm* term = word.capturedStart(1) < 0 ? nullptr : find(word.captured());
        if (!term || linked.contains(term)) continue;
        linked.insert(term);
        text += html.mid(written, word.capturedStart() - written) +
                QStringLiteral("<a href='%1'>%2</a>").arg(term->place, word.captured());
        written = word.capturedEnd();
    }
    return text + html.mid(written);
}

}  // namespace aotscope
