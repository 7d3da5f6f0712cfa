// Lessons: each is played to its end, and everything that it says is compared with the run that it shows.

#include "app/window_driver.h"
#include "models/glossary.h"
#include "models/manual.h"
#include "support/test_program.h"
#include "window/help/manual_window.h"

#include <QPlainTextEdit>
#include <QPushButton>

#include <nlohmann/json.hpp>

namespace aotscope::test::window_lessons_test {
namespace {

/// A window in which a lesson is played.
struct Learner : Driver {
    Learner() { active = QTest::qWaitForWindowActive(&window, kPatience); }
    Guide* guide() const { return window.guide(); }
    bool start(const QString& lesson) {
        trigger((u"lesson-"_s + lesson).toUtf8().constData());
        return settle();
    }
    GuideBubble* bubble() const { return find<GuideBubble>("guideBubble"); }
    QPushButton* button(const char* name) const { return bubble()->findChild<QPushButton*>(QString::fromUtf8(name)); }
    QList<QPushButton*> choices() const {
        QList<QPushButton*> shown;
        for (QPushButton* choice : bubble()->findChildren<QPushButton*>(u"guideChoice"_s))
            if (choice->isVisible()) shown << choice;
        return shown;
    }
    bool click(const char* name) {
        button(name)->click();
        return settle();
    }
    QPlainTextEdit* code() const { return find<QPlainTextEdit>("scratchCode"); }

    bool active;
};

const Lesson& lessonNamed(const QString& name) { return *std::ranges::find(lessons(), name, &Lesson::name); }

/// The numbers in a text.
QStringList numbersIn(const QString& text) {
    QStringList numbers;
    static const QRegularExpression number(u"\\d+"_s);
    for (auto match = number.globalMatch(text); match.hasNext();) numbers << match.next().captured();
    return numbers;
}

/// A lesson of one step, with ' for ".
QByteArray stepped(const QByteArray& step) {
    return QByteArray("{'title': 'T', 'summary': 'S', 'steps': [" + step + "]}").replace('\'', '"');
}

}  // namespace

class TestWindowLessons : public QObject {
    Q_OBJECT

    Isolation isolation_;

private Q_SLOTS:
    void init() { isolation_.forget(); }

    void everyLessonHolds_data() {
        const auto row = columns<QString>("name");
        for (const Lesson& lesson : lessons()) row(lesson.name.toUtf8().constData(), lesson.name);
    }
    void everyLessonHolds() {
        QFETCH(QString, name);
        Learner d;
        QVERIFY(d.active && d.start(name));
        for (const LessonStep& step : lessonNamed(name).steps) {
            const auto where = [&](const QString& what) { return (step.title + u": "_s + what).toUtf8(); };
            QVERIFY2(d.guide()->step() == &step, where(u"is not shown"_s).constData());
            QVERIFY2(d.guide()->problem().isEmpty(), where(d.guide()->problem()).constData());
            const LessonStage& stage = d.guide()->stage();
            const QWidget* target = stage.widgetOf(step.target);
            QVERIFY2(target && target->isVisible(), where(step.target + u" is not seen"_s).constData());
            QVERIFY2(d.window.rect().contains(d.bubble()->geometry()), where(u"is cut off"_s).constData());
            QVERIFY2(stage.whatFails(step.facts).isEmpty(), where(stage.whatFails(step.facts)).constData());
            if (step.question) {
                QCOMPARE(d.choices().size(), step.question->choices.size());
                QVERIFY(!d.button("guideNext")->isEnabled());
                d.choices().at(step.question->answer)->click();
                QVERIFY(d.choices().at(step.question->answer)->text().startsWith(u'✓'));
            }
            if (step.change) {
                const auto& facts = step.change->facts;
                QVERIFY2(!stage.whatFails(facts).isEmpty(), where(u"holds before the change"_s).constData());
                QVERIFY(!d.guide()->changed());
                QTest::keyClick(d.bubble(), Qt::Key_Return, Qt::ControlModifier);
                QTRY_VERIFY2(d.guide()->changed(), where(stage.whatFails(facts)).constData());
                QVERIFY2(d.guide()->problem().isEmpty(), where(d.guide()->problem()).constData());
                QVERIFY2(d.window.rect().contains(d.bubble()->geometry()), where(u"is cut off"_s).constData());
            }
            QVERIFY(d.click("guideNext"));
        }
        QVERIFY(!d.guide()->running());
        QCOMPARE(Settings().lessonsDone(), QStringList{name});
        QVERIFY(d.problems()->count() == 0);
    }

