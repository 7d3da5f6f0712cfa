// Information of launchers about ranks, and of ranks about their GPUs.

#include "distributed/gpu_groups.h"
#include "distributed/launch.h"
#include "distributed/rank_process.h"
#include "distributed/rendezvous.h"
#include "support/test_program.h"
#include "support/text.h"

#include <map>

namespace aotscope::test::launch_test {
namespace {

std::optional<Launch> launchOf(const std::map<std::string, std::string>& variables) {
    return launchIn([&](const char* name) -> const char* {
        const auto found = variables.find(name);
        return found == variables.end() ? nullptr : found->second.c_str();
    });
}

}  // namespace

class TestLaunch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatLaunchersSay() {
        QVERIFY(!launchOf({}));
        QVERIFY(!launchOf({{"RANK", "1"}}));
        QVERIFY(!launchOf({{"RANK", "0"}, {"WORLD_SIZE", "1"}}));
        QVERIFY(!launchOf({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}}));  // a batch script, of which there is one
        const auto torchrun = launchOf({{"RANK", "3"},
                                        {"WORLD_SIZE", "8"},
                                        {"MASTER_ADDR", "node7"},
                                        {"MASTER_PORT", "1234"},
                                        {"TORCHELASTIC_USE_AGENT_STORE", "True"},
                                        {"TORCHELASTIC_RESTART_COUNT", "1"}});
        QVERIFY(torchrun && torchrun->launcher == "torchrun" && torchrun->rank == 3 && torchrun->size == 8);
        QVERIFY(torchrun->address == "node7" && torchrun->port == 1234 && torchrun->servesStore);
        // Started by hand on two machines, they have nothing else in common.
        QCOMPARE(q(launchOf({{"RANK", "1"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "node7"}})->job).trimmed(), QString());
        const auto open = launchOf({{"OMPI_COMM_WORLD_RANK", "1"},
                                    {"OMPI_COMM_WORLD_SIZE", "2"},
                                    {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"},
                                    {"PMIX_NAMESPACE", "12"},
                                    {"SLURM_PROCID", "0"},
                                    {"SLURM_NTASKS", "9"},
                                    {"SLURM_STEP_ID", "0"}});
        QVERIFY(open && open->launcher == "Open MPI" && open->oneMachine && open->address.empty());
        QVERIFY(QByteArray::fromStdString(open->job).contains("12"));
        const auto slurm = launchOf({{"SLURM_PROCID", "5"},
                                     {"SLURM_NTASKS", "6"},
                                     {"SLURM_STEP_ID", "0"},
                                     {"SLURM_NNODES", "2"},
                                     {"MASTER_ADDR", "n1"}});
        QVERIFY(slurm && slurm->launcher == "Slurm" && slurm->rank == 5 && !slurm->oneMachine && slurm->port == 29500);
        QVERIFY(launchOf({{"PMI_RANK", "1"}, {"PMI_SIZE", "3"}, {"MPI_LOCALNRANKS", "3"}})->oneMachine);
        // Its process manager, started by Slurm, says which of the ranks on a machine this is.
        const auto inSlurm = launchOf({{"PMI_RANK", "3"},
                                       {"PMI_SIZE", "4"},
                                       {"MPI_LOCALNRANKS", "2"},
                                       {"SLURM_PROCID", "1"},
                                       {"SLURM_NTASKS", "2"},
                                       {"SLURM_STEP_ID", "0"}});
        QVERIFY(inSlurm && inSlurm->launcher == "MPI" && inSlurm->rank == 3);
        QVERIFY(!slurm->localRank);
        QCOMPARE(launchOf({{"RANK", "9"}, {"WORLD_SIZE", "16"}, {"LOCAL_RANK", "1"}})->localRank, std::size_t{1});
    }

    void whereSlurmStartsRankZero_data() {
        const auto row = columns<QString, QString>("machines", "first");
        row("a list", "n2,n1", "n2");
        row("a range", "node[07-09,12],gpu3", "node07");
        row("two ranges", "rack[1,3]-n[4-5].local", "rack1-n4.local");
        row("brackets that do not end", "node[4-", "node4");
        row("nothing", "", "");
    }
    void whereSlurmStartsRankZero() {
        FETCH(QString, machines, first);
        std::map<std::string, std::string> variables = {
            {"SLURM_PROCID", "1"}, {"SLURM_NTASKS", "2"}, {"SLURM_STEP_ID", "3"},
            {"SLURM_JOB_ID", "8"}, {"SLURM_NNODES", "2"}, {"SLURM_STEP_NODELIST", machines.toStdString()}};
        const auto launch = launchOf(variables);
        QCOMPARE(q(launch->address), first);
        QCOMPARE(launch->port, 0);
        variables["MASTER_PORT"] = "1234";
        QCOMPARE(launchOf(variables)->port, 1234);
        variables["MASTER_ADDR"] = "elsewhere";
        QCOMPARE(q(launchOf(variables)->address), u"elsewhere"_s);
    }

    /// The ranks of a run meet by its name, also on another machine.
    void machinesOfOneRunHaveOneName() {
        std::map<std::string, std::string> variables = {{"OMPI_COMM_WORLD_RANK", "0"},
                                                        {"OMPI_COMM_WORLD_SIZE", "2"},
                                                        {"OMPI_COMM_WORLD_LOCAL_SIZE", "1"},
                                                        {"OMPI_MCA_orte_hnp_uri", "7.0;tcp://10.0.0.9:4000"},
                                                        {"PMIX_NAMESPACE", "71"}};
        const auto first = launchOf(variables);
        variables["OMPI_COMM_WORLD_RANK"] = "1";
        const auto second = launchOf(variables);
        QCOMPARE(q(first->job), q(second->job));
        variables["PMIX_NAMESPACE"] = "72";
        QVERIFY(launchOf(variables)->job != first->job);
    }

