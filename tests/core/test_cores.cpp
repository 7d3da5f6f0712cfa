// How many cores this process has, by affinity, by the quotas of control groups and by what else the machine does, and
// how its threads wait for each other.

#include "support/machine/cores.h"

#include "support/machine/brief_waits.h"
#include "support/scratch.h"
#include "support/test_program.h"

#include <atomic>
#include <filesystem>
#include <thread>

#include <sched.h>

namespace aotscope::test::cores_test {
namespace {

/// Files of control groups, in place of those in /proc and /sys.
class Groups {
public:
    explicit Groups(const QByteArray& ofProcess) { write(u"cgroup"_s, ofProcess); }
    void write(const QString& name, const QByteArray& content) const {
        QDir().mkpath(QFileInfo(folder_.at(name)).path());
        folder_.write(name, content);
    }
    std::size_t coresOf(std::size_t processors) const {
        const std::filesystem::path folder = folder_.path().toStdString();
        return coresWithinQuota(processors, folder / "cgroup", folder);
    }

private:
    Scratch folder_;
};

std::size_t threadsOfThisProcess() {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator("/proc/self/task"), std::filesystem::directory_iterator()));
}

}  // namespace

class TestCores : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void quotasInOneFile() {
        const Groups groups("0::/user/job\n");
        QCOMPARE(groups.coresOf(8), std::size_t{8});  // no such folders
        groups.write(u"user/job/cpu.max"_s, "max 100000\n");
        QCOMPARE(groups.coresOf(8), std::size_t{8});
        groups.write(u"user/job/cpu.max"_s, "250000 100000\n");
        QCOMPARE(groups.coresOf(8), std::size_t{3});
        QCOMPARE(groups.coresOf(2), std::size_t{2});
        groups.write(u"user/cpu.max"_s, "50000 100000\n");  // the narrower one counts, and half a core is one
        QCOMPARE(groups.coresOf(8), std::size_t{1});
        groups.write(u"user/cpu.max"_s, "nonsense");
        QCOMPARE(groups.coresOf(8), std::size_t{3});
    }

    void quotasInTwoFiles() {
        const Groups groups("4:memory:/docker/abc\n3:cpu,cpuacct:/docker/abc\n2:cpuset:/\n");
        groups.write(u"cpu/docker/abc/cpu.cfs_quota_us"_s, "-1\n");
        groups.write(u"cpu/docker/abc/cpu.cfs_period_us"_s, "100000\n");
        QCOMPARE(groups.coresOf(8), std::size_t{8});
        groups.write(u"cpu/docker/abc/cpu.cfs_quota_us"_s, "400000\n");
        QCOMPARE(groups.coresOf(8), std::size_t{4});
        groups.write(u"memory/cpu.cfs_quota_us"_s, "100000\n");
        QCOMPARE(groups.coresOf(8), std::size_t{4});
        // In a container, the folder of its group is the root.
        groups.write(u"cpu,cpuacct/cpu.cfs_quota_us"_s, "150000\n");
        groups.write(u"cpu,cpuacct/cpu.cfs_period_us"_s, "100000\n");
        QCOMPARE(groups.coresOf(8), std::size_t{2});
    }

    void withoutGroupsAllProcessorsCount() {
        QCOMPARE(coresWithinQuota(8, "/proc/nowhere", "/proc/nowhere"), std::size_t{8});
        QCOMPARE(Groups("damaged\n::\n").coresOf(8), std::size_t{8});
    }

    void affinityCounts() {
        cpu_set_t all, one;
        QCOMPARE(sched_getaffinity(0, sizeof all, &all), 0);
        QCOMPARE(allowedProcessors(), static_cast<std::size_t>(CPU_COUNT(&all)));
        CPU_ZERO(&one);
        CPU_SET(static_cast<std::size_t>(sched_getcpu()), &one);
        QCOMPARE(sched_setaffinity(0, sizeof one, &one), 0);
        const std::size_t allowed = allowedProcessors(), available = availableCores(), free = freeCores();
        QCOMPARE(sched_setaffinity(0, sizeof all, &all), 0);
        QCOMPARE(allowed, std::size_t{1});
        QCOMPARE(available, std::size_t{1});
        QCOMPARE(free, std::size_t{1});
        QVERIFY(availableCores() <= allowedProcessors());
    }

    /// Threads of this process are no other work.
    void ownThreadsTakeNoCores() {
        const std::size_t before = freeCores();
        QVERIFY(before >= 1 && before <= availableCores());
        std::atomic<bool> done = false;
        std::thread busy([&] {
            while (!done) {}
        });
        std::size_t most = 0;
        for (int i = 0; i < 5; ++i) most = std::max(most, freeCores());
        done = true;
        busy.join();
        if (before == availableCores() && freeCores() == before) QCOMPARE(most, before);  // the machine is quiet
    }

    /// OpenMP's threads wait briefly while it has more of them than there are processors.
    void threadsWaitBrieflyForAWhile() {
        const QByteArray policy = qgetenv("OMP_WAIT_POLICY");
        const std::size_t before = threadsOfThisProcess();
        std::size_t during = 0;
        qunsetenv("OMP_WAIT_POLICY");
        {
            const BriefWaits brief(true);
            during = threadsOfThisProcess();
        }
        QTRY_COMPARE(threadsOfThisProcess(), before);
        qputenv("OMP_WAIT_POLICY", "active");  // the user's choice stays
        std::size_t asGiven = 0;
        {
            const BriefWaits brief(true);
            asGiven = threadsOfThisProcess();
        }
        if (policy.isNull()) qunsetenv("OMP_WAIT_POLICY");
        else qputenv("OMP_WAIT_POLICY", policy);
        QCOMPARE(during, before + 1 + allowedProcessors());
        QCOMPARE(asGiven, before);
    }
};

AOTSCOPE_TEST(TestCores)

}  // namespace aotscope::test::cores_test

#include "test_cores.moc"
