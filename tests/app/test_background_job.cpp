// Background jobs: where results arrive, how failures are reported, and what cancelling drops.

#include "controllers/background_job.h"
#include "support/patience.h"
#include "support/test_program.h"

#include <atomic>
#include <semaphore>

namespace aotscope::test::background_job_test {
namespace {

QString sentence(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const Cancelled&) {
        return u"cancelled"_s;
    } catch (const std::exception& e) {
        return QString::fromUtf8(e.what());
    } catch (...) {
        return u"something else"_s;
    }
}

/// A job and a log of everything it has reported.
struct Watched {
    Watched() {
        const auto note = [this](const QString& text) { log << text; };
        QObject::connect(&job, &BackgroundJob::started, &job, [=](const QString& t) { note(u"started " + t); });
        QObject::connect(&job, &BackgroundJob::stageEntered, &job, [=](const QString& t) { note(u"stage " + t); });
        QObject::connect(&job, &BackgroundJob::finished, &job, [=] { note(u"finished"_s); });
        QObject::connect(&job, &BackgroundJob::failed, &job,
                         [=](const std::exception_ptr& e) { note(u"failed " + sentence(e)); });
    }
    void start(const char* title, std::function<int(const Progress&)> work) {
        job.start<int>(QString::fromUtf8(title), std::move(work),
                       [this](int result) { log << u"result %1"_s.arg(result); });
    }
    /// Waits until a job started now has delivered: earlier jobs have delivered by then or never will.
    bool letOthersPass() {
        bool done = false;
        QObject::disconnect(&job, nullptr, &job, nullptr);
        job.start<int>(
            {}, [](const Progress&) { return 0; }, [&](int) { done = true; });
        return QTest::qWaitFor([&] { return done; }, kPatience);
    }
    bool settle() {
        return QTest::qWaitFor([this] { return !job.running(); }, kPatience);
    }
    QStringList log;
    BackgroundJob job;
};

QStringList lines(const char* text) { return QString::fromUtf8(text).split(u'|'); }

/// Work that runs until the gate is opened, then enters another stage.
struct Gate {
    std::binary_semaphore entered{0}, open{0};
    std::atomic<bool> passed{false};

    std::function<int(const Progress&)> work(int result) {
        return [this, result](const Progress& progress) {
            entered.release();
            open.acquire();
            progress.enter("after the gate");
            passed = true;
            return result;
        };
    }
};

}  // namespace

class TestBackgroundJob : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theResultArrivesOnThisThread() {
        BackgroundJob job;
        QThread *worker = nullptr, *receiver = nullptr;
        job.start<QString>(
            u"job"_s,
            [&](const Progress&) {
                worker = QThread::currentThread();
                return u"made elsewhere"_s;
            },
            [&](const QString& result) {
                receiver = QThread::currentThread();
                QCOMPARE(result, u"made elsewhere"_s);
            });
        QVERIFY(job.running());
        QTRY_VERIFY_WITH_TIMEOUT(receiver, kPatience);
        QCOMPARE(receiver, thread());
        QVERIFY(worker && worker != receiver);
        QVERIFY(!job.running());
    }

    void reportsItsStages() {
        Watched w;
        w.start("job", [](const Progress& progress) {
            progress.enter("first");
            progress.enter("zweite Stufe: ä");
            return 7;
        });
        QVERIFY(w.settle());
        QCOMPARE(w.log, lines("started job|stage first|stage zweite Stufe: ä|finished|result 7"));
    }

    void resultsMayBeMovedOnly() {
        BackgroundJob job;
        std::shared_ptr<const int> result;
        job.start<std::shared_ptr<const int>>(
            {}, [](const Progress&) { return std::make_shared<const int>(5); },
            [&](std::shared_ptr<const int> r) { result = std::move(r); });
        QTRY_VERIFY_WITH_TIMEOUT(result, kPatience);
        QCOMPARE(*result, 5);
        QCOMPARE(result.use_count(), 1L);
    }

    void anExceptionIsAFailure() {
        Watched w;
        w.start("job", [](const Progress&) -> int { throw Error("no such thing"); });
        QVERIFY(w.settle());
        QCOMPARE(w.log, lines("started job|finished|failed no such thing"));
        w.log.clear();
        w.start("job", [](const Progress&) -> int { throw 5; });
        QVERIFY(w.settle());
        QCOMPARE(w.log, lines("started job|finished|failed something else"));
    }

    void runsAgainAfterwards() {
        Watched w;
        for (int i = 0; i < 3; ++i) {
            w.start("job", [i](const Progress&) { return i; });
            QVERIFY(w.settle());
            QCOMPARE(w.log.last(), u"result %1"_s.arg(i));
        }
    }

    void aCancelledJobDeliversNothing() {
        Gate gate;
        Watched w;
        w.start("job", gate.work(1));
        gate.entered.acquire();
        w.job.cancel();
        QVERIFY(!w.job.running());
        QCOMPARE(w.log, lines("started job|finished"));
        gate.open.release();
        QVERIFY(w.letOthersPass());
        QVERIFY(!gate.passed);  // stopped at its next stage
        QCOMPARE(w.log, lines("started job|finished"));
    }

    void aResultThatIsLateIsDropped() {
        std::binary_semaphore entered{0}, open{0};
        Watched w;
        w.start("job", [&](const Progress&) {
            entered.release();
            open.acquire();
            return 1;
        });
        entered.acquire();
        w.job.cancel();
        open.release();
        QVERIFY(w.letOthersPass());
        QCOMPARE(w.log, lines("started job|finished"));
    }

    void cancellingNothingIsFine() {
        Watched w;
        w.job.cancel();
        QVERIFY(w.log.isEmpty());
    }

    void startingAnotherDropsTheFirst() {
        Gate gate;
        Watched w;
        w.start("first", gate.work(1));
        gate.entered.acquire();
        w.start("second", [](const Progress&) { return 2; });
        QVERIFY(w.job.running());
        gate.open.release();
        QVERIFY(w.settle());
        QVERIFY(!gate.passed);
        QCOMPARE(w.log, lines("started first|started second|finished|result 2"));
    }

    void theReceiverMayStartTheNext() {
        BackgroundJob job;
        int last = 0;
        job.start<int>(
            {}, [](const Progress&) { return 1; },
            [&](int) {
                job.start<int>(
                    {}, [](const Progress&) { return 2; }, [&](int result) { last = result; });
            });
        QTRY_COMPARE_WITH_TIMEOUT(last, 2, kPatience);
        QVERIFY(!job.running());
    }

    void destroyingTheJobStopsTheWork() {
        Gate gate;
        bool delivered = false;
        {
            BackgroundJob job;
            job.start<int>({}, gate.work(1), [&](int) { delivered = true; });
            gate.entered.acquire();
            job.cancel();
            gate.open.release();
        }
        QCoreApplication::sendPostedEvents();
        QVERIFY(!gate.passed && !delivered);
    }
};

AOTSCOPE_TEST(TestBackgroundJob)

}  // namespace aotscope::test::background_job_test

#include "test_background_job.moc"