    /// An answer that is a number is one of the facts that prove it.
    void answersAreProved() {
        for (const Lesson& lesson : lessons())
            for (const LessonStep& step : lesson.steps) {
                if (!step.question) continue;
                const QStringList numbers = numbersIn(step.question->choices[step.question->answer]);
                QStringList proved;
                for (const auto& [pointer, wanted] : step.facts) proved << numbersIn(q(wanted));
                for (const QString& number : numbers)
                    QVERIFY2(proved.contains(number), qPrintable(step.title + u": "_s + number));
            }
    }

    void linksLeadToTheGlossary() {
        static const QRegularExpression link(u"\\]\\(([^)]*)\\)"_s);
        int links = 0;
        for (const Lesson& lesson : lessons())
            for (const LessonStep& step : lesson.steps) {
                QString text = step.text;
                if (step.question) text += step.question->because;
                if (step.change) text += step.change->then;
                for (auto match = link.globalMatch(text); match.hasNext(); ++links) {
                    const QString place = match.next().captured(1);
                    QVERIFY2(Glossary::instance().at(place), qPrintable(step.title + u": "_s + place));
                }
            }
        QVERIFY(links > 15);
    }

    void lessonsFillTheStartPage() {
        QVERIFY(lessons().size() >= 10);
        Learner d;
        auto* list = d.find<ChoiceList>("lessons");
        QCOMPARE(static_cast<std::size_t>(list->count()), lessons().size());
        for (const Lesson& lesson : lessons()) QVERIFY(lesson.steps.size() >= 4);
        Q_EMIT list->chosen(lessons().front().name);
        QVERIFY(d.settle() && d.guide()->running());
        d.guide()->start(lessons().back());
        QVERIFY(d.settle());
        QCOMPARE(d.guide()->step(), &lessons().back().steps.front());
    }

    void oneLessonLeadsToTheNext() {
        Learner d;
        QVERIFY(d.start(u"01-joint-graph"_s));
        while (d.guide()->step() != &lessons().front().steps.back()) {
            QVERIFY(!d.button("guideFurther")->isVisible());
            if (d.guide()->step()->question) d.choices().front()->click();
            QVERIFY(d.click("guideNext"));
        }
        QVERIFY(d.click("guideFurther"));
        QCOMPARE(Settings().lessonsDone(), QStringList{lessons().front().name});
        QCOMPARE(d.guide()->step(), &lessons()[1].steps.front());
    }

    void lessonsAreMarkedAsDone() {
        Settings().setLessonDone(lessons().front().name);
        const Learner d;
        const auto* list = d.find<ChoiceList>("lessons");
        QVERIFY(list->item(0)->text().startsWith(u'✓'));
        QVERIFY(!list->item(1)->text().startsWith(u'✓'));
    }

    void wrongAnswersAreCorrected() {
        Learner d;
        QVERIFY(d.start(u"01-joint-graph"_s) && d.click("guideNext"));
        const auto& question = *d.guide()->step()->question;
        QTest::keyClick(d.bubble(), Qt::Key_Return);
        QVERIFY2(d.guide()->step()->question, "Enter does not skip the question");
        QTest::keyClick(d.bubble(), Qt::Key_1);
        QVERIFY(question.answer != 0);
        QVERIFY(d.choices().at(0)->text().startsWith(u'✗') && d.choices().at(question.answer)->text().startsWith(u'✓'));
        QVERIFY(d.bubble()->accessibleDescription().startsWith(u"Not quite."_s));
        QTest::keyClick(d.bubble(), Qt::Key_Return);
        QVERIFY(d.settle() && !d.guide()->step()->question);
    }

    /// The step concludes when the user makes the change.
    void changesByHandAreSeen() {
        Learner d;
        QVERIFY(d.start(u"01-joint-graph"_s));
        while (!d.guide()->step()->change) {
            if (d.guide()->step()->question) d.choices().front()->click();
            QVERIFY(d.click("guideNext"));
        }
        d.code()->setPlainText(u"def f(x):\n    return x.tan()"_s);
        QVERIFY(QTest::qWaitFor([&] { return d.node(GraphKind::joint, "tan") != nullptr; }, kPatience) && d.settle());
        QVERIFY(!d.guide()->changed());
        d.code()->setPlainText(u"def f(x):\n    y = x.exp()\n    return y.cos()"_s);
        QTRY_VERIFY_WITH_TIMEOUT(d.guide()->changed(), kPatience);
        QVERIFY(!d.button("guideOffer")->isVisible());
    }

