#include "window/check_badge.h"

#include "window/options/tool_icons.h"

namespace aotscope {

namespace {

ToolIcon iconOf(CheckBadge::State state) {
    switch (state) {
        case CheckBadge::State::equal: return ToolIcon::equal;
        case CheckBadge::State::differs: return ToolIcon::differs;
        case CheckBadge::State::stale: return ToolIcon::stale;
        case CheckBadge::State::unchecked: break;
    }
    return ToolIcon::unchecked;
}

}  // namespace

CheckBadge::CheckBadge(QWidget* parent) : QToolButton(parent) {
    setObjectName(QStringLiteral("verdict"));
    setAutoRaise(true);
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    forget();
}

void CheckBadge::setState(State state, const QString& text, const QString& details) {
    state_ = state;
    setIcon(toolIcon(iconOf(state)));
    setText(text);
    setToolTip(details);
    setAccessibleName(tr("Check: %1").arg(text));
    setAccessibleDescription(details);
}

void CheckBadge::show(const Verdict& verdict) {
    if (verdict.text.isEmpty()) return outdate();
    setState(verdict.good ? State::equal : State::differs, verdict.text, verdict.details);
}

void CheckBadge::outdate() {
    if (state_ != State::equal && state_ != State::differs) return;
    setState(
        State::stale, tr("Out of Date"),
        tr("The model or its options have changed since the last check (F6 checks again). Before:\n%1").arg(toolTip()));
}

void CheckBadge::forget() {
    setState(State::unchecked, tr("Not Checked"), tr("Not yet compared with eager (F6 compares)"));
}

}  // namespace aotscope