    /// On several machines, only MASTER_ADDR or Slurm's list says where they meet.
    void launchersThatDoNotSayWhereRankZeroIs_data() {
        const auto row = columns<QString, QString, QString>("rank", "size", "launcher");
        row("torchrun", "RANK", "WORLD_SIZE", "torchrun");
        row("Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "Open MPI");
        row("MPICH", "PMI_RANK", "PMI_SIZE", "MPI");
    }
    void launchersThatDoNotSayWhereRankZeroIs() {
        FETCH(QString, rank, size, launcher);
        std::map<std::string, std::string> variables = {{rank.toStdString(), "1"}, {size.toStdString(), "2"}};
        const QString found = errorOf([&] { openRendezvous(*launchOf(variables), std::chrono::seconds(1)); });
        QCOMPARE(found, launcher +
                            u" does not say on which machine rank 0 is; set MASTER_ADDR to its "
                            "name, and MASTER_PORT to a free port there, for all ranks"_s);
        variables["MASTER_ADDR"] = "127.0.0.1";
        QCOMPARE(errorOf([&] { openRendezvous(*launchOf(variables), std::chrono::seconds(1)); }), QString());
    }

    void whatLaunchersCannotSay_data() {
        const auto row = columns<QString, QString, QString, QString>("rank", "size", "port", "sentence");
        row("no such rank", "4", "4", "1", "RANK=4: WORLD_SIZE says 4 ranks, numbered from 0");
        row("no number", "one", "4", "1", "RANK=one: expected a number");
        row("negative", "-1", "4", "1", "RANK=-1: expected a number");
        row("empty", "", "4", "1", "RANK=: expected a number");
        row("too many", "1", "99999", "1", "WORLD_SIZE=99999: at most 512 ranks");
        row("endless", "1", "99999999999999999999999", "1", "expected a number");
        row("no port", "1", "4", "70000", "MASTER_PORT=70000: expected a port");
        row("port 0", "1", "4", "0", "MASTER_PORT=0: expected a port");
    }
    void whatLaunchersCannotSay() {
        FETCH(QString, rank, size, port, sentence);
        const QString found = errorOf([&] {
            launchOf({{"RANK", rank.toStdString()},
                      {"WORLD_SIZE", size.toStdString()},
                      {"MASTER_ADDR", "localhost"},
                      {"MASTER_PORT", port.toStdString()}});
        });
        QVERIFY2(found.contains(sentence), qPrintable(found));
    }

    /// Many machines map their own name to 127.0.1.1, which other ranks would use as their address.
    void machinesThatTakeTheirNameForThemselves() {
        const auto rendezvous = [](const char* address) {
            return openRendezvous({.launcher = "torchrun", .rank = 1, .size = 2, .address = address},
                                  std::chrono::seconds(1));
        };
        const auto named = rendezvous("127.1");  // a name, for strict parsers of addresses
        QVERIFY(!named->isLocal());
        QCOMPARE(q(named->hostForOthers()), u"127.1"_s);
        for (const char* here : {"localhost", "127.0.0.1", "127.0.1.1", "::1"}) {
            const auto local = rendezvous(here);
            QVERIFY2(local->isLocal(), here);
            QCOMPARE(q(local->hostForOthers()), u"127.0.0.1"_s);
        }
    }

    void nobodyKnowsWhereRankZeroIs() {
        const QString found =
            errorOf([] { RankProcess({.launcher = "Slurm", .rank = 1, .size = 2}, {}, std::chrono::seconds(1)); });
        QVERIFY2(found.startsWith(u"Slurm does not say on which machine rank 0 is; set MASTER_ADDR"_s),
                 qPrintable(found));
    }

    void whichGpusNcclConnects_data() {
        const auto row = columns<QString, QString, QString>("second", "version", "why");
        row("two GPUs", "b", "2.28.9", "");
        row("one GPU", "a", "2.28.9", "rank 4 and rank 6 share a GPU");
        row("no NCCL", "b", "", "rank 6 has no NCCL (libnccl.so.2 is not found)");
        row("two versions", "b", "2.19.3", "rank 6 has NCCL 2.19.3, rank 4 2.28.9");
    }
    void whichGpusNcclConnects() {
        FETCH(QString, second, version, why);
        const RankGroup group{"tp", 4, 2, 2, 0};
        QCOMPARE(q(whyNotByNccl(group, {{"a", "2.28.9", ""},
                                        {second.toStdString(), version.toStdString(), "libnccl.so.2 is not found"}})),
                 why);
    }

    void gpusThatRanksDoNotHave_data() {
        QTest::addColumn<QByteArray>("message");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("no JSON") << QByteArray("GPU-1");
        QTest::newRow("a list") << QByteArray("[1]");
        QTest::newRow("no version") << QByteArray(R"({"gpu": "a", "missing": ""})");
        QTest::newRow("a number") << QByteArray(R"({"gpu": 1, "nccl": "2.28.9", "missing": ""})");
        QTest::newRow("deep") << QByteArray(100'000, '[');
    }
    void gpusThatRanksDoNotHave() {
        QFETCH(QByteArray, message);
        QVERIFY_THROWS_EXCEPTION(Error, rankGpuFrom(message.toStdString()));
    }
};

AOTSCOPE_TEST(TestLaunch)

}  // namespace aotscope::test::launch_test

#include "test_launch.moc"
