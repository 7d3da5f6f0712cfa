#pragma once

#include <QRegularExpression>
#include <QString>
#include <QStringList>

#include <vector>

namespace aotscope {

/// An entry of the manual's glossary.
struct GlossaryTerm {
    QStringList words;  ///< its names, as in the heading: "Saved", "saved for backward"
    QString meaning;    ///< its text, without links
    QString place;      ///< of the entry in the manual: "glossary.md#saved-saved-for-backward"

    /// "Saved: A value that ..."
    QString tip() const;
};

/// The manual's glossary as a table. The page glossary.md is its only source.
class Glossary {
public:
    static const Glossary& instance();

    const std::vector<GlossaryTerm>& terms() const { return terms_; }
    /// The entry at a place of the manual; null: it is no entry.
    const GlossaryTerm* at(const QString& place) const;
    /// The entry for a word, in the singular or plural; null: none.
    const GlossaryTerm* find(const QString& word) const;
    /// HTML in which the first occurrence of each term is a link to its place, outside of tags and of other links.
    QString linked(const QString& html) const;

private:
    Glossary();

    std::vector<GlossaryTerm> terms_;
    QRegularExpression words_;
};

}  // namespace aotscope
