// One name for one thing: in the panels, the options, the command line and the manual.

#include "panels/what_if_panel.h"
#include "record/options/option_values.h"
#include "support/test_program.h"
#include "support/text.h"

#include <QCheckBox>
#include <QDirIterator>
#include <QFormLayout>

namespace aotscope::test::vocabulary_test {
namespace {

QString labelOf(std::string_view session) {
    for (const OptionEntry& entry : optionTable())
        if (entry.session == session) return q(entry.label);
    return {};
}

}  // namespace

class TestVocabulary : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Switches of What If are named as in the options, and so are the values of lists.
    void whatIfNamesOptionsAsTheOptionsDo() {
        WhatIfPanel panel;
        std::size_t rules = 0;
        for (const auto* box : panel.findChildren<QCheckBox*>()) {
            const std::string name = box->objectName().toStdString();
            const QString label =
                labelOf("partition.cut." + (name == "staticParametersToo" ? std::string("staticParameters") : name));
            QVERIFY2(!label.isEmpty(), name.c_str());
            QCOMPARE(box->text(), label);
            ++rules;
        }
        QCOMPARE(rules, std::size_t{7});
        const auto* form = panel.findChild<QFormLayout*>();
        QStringList labels;
        for (int row = 0; row < form->rowCount(); ++row)
            labels << static_cast<QLabel*>(form->itemAt(row, QFormLayout::LabelRole)->widget())->text();
        QCOMPARE(labels, (QStringList{labelOf("partition.algorithm"), labelOf("partition.memoryBudget"),
                                      labelOf("partition.solver"), labelOf("partition.estimator")}));
        for (const auto& [object, flag] : {std::pair{"solver", "--solver"}, std::pair{"estimator", "--estimator"}}) {
            const auto* list = panel.findChild<QComboBox*>(QLatin1String(object));
            const auto choices = optionChoices(optionNamed(flag));
            for (int i = 0; i < list->count(); ++i)
                QVERIFY2(std::ranges::count(choices, list->itemText(i).toStdString()) == 1,
                         qPrintable(list->itemText(i)));
        }
    }

    /// Values are saved for backward, or already kept; nothing else is said of them.
    void noSynonyms() {
        int files = 0;
        for (const char* folder : {"/views", "/app", "/core", "/resources/manual", "/resources/lessons"}) {
            QDirIterator each(QStringLiteral(AOTSCOPE_SOURCE_DIR) + QLatin1String(folder),
                              {u"*.cpp"_s, u"*.h"_s, u"*.md"_s, u"*.json"_s, u"*.py"_s}, QDir::Files,
                              QDirIterator::Subdirectories);
            while (each.hasNext()) {
                QFile file(each.next());
                QVERIFY(file.open(QIODevice::ReadOnly));
                const QString text = QString::fromUtf8(file.readAll()).simplified().toLower();
                for (const char* synonym : {"kept anyway", "kept for backward", "kept for the backward", "saved anyway",
                                            "stored for backward", "stashed for"})
                    QVERIFY2(!text.contains(QLatin1String(synonym)),
                             qPrintable(file.fileName() + u": "_s + QLatin1String(synonym)));
                ++files;
            }
        }
        QVERIFY(files > 500);
    }
};

AOTSCOPE_TEST(TestVocabulary)

}  // namespace aotscope::test::vocabulary_test

#include "test_vocabulary.moc"
