#include "controllers/action_list.h"

#include <QMenu>
#include <algorithm>

namespace aotscope {

namespace {

QString plain(QString text) {
    text.remove(u'&');
    if (text.endsWith(u'…')) text.chop(1);
    return text;
}

/// Some actions are in two menus: the first counts.
bool isIn(const std::vector<NamedAction>& found, const QAction* action) {
    return std::ranges::find(found, action, &NamedAction::action) != found.end();
}

void collect(const QList<QAction*>& actions, const QString& menu, std::vector<NamedAction>& found) {
    for (QAction* action : actions) {
        if (QMenu* below = action->menu()) {
            // These submenus hold models and files, not commands.
            if (below->property("listsFiles").toBool()) continue;
            const QString title = plain(below->title());
            collect(below->actions(), menu.isEmpty() ? title : QString(menu + QStringLiteral(" › ") + title), found);
        } else if (!action->isSeparator() && !action->text().isEmpty() && !isIn(found, action)) {
            found.push_back({action, menu, plain(action->text())});
        }
    }
}

bool startsWord(const QString& text, qsizetype at) {
    return at == 0 || !text[at - 1].isLetterOrNumber() || (text[at].isUpper() && text[at - 1].isLower());
}

}  // namespace

QString NamedAction::keys() const {
    QStringList all;
    for (const QKeySequence& keys : action->shortcuts()) all << keys.toString(QKeySequence::NativeText);
    return all.join(QStringLiteral(", "));
}

std::vector<NamedAction> actionsOf(const QMenuBar& menus) {
    std::vector<NamedAction> found;
    collect(menus.actions(), {}, found);
    return found;
}

int fuzzyScore(const QString& pattern, const QString& text) {
    constexpr int atWord = 8, adjacent = 5, whole = 6;
    const qsizetype part = text.indexOf(pattern, 0, Qt::CaseInsensitive);
    // A contiguous match scores higher than scattered letters.
    int score = part >= 0 ? whole * static_cast<int>(pattern.size()) : 0;
    qsizetype at = std::max<qsizetype>(part, 0), last = part > 0 && !startsWord(text, part) ? part - 1 : -2;
    for (const QChar wanted : pattern) {
        if (wanted.isSpace()) continue;
        // Prefers the beginning of a word, unless the next letter matches.
        qsizetype found = -1;
        if (last >= 0 && at < text.size() && text[at].toLower() == wanted.toLower()) found = at;
        for (qsizetype i = at; found < 0 && i < text.size(); ++i)
            if (text[i].toLower() == wanted.toLower() && startsWord(text, i)) found = i;
        if (found < 0) return kNoMatch;
        score += startsWord(text, found) ? atWord : adjacent;
        last = found;
        at = found + 1;
    }
    return score * 4 - static_cast<int>(text.size()) / 8;
}

}  // namespace aotscope
