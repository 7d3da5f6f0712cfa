#pragma once

#include "window/pages/fitted_pictures.h"

#include <QLineEdit>
#include <QTextBrowser>
#include <QTreeWidget>
#include <QWidget>

namespace aotscope {

/// The manual: contents and search beside the page, links, and the way back.
class ManualWindow : public QWidget {
    Q_OBJECT

public:
    explicit ManualWindow(QWidget* parent);

    /// "partitioning.md#the-rules": page, or page and section. Unknown ones show the contents.
    void open(const QString& place);

    const QString& place() const { return place_; }
    /// Pictures of the page are being scaled.
    bool busy() const { return pictures_.busy(); }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void follow(const QUrl& link);
    void showPage(const QString& place);
    void step(QStringList& from, QStringList& to);
    void fillContents();
    void search(const QString& text);
    void scrollTo(const QString& anchor);
    void markWords();
    void showDocument(QTextDocument* document);
    void fitPictures();

    QLineEdit* edit_;
    QTreeWidget* contents_;
    QTextBrowser* browser_;
    QTextDocument* page_ = nullptr;  ///< of the browser; null before the first one
    FittedPictures pictures_;
    QAction *back_, *forward_;
    QString place_;
    QStringList behind_, ahead_;
};

}  // namespace aotscope
