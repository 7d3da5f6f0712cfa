// How long a job still takes, from the numbers in its stages.

#include "controllers/remaining_time.h"
#include "support/progress.h"
#include "support/test_program.h"
#include "support/text.h"

namespace aotscope::test::remaining_time_test {

class TestRemainingTime : public QObject {
    Q_OBJECT

    RemainingTime::Clock::time_point now_;

    void wait(double seconds) { now_ += std::chrono::milliseconds(static_cast<int>(1000 * seconds)); }
    /// A stage that lasts.
    void enter(RemainingTime& time, const std::string& stage, double seconds) {
        time.enter(q(stage), now_);
        wait(seconds);
    }

private Q_SLOTS:
    void runsTakeAsLongAsThoseBefore() {
        RemainingTime time;
        enter(time, "Timing: load", 5);
        QCOMPARE(time.text(now_), QString());
        enter(time, stageOf("Timing: warm-up", 1, 1), 30);
        QCOMPARE(time.text(now_), QString());
        time.enter(q(stageOf("Timing: run", 1, 10)), now_);
        QCOMPARE(time.text(now_), QString());
        wait(4);
        time.enter(q(stageOf("Timing: run", 2, 10)), now_);
        QCOMPARE(time.text(now_), u"about 35 s left"_s);
        wait(2);
        QCOMPARE(time.text(now_), u"about 35 s left"_s);
        wait(2);
        time.enter(q(stageOf("Timing: run", 9, 10)), now_);
        QCOMPARE(time.text(now_), u"about 2 s left"_s);  // 8 runs took 8 seconds
        wait(100);
        QCOMPARE(time.text(now_), QString());  // later than expected
        time.enter({}, now_);
        time.enter(u"Check: run 3 of 5"_s, now_);
        QCOMPARE(time.text(now_), QString());
    }

    void minutes() {
        RemainingTime time;
        enter(time, stageOf("run", 1, 10), 60);
        time.enter(q(stageOf("run", 2, 10)), now_);
        QCOMPARE(time.text(now_), u"about 9 min left"_s);
        wait(58);
        QCOMPARE(time.text(now_), u"about 8 min left"_s);
    }

    /// Stages without numbers are parts, and of counts within each other the outer one tells.
    void partsAndCountsWithinOthers() {
        RemainingTime time;
        for (int sizes = 1; sizes <= 3; ++sizes) {
            time.enter(q(stageOf("sizes", sizes, 4)), now_);
            QCOMPARE(time.text(now_), sizes == 1   ? QString()
                                      : sizes == 2 ? u"about 30 s left"_s
                                                   : u"about 20 s left"_s);
            for (int run = 1; run <= 5; ++run) enter(time, stageOf("run", run, 5), 1);
            time.enter(u"comparison"_s, now_);
            if (sizes == 1) QCOMPARE(time.text(now_), QString());
            wait(5);
        }
    }

    /// Numbers from other programs.
    void oddNumbers() {
        RemainingTime time;
        for (const char* stage : {"x 1 of 99999999999999", "x 2 of 99999999999999", "x 5 of 2", "x 6 of 2", "x 0 of 0"})
            enter(time, stage, 1);
        QCOMPARE(time.text(now_), QString());
    }
};

AOTSCOPE_TEST(TestRemainingTime)

}  // namespace aotscope::test::remaining_time_test

#include "test_remaining_time.moc"
