#pragma once

#include "controllers/background_job.h"
#include "window/start/sample_cards.h"

#include <QLabel>
#include <QPushButton>
#include <QScrollArea>

namespace aotscope {

/// Shown before a model is open: samples, recent models, and where to learn more. Scrolls in a small window.
class StartPage : public QScrollArea {
    Q_OBJECT

public:
    explicit StartPage(QWidget* parent = nullptr);
    void refresh(const QStringList& recentModels);
    /// Marks the lessons that were played to their end, by name.
    void showDone(const QStringList& lessons);
    /// Pictures are being read, or recent files are being looked up.
    bool busy() const { return job_.running() || samples_->busy(); }

Q_SIGNALS:
    void modelChosen(const QString& model);
    void openRequested();
    void scratchRequested();
    /// A lesson, by its name.
    void lessonRequested(const QString& name);
    /// A page of the manual, "first-steps.md".
    void manualRequested(const QString& place);

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeSide();
    QWidget* makeSamples();
    void fitText();
    void lookForMissing(const QStringList& files);
    void dim(const QStringList& missing);

    QPushButton *open_, *scratch_;
    QLabel* recentTitle_;
    ChoiceList *recent_, *lessons_, *learn_;
    SampleCards* samples_;
    QWidget* side_;
    QStringList missing_;  ///< missing files among the recent ones
    BackgroundJob job_;
};

}  // namespace aotscope
