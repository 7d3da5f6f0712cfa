// Names of models on another machine, and frames.

#include "test_remote.h"

#include "remote/frame.h"
#include "support/error.h"
#include "support/text.h"

using namespace aotscope;
using namespace aotscope::test;

namespace {

using nlohmann::json;

QString joined(const std::vector<std::string>& words) {
    QStringList list;
    for (const auto& word : words) list << q(word);
    return list.join(u'|');
}

}  // namespace

void TestRemote::addresses_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("end");  // of the command, from "--" on
    QTest::addColumn<QString>("there");
    const auto row = [](const char* model, const char* end, const char* there) {
        QTest::newRow(model) << QString::fromUtf8(model) << QString::fromUtf8(end) << QString::fromUtf8(there);
    };
    row("ssh://box/models/x.pt2", "--|box|aotscope serve --stdio", "/models/x.pt2");
    row("ssh://me@box/x y's.pt2", "--|me@box|aotscope serve --stdio", "/x y's.pt2");
    row("ssh://me@box:2200/~/x.pt2", "-p|2200|--|me@box|aotscope serve --stdio", "~/x.pt2");
    row("ssh://[::1]:22/x.pt2", "-p|22|--|::1|aotscope serve --stdio", "/x.pt2");
    row("ssh://box/sample:mlp", "--|box|aotscope serve --stdio", "sample:mlp");
    row("exec://docker%20exec%20-i%20box/x.pt2", "docker|exec|-i|box|aotscope|serve|--stdio", "/x.pt2");
    row("exec://ssh%20box%20aotscope-engine/x.pt2", "ssh|box|aotscope-engine|serve|--stdio", "/x.pt2");
    row("exec://%2Fopt%2Faotscope/x.pt2", "/opt/aotscope|serve|--stdio", "/x.pt2");
}
void TestRemote::addresses() {
    FETCH(QString, model, end, there);
    const RemoteModel found = remoteModel(model.toStdString());
    QVERIFY2(joined(found.command).endsWith(end), qPrintable(joined(found.command)));
    QCOMPARE(q(found.model), there);
    QCOMPARE(q(besideRemote(model.toStdString(), "/a/b.pt2")).section(u'/', 0, 2), model.section(u'/', 0, 2));
}

void TestRemote::refusesAddresses_data() {
    const auto row = columns<QString, QString>("model", "why");
    row("ssh://box", "it names no file");
    row("ssh://box/", "it names no model");
    row("ssh:///x.pt2", "its host '' is not a valid name");
    row("ssh://-oProxyCommand=reboot/x.pt2", "its host '-oProxyCommand=reboot' is not a valid name");
    row("ssh://me@-v/x.pt2", "its host '-v' is not a valid name");
    row("ssh://-lroot@box/x.pt2", "its user '-lroot' is not a valid name");
    row("ssh://a b@box/x.pt2", "its user 'a b' is not a valid name");
    row("ssh://box;reboot/x.pt2", "its host 'box;reboot' is not a valid name");
    row("ssh://box:0/x.pt2", "its port '0' is not between 1 and 65535");
    row("ssh://box:22x/x.pt2", "its port '22x' is not between 1 and 65535");
    row("ssh://[::1/x.pt2", "its host has no ']'");
    row("exec:///x.pt2", "its command is empty");
    row("exec://a%2/x.pt2", "its command is cut off after a '%'");
    row("exec://a%0Ab/x.pt2", "its command has a control character");
}
void TestRemote::refusesAddresses() {
    FETCH(QString, model, why);
    const QString error = errorOf([&] { remoteModel(model.toStdString()); });
    QVERIFY2(error.contains(why) && error.endsWith(u"; expected ssh://[USER@]HOST[:PORT]/PATH"_s), qPrintable(error));
}

