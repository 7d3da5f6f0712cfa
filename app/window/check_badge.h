#pragma once

#include <QToolButton>

namespace aotscope {

/// The result of a check or a bisection; an empty text: not requested.
struct Verdict {
    QString text;  ///< three words, and the time it took
    QString details;
    bool good = true;  ///< equal
};

/// The verdict on the open session beside the check button: equal, different, out of date since the model was
/// recompiled, or not checked.
class CheckBadge : public QToolButton {
    Q_OBJECT

public:
    enum class State { unchecked, equal, differs, stale };

    explicit CheckBadge(QWidget* parent = nullptr);

    State state() const { return state_; }
    /// An empty text: no verdict on what is shown, or no longer.
    void show(const Verdict& verdict);
    /// The options have changed since the verdict.
    void outdate();
    /// Another model is open.
    void forget();

private:
    void setState(State state, const QString& text, const QString& details);

    State state_ = State::unchecked;
};

}  // namespace aotscope
