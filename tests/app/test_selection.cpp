// The selection of the window: its signals, and how it follows to another graph.

#include "controllers/selection.h"
#include "session/session.h"
#include "support/patience.h"
#include "support/test_program.h"
#include "support/text.h"

namespace aotscope::test::selection_test {

class TestSelection : public QObject {
    Q_OBJECT

    std::shared_ptr<const CompileRecord> record_;

    std::shared_ptr<const Graph> graph(GraphKind kind) const { return record_->graph(kind); }
    NodeId id(GraphKind kind, const char* name) const { return graph(kind)->findByName(name)->id(); }

    static std::shared_ptr<const CompileRecord> mlp(bool inference = false) {
        return Session::open({.model = "sample:mlp", .inference = inference}, {})->record();
    }

    /// Selects `name` of the first run's joint graph.
    void selectIn(Selection& selection, const char* name) const {
        selection.setFollower(std::make_shared<NodeFollower>(record_));
        selection.moveTo(graph(GraphKind::joint), GraphKind::joint);
        selection.select(id(GraphKind::joint, name));
    }

private Q_SLOTS:
    void initTestCase() { record_ = mlp(); }

    void startsEmpty() {
        const Selection selection;
        QCOMPARE(selection.node(), kNoNode);
        QVERIFY(!selection.graph());
        QVERIFY(!selection.object());
    }

    void emitsEveryChangeOnce() {
        Selection selection;
        QSignalSpy spy(&selection, &Selection::changed);
        selection.moveTo(graph(GraphKind::joint), GraphKind::joint);
        QCOMPARE(spy.count(), 1);
        const NodeId relu = id(GraphKind::joint, "relu");
        selection.select(relu);
        selection.select(relu);
        QCOMPARE(spy.count(), 2);
        QCOMPARE(selection.node(), relu);
        QCOMPARE(selection.object(), graph(GraphKind::joint)->findByName("relu"));
        selection.select(kNoNode);
        QCOMPARE(spy.count(), 3);
        QVERIFY(!selection.object());
    }

    void aNodeThatTheGraphLacksIsNoObject() {
        Selection selection;
        selection.moveTo(graph(GraphKind::joint), GraphKind::joint);
        selection.select(123456);
        QVERIFY(!selection.object());
    }

    void staysWithinALineage() {
        Selection selection;
        selection.setFollower(std::make_shared<NodeFollower>(record_));
        selection.moveTo(graph(GraphKind::joint), GraphKind::joint);
        const NodeId mm = id(GraphKind::joint, "mm_2");
        selection.select(mm);
        selection.moveTo(graph(GraphKind::backward), GraphKind::backward);
        QCOMPARE(selection.node(), mm);
        QCOMPARE(selection.kind(), GraphKind::backward);
        QCOMPARE(q(selection.object()->name()), u"mm_2"_s);
        // The forward lacks the operations of the backward, but has those that they differentiate.
        selection.moveTo(graph(GraphKind::forward), GraphKind::forward);
        QCOMPARE(selection.node(), graph(GraphKind::joint)->findById(mm)->autograd.forward);
    }

    void followsAnOperationToAnotherLineage() {
        Selection selection;
        selectIn(selection, "relu_1");
        selection.moveTo(graph(GraphKind::functional), GraphKind::functional);
        QVERIFY(selection.object());
        QCOMPARE(q(selection.object()->name()), u"relu_1"_s);
        selection.moveTo(graph(GraphKind::joint), GraphKind::joint);
        QCOMPARE(selection.node(), id(GraphKind::joint, "relu_1"));
    }

    void movesIntoAnotherRun() {
        const auto other = mlp(true);
        const auto inference = other->graph(GraphKind::inference);
        Selection selection;
        // The same operation; for one that no longer exists, the one that it differentiates.
        for (const auto& [chosen, expected] :
             {std::pair{"relu_1", "relu_1"}, std::pair{"threshold_backward", "relu_1"}}) {
            selectIn(selection, chosen);
            selection.setFollower(std::make_shared<NodeFollower>(other));
            selection.moveTo(inference, GraphKind::inference);
            QVERIFY(selection.busy() && !selection.object());  // a large graph must not block the window
            QTRY_VERIFY_WITH_TIMEOUT(selection.object(), kPatience);
            QVERIFY(!selection.busy());
            QCOMPARE(q(selection.object()->name()), QString::fromUtf8(expected));
        }
    }

    /// Another graph of that run may be shown before the node is found.
    void movesOnInAnotherRun() {
        const auto other = mlp();
        Selection selection;
        selectIn(selection, "relu_1");
        selection.setFollower(std::make_shared<NodeFollower>(other));
        selection.moveTo(other->graph(GraphKind::joint), GraphKind::joint);
        selection.moveTo(other->graph(GraphKind::forward), GraphKind::forward);
        QTRY_VERIFY_WITH_TIMEOUT(selection.object(), kPatience);
        QCOMPARE(q(selection.object()->name()), u"relu_1"_s);
        QCOMPARE(selection.graph(), other->graph(GraphKind::forward));
    }

    /// A choice made meanwhile is kept.
    void aNewChoiceIsKept() {
        const auto other = mlp();
        Selection selection;
        selectIn(selection, "relu_1");
        selection.setFollower(std::make_shared<NodeFollower>(other));
        selection.moveTo(other->graph(GraphKind::joint), GraphKind::joint);
        const NodeId mm = other->graph(GraphKind::joint)->findByName("mm")->id();
        selection.select(mm);
        QVERIFY(!selection.busy());
        QTest::qWait(20);
        QCOMPARE(selection.node(), mm);
    }

    void clears() {
        Selection selection;
        selection.moveTo(graph(GraphKind::joint), GraphKind::joint);
        selection.select(id(GraphKind::joint, "relu"));
        QSignalSpy spy(&selection, &Selection::changed);
        selection.clear();
        QCOMPARE(spy.count(), 1);
        QCOMPARE(selection.node(), kNoNode);
        QVERIFY(!selection.graph() && !selection.object());
    }
};

AOTSCOPE_TEST(TestSelection)

}  // namespace aotscope::test::selection_test

#include "test_selection.moc"
