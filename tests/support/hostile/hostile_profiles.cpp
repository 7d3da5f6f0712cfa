#include "support/hostile/hostile_files.h"
#include "support/packed/deflate.h"

namespace aotscope::test {

namespace {

QString asLatin(const char* text) { return QString::fromLatin1(text); }

QByteArray profileOf(const QByteArray& events) { return R"({"schemaVersion": 1, "traceEvents": [)" + events; }

QByteArray operationOf(const QByteArray& arguments) {
    return R"({"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 1, "dur": 1, "args": )" +
           arguments + "}";
}

/// Without the sums at the end, which are read last.
QByteArray packed(const QByteArray& content) {
    return QByteArray("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10) + QByteArray::fromStdString(deflated(content.toStdString()));
}

}  // namespace

std::vector<HostileFile> hostileProfiles(const Scratch& scratch) {
    int count = 0;
    const auto profile = [&](const char* name, const QByteArray& content, const char* sentence) {
        const QString file = scratch.write(asLatin("profile%1.json").arg(++count), content);
        return HostileFile{asLatin("profile: ") + asLatin(name),
                           asLatin("sample:mlp"),
                           {asLatin("--profile"), file},
                           asLatin(sentence)};
    };
    const QByteArray sizes = QByteArray("[1],").repeated(3'000'000);
    return {
        profile("nested deeply", profileOf(QByteArray(1'000'000, '[')), "nests its values more than 100 levels deep"),
        profile("a name of 40 MB", profileOf("\"" + QByteArray(40'000'000, 'x')), "has a value of more than"),
        profile("spaces that unpack to 200 MB", packed(profileOf(QByteArray(200'000'000, ' '))),
                "has a value of more than"),
        profile("numbers that unpack to 200 MB", packed(profileOf(QByteArray("1,").repeated(100'000'000))),
                "too much for its size"),
        profile("millions of sizes", profileOf(operationOf(R"({"Input Dims": [)" + sizes + "[1]]}") + "]}"), ""),
        profile("times out of range", profileOf(operationOf("{}").replace(": 1,", ": 1e308,") + "]}"), ""),
        profile("a name for terminals", profileOf(operationOf("{}").replace("mm", "\\u001b[31m\\u202emm") + "]}"), ""),
        profile("cut off", profileOf(operationOf("{").left(90)), "ends too early, after 0 events"),
        profile("another model", profileOf(operationOf("{}") + "]}"), ""),
    };
}

}  // namespace aotscope::test