void TestRemote::commandsInPlaceOfSsh() {
    const auto through = [](const char* model, const char* command) {
        return remoteModel(throughCommand(model, command));
    };
    const RemoteModel quoted = through("ssh://box/x.pt2", "docker exec -i 'my box' \"/opt/a b/aotscope\"");
    QCOMPARE(joined(quoted.command), u"docker|exec|-i|my box|/opt/a b/aotscope|serve|--stdio"_s);
    QCOMPARE(q(quoted.model), u"/x.pt2"_s);
    QCOMPARE(joined(through("ssh://box/x.pt2", "srun -n 1").command), u"srun|-n|1|aotscope|serve|--stdio"_s);
    QCOMPARE(joined(through("ssh://box/x.pt2", "ssh box /opt/aotscope-0.2 serve --stdio").command),
             u"ssh|box|/opt/aotscope-0.2|serve|--stdio"_s);
    for (const auto& [model, command, why] :
         {std::tuple{"x.pt2", "srun", "is on this one"}, std::tuple{"ssh://box/x.pt2", " ", "expected a command"},
          std::tuple{"ssh://box/x.pt2", "a 'b", "a quotation mark is not closed"}}) {
        const QString error = errorOf([&, model = model, command = command] { through(model, command); });
        QVERIFY2(error.contains(QLatin1String(why)), qPrintable(error));
    }
}

void TestRemote::framesInPieces() {
    const std::vector<json> messages = {{{"a", 1}}, {{"bytes", bytesJson(std::string(100'000, 'x'))}}, {{"c", {1, 2}}}};
    std::string bytes = "Welcome to the server!\r\nIt is #aotscope free\n";
    bytes += kFrameStart;
    for (const json& message : messages) bytes += frameOf(message);
    for (const std::size_t size : {std::size_t{1}, std::size_t{7}, std::size_t{4096}, bytes.size()}) {
        FrameReader reader(FrameReader::From::start, {});
        std::vector<json> found;
        for (std::size_t at = 0; at < bytes.size(); at += size) {
            reader.add(std::string_view(bytes).substr(at, size));
            while (auto message = reader.next()) found.push_back(std::move(*message));
        }
        QCOMPARE(found, messages);
        QVERIFY(!reader.within());
    }
}

/// Unrequested content of a message takes little memory, whatever size it states.
void TestRemote::framesOfStrangers() {
    const auto refused = [](const FrameLimits& limits, const std::string& bytes) {
        return errorOf([&] {
            FrameReader reader(FrameReader::From::here, limits);
            reader.add(bytes);
            reader.next();
        });
    };
    QVERIFY(refused(kGreetingLimits, std::string("\0\1\0\1", 4)).contains("which is too large"_L1));
    QVERIFY(refused(kRequestLimits, "\x3f" + std::string(3, '\0')).contains("which is too large"_L1));
    constexpr std::size_t nulls = 24'000'000;
    std::string bomb = {0x01, 0x6e, 0x36, 0x05, '\x9a', 0x01, 0x6e, 0x36, 0x00};  // sizes: of the frame, of the list
    bomb.append(nulls, '\xf6');
    QVERIFY2(refused(kRequestLimits, bomb).contains("would take more than 537 MB of memory"_L1),
             qPrintable(refused(kRequestLimits, bomb)));
    QVERIFY2(refused({}, bomb).contains("would take more than 182 MB of memory"_L1), qPrintable(refused({}, bomb)));
}

void TestRemote::refusesFrames_data() {
    columns<QByteArray, QString>("bytes", "why");
    const QByteArray start(kFrameStart.data(), kFrameStart.size());
    QTest::newRow("no start") << QByteArray(70'000, 'x') << "does not answer like aotscope";
    QTest::newRow("huge") << start + QByteArray::fromHex("ffffffff00") << "which is too large";
    QTest::newRow("no CBOR") << start + QByteArray::fromHex("00000002ffff") << "sends a message that is damaged";
    QTest::newRow("a list") << start + QByteArray::fromHex("0000000180")
                            << "sends a message: expected an object, found []";
    QTest::newRow("deep") << start + QByteArray::fromHex("000001f4") + QByteArray(499, '\x81') + '\x01'
                          << "sends a message that nests its values more than 100 levels deep";
    QTest::newRow("a bomb") << start + QByteArray::fromHex("000000099b7fffffffffffffff") << "sends a message that";
}
void TestRemote::refusesFrames() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, why);
    const QString error = errorOf([&] {
        FrameReader reader(FrameReader::From::start, {});
        reader.add({bytes.constData(), static_cast<std::size_t>(bytes.size())});
        while (reader.next()) {}
    });
    QVERIFY2(error.contains(why), qPrintable(error));
}