    void escEndsALesson() {
        Learner d;
        QVERIFY(d.start(u"01-joint-graph"_s));
        QCOMPARE(QApplication::focusWidget(), d.bubble());
        QTest::keyClick(d.bubble(), Qt::Key_Escape);
        QVERIFY(!d.guide()->running());
        QVERIFY(Settings().lessonsDone().isEmpty());
        QVERIFY(d.start(u"02-saved-for-backward"_s));
        QTest::keyClick(d.code(), Qt::Key_Escape);
        QVERIFY(!d.guide()->running());
    }

    /// Its own program comes back by Undo, and options of the last lesson are reset.
    void aLessonLeavesTheUsersProgram() {
        Learner d;
        d.trigger("actionScratch");
        QVERIFY(d.settle());
        d.code()->setPlainText(u"def mine(x):\n    return x.exp()"_s);
        QVERIFY(QTest::qWaitFor([&] { return d.modelName() == "mine"_L1; }, kPatience) && d.settle());
        d.choosePartition(PartitionAlgorithm::defaultPartition);
        QVERIFY(d.settle());
        QVERIFY(d.start(u"01-joint-graph"_s));
        QVERIFY(d.window.session()->options().partition.algorithm == PartitionAlgorithm::minCut);
        d.code()->undo();
        QVERIFY(d.code()->toPlainText().startsWith(u"def mine"_s));
    }

    void linksOpenTheManual() {
        Learner d;
        QVERIFY(d.start(u"01-joint-graph"_s));
        Q_EMIT d.bubble()->linkFollowed(u"glossary.md#joint-graph"_s);
        QCOMPARE(d.find<ManualWindow>("manualWindow")->place(), u"glossary.md#joint-graph"_s);
    }

    // --- the format ---

    void malformedLessonsAreRefused_data() {
        const auto row = columns<QByteArray, QString>("text", "why");
        const QByteArray good = "'title': 'T', 'text': 'Words', 'point': 'graph'";
        row("no json", QByteArray("{"), u"L: "_s);
        row("no steps", stepped({}), u"one to twelve steps"_s);
        row("unknown key", stepped("{" + good + ", 'colour': 'red'}"), u"unknown key 'colour'"_s);
        row("no target", stepped("{'title': 'T', 'text': 'Words'}"), u"point"_s);
        row("unknown action", stepped("{" + good + ", 'do': [{'format': 'disk'}]}"), u"example, program"_s);
        row("one choice", stepped("{" + good + ", 'choices': ['a'], 'answer': 0, 'because': 'b'}"),
            u"two to four choices"_s);
        row("no such answer", stepped("{" + good + ", 'choices': ['a', 'b'], 'answer': 2, 'because': 'c'}"),
            u"the number of a choice"_s);
        row("no proof", stepped("{" + good + ", 'choices': ['a', 'b'], 'answer': 1, 'because': 'c'}"),
            u"without facts"_s);
        row("no pointer", stepped("{" + good + ", 'holds': {'calls': 1}}"), u"no JSON pointer"_s);
        row("long", stepped("{'title': 'T', 'point': 'graph', 'text': '" + QByteArray(900, 'x') + "'}"), u"too long"_s);
    }
    void malformedLessonsAreRefused() {
        QFETCH(QByteArray, text);
        QFETCH(QString, why);
        try {
            Lesson::parse(u"L"_s, text);
            QFAIL("was read");
        } catch (const Error& e) {
            QVERIFY2(QString::fromUtf8(e.what()).contains(why), e.what());
        }
    }

    void factsAreCompared() {
        const auto report = nlohmann::json{{"a", {{"n", 2}, {"text", "one two"}, {"list", {1, 2, 3}}}}};
        const auto fails = [&](const char* pointer, const char* wanted) {
            return whatFails({{pointer, wanted}}, report);
        };
        for (const auto& [pointer, wanted] : {std::pair{"/a/n", "2"}, std::pair{"/a/text", "\"two\""},
                                              std::pair{"/a/list", "3"}, std::pair{"/a/b", "null"}})
            QCOMPARE(fails(pointer, wanted), std::string());
        QCOMPARE(fails("/a/n", "3"), std::string("/a/n is 2, not 3"));
        for (const auto& [pointer, wanted] : {std::pair{"/a/text", "\"three\""}, std::pair{"/a/list", "2"},
                                              std::pair{"/a/n", "null"}, std::pair{"/a/b", "1"}})
            QVERIFY(!fails(pointer, wanted).empty());
    }
};

AOTSCOPE_TEST(TestWindowLessons)

}  // namespace aotscope::test::window_lessons_test

#include "test_window_lessons.moc"
