#pragma once

#include <QStringList>
#include <QTextBrowser>

namespace aotscope {

/// What a person sees before a model is open: the samples, recent models, and a few things to try.
class StartPage : public QTextBrowser {
    Q_OBJECT

public:
    explicit StartPage(QWidget* parent = nullptr);
    void refresh(const QStringList& recentModels);

Q_SIGNALS:
    void modelChosen(const QString& model);
    void openRequested();
};

}  // namespace aotscope
