// The data of tests: several of Qt Test's columns at once, and rows that are calls. Brings all of Qt Test and QtCore.
#pragma once

#include <QtTest>

#include <initializer_list>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace aotscope::test {

/// A text in any form, UTF-8 by default.
struct AnyText {
    AnyText(const char* utf8) : text(QString::fromUtf8(utf8)) {}
    AnyText(const std::string& utf8) : text(QString::fromStdString(utf8)) {}
    template <typename Given, typename = std::enable_if_t<std::is_convertible_v<const Given&, QString>>>
    AnyText(const Given& given) : text(given) {}

    QString text;
};

template <typename Column>
using CellOf = std::conditional_t<std::is_same_v<Column, QString>, AnyText, Column>;

/// Adds a row to the columns of a test's data for each call.
template <typename... Columns>
struct Rows {
    void operator()(const AnyText& name, const CellOf<Columns>&... cells) const {
        QTestData& row = QTest::newRow(qPrintable(name.text));
        (add<Columns>(row, cells), ...);
    }
    /// Its first cell, a text, is the name of the row, too.
    void operator()(const CellOf<Columns>&... cells) const { (*this)(std::get<0>(std::tie(cells...)), cells...); }

private:
    template <typename Column>
    static void add(QTestData& row, const CellOf<Column>& cell) {
        if constexpr (std::is_same_v<Column, QString>) row << cell.text;
        else row << cell;
    }
};

/// Adds columns of these types to the data of a test.
template <typename... Columns, typename... Names>
Rows<Columns...> columns(Names... names) {
    static_assert(sizeof...(Columns) == sizeof...(Names), "every column needs a name");
    (QTest::addColumn<Columns>(names), ...);
    return {};
}

/// A column of texts, and a row for each of them, which it names.
inline void rowsOf(const char* column, std::initializer_list<const char*> texts) {
    const auto row = columns<QString>(column);
    for (const char* text : texts) row(text);
}

}  // namespace aotscope::test

/// QFETCH for two to four columns of one type.
#define FETCH(TYPE, ...) FETCH_PICK(__VA_ARGS__, 4, 3, 2)(TYPE, __VA_ARGS__)
#define FETCH_PICK(A, B, C, D, COUNT, ...) FETCH_##COUNT
#define FETCH_2(TYPE, A, B) \
    QFETCH(TYPE, A);        \
    QFETCH(TYPE, B)
#define FETCH_3(TYPE, A, B, C) \
    FETCH_2(TYPE, A, B);       \
    QFETCH(TYPE, C)
#define FETCH_4(TYPE, A, B, C, D) \
    FETCH_3(TYPE, A, B, C);       \
    QFETCH(TYPE, D)
