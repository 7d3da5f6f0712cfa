#pragma once

#include <QToolButton>

namespace aotscope {

/// What a check or a bisection has found; an empty text: nothing was asked.
struct Verdict {
    QString text;  ///< in three words, and how long it took
    QString details;
    bool good = true;  ///< equal
};

/// The verdict on the open session beside the button that asks for it: equal, different, out of date since the model
/// was compiled again, or none yet.
class CheckBadge : public QToolButton {
    Q_OBJECT

public:
    enum class State { unchecked, equal, differs, stale };

    explicit CheckBadge(QWidget* parent = nullptr);

    State state() const { return state_; }
    /// Without a text: there is no verdict, or no longer, on what is shown.
    void show(const Verdict& verdict);
    /// The options are no longer those of the verdict.
    void outdate();
    /// Another model is open.
    void forget();

private:
    void setState(State state, const QString& text, const QString& details);

    State state_ = State::unchecked;
};

}  // namespace aotscope
