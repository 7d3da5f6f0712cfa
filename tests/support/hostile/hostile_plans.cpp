#include "support/hostile/hostile_files.h"

namespace aotscope::test {

namespace {

QString latin(const char* text) { return QString::fromLatin1(text); }

QByteArray saving(const QByteArray& names) { return R"({"saved": [)" + names + "]}"; }

}  // namespace

std::vector<HostileFile> hostilePlans(const Scratch& scratch) {
    int count = 0;
    const auto plan = [&](const char* name, const QByteArray& content, const char* sentence) {
        const QString file = scratch.write(latin("plan%1.json").arg(++count), content);
        return HostileFile{
            latin("plan: ") + latin(name), latin("sample:mlp"), {latin("--plan"), file}, latin(sentence)};
    };
    const QByteArray deep(1'000'000, '[');
    return {
        plan("a name of 20 MB", saving('"' + QByteArray(20'000'000, 'r') + '"'), "has no node 'rrr"),
        plan("a name with a line end", saving(R"("relu\naotscope: all is well")"), "'relu\\naotscope: all is well'"),
        plan("a name with a NUL", saving(R"("relu\u0000x")"), "has no node 'relu\\x00x'"),
        plan("a name for terminals", saving("\"\\u001b[31m\xe2\x80\xaerelu\""), "'\\x1b[31m\\u202erelu'"),
        plan("no name at all", saving("\"\""), "has no node ''"),
        plan("half a character", saving(R"("\ud800")"), "this is not JSON"),
        plan("two lists", R"({"saved": ["relu"], "saved": ["relu_1"]})", "it has two members with the same name"),
        plan("nested deeply", saving(deep), "it nests its values more than 100 levels deep"),
        plan("nested deeply beside the names", R"({"saved": [], "x": )" + deep, "it nests its values more than 100"),
        plan("millions of lists", saving(QByteArray("[],").repeated(6'000'000) + "[]"), "too much for its size"),
        plan("2^63", saving("9223372036854775808"), "what it saves is not a list of names"),
        plan("a million digits", saving(QByteArray(1'000'000, '9')), "this is not JSON"),
        plan("no number", saving("NaN"), "this is not JSON"),
        plan("a name that is none", saving(R"({"name": {"name": "relu"}})"), "what it saves is not a list of names"),
        plan("the same name a million times", saving(QByteArray("\"relu\",").repeated(1'000'000) + "\"relu\""),
             "the plan does not save %primals_"),
        plan("cut off", R"({"saved": ["relu)", "this is not JSON"),
    };
}

}  // namespace aotscope::test
