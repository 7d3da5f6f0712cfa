#pragma once

#include <QString>
#include <QStringList>

#include <vector>

namespace aotscope {

/// A page of the manual: Markdown, as in resources/manual.
struct ManualPage {
    struct Section {
        QString title;
        QString anchor;  ///< as a repository's web page makes it of the title: "dynamic-shapes"
    };

    QString name;   ///< "partitioning.md"
    QString title;  ///< its first heading
    QString text;
    std::vector<Section> sections;  ///< all headings below the first, in order
};

/// The anchor of a heading on a repository's web page.
QString anchorOf(const QString& heading);

/// The manual that is compiled into the program.
class Manual {
public:
    static const Manual& instance();

    /// In the order of the contents page, which comes first.
    const std::vector<ManualPage>& pages() const { return pages_; }
    /// Null: not found.
    const ManualPage* find(const QString& name) const;

    struct Hit {
        const ManualPage* page;
        QString anchor;   ///< of the section; empty for the page itself
        QString title;    ///< of the section or page
        QString excerpt;  ///< the line with the first of the words
    };
    /// Sections that contain all of the words, or are known as their answer: titles first. "why is a" are no words.
    std::vector<Hit> search(const QStringList& question) const;

private:
    Manual();

    std::vector<ManualPage> pages_;
};

}  // namespace aotscope
