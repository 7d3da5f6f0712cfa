#include "support/hostile/hostile_files.h"
#include "support/hostile/pickled.h"

namespace aotscope::test {

namespace {

using Bytes = QByteArray;

using namespace pickled;

Bytes pickle(const Bytes& value) { return "\x80\x02" + value + "."; }

Bytes frame(const Bytes& file) {
    return dict(text("filename") + text(file) + text("line") + integer(1) + text("name") + text("f"));
}
Bytes event(const Bytes& frames, qint64 size = 512, qint64 address = 512) {
    return dict(text("action") + text("alloc") + text("addr") + integer(address) + text("size") + integer(size) +
                text("stream") + integer(0) + text("frames") + frames);
}
Bytes snapshot(const Bytes& segments, const Bytes& events) {
    return pickle(dict(text("segments") + list(segments) + text("device_traces") + list(list(events))));
}
Bytes segment(const Bytes& blocks) {
    return dict(text("address") + integer(512) + text("total_size") + integer(1024) + text("blocks") + blocks);
}

class Recordings {
public:
    Recordings(const Scratch& scratch, const char* command) : scratch_(scratch), command_(command) {}

    void add(const char* name, const Bytes& content, const char* sentence) {
        const QString file = scratch_.write(u"%1_%2_0"_s.arg(QLatin1String(command_)).arg(files_.size()), content);
        files_.push_back({QLatin1String(command_) + u": "_s + QLatin1String(name),
                          file,
                          {QLatin1String(command_)},
                          QString::fromUtf8(sentence)});
    }
    std::vector<HostileFile> take() { return std::move(files_); }

private:
    const Scratch& scratch_;
    const char* command_;
    std::vector<HostileFile> files_;
};

std::vector<HostileFile> hostileSnapshots(const Scratch& scratch) {
    Recordings files(scratch, "snapshot");
    const Bytes block = dict(text("size") + integer(512) + text("state") + text("inactive"));
    files.add("a call", pickle("cos\nsystem\n(" + text("touch /tmp/x") + "tR"), "makes a Python object, 'os.system'");
    files.add("an object in a frame", snapshot("", event(list("cbuiltins\nexec\n"))), "'builtins.exec'");
    files.add("a persistent id", pickle(text("x") + "Q"), "is not a memory snapshot: it calls a function");
    files.add("millions of dicts", pickle("](" + Bytes(20'000'000, '}') + "e"), "keeps too many values at once");
    files.add("millions of groups", "\x80\x02" + Bytes(20'000'000, '('), "keeps too many values at once");
    files.add("millions of references", "\x80\x04N" + Bytes(20'000'000, '\x94'), "is cut off");
    files.add("millions of integers", pickle(list(integer(-1).repeated(2'000'000))), "is not a memory snapshot");
    files.add(
        "a stack that grows frame by frame",
        pickle("](" + frame("f.py") + "q" + Bytes(1, '\0') + "]q\x01" + ("h" + Bytes(1, '\0') + "a").repeated(100'000)),
        "holds more than 32,000,000 frames in different stacks");
    files.add("a dict that holds itself", pickle("}q" + Bytes(1, '\0') + text("segments") + "h" + Bytes(1, '\0') + "s"),
              "has something else where segments were expected");
    files.add("a list that holds itself", pickle("]q" + Bytes(1, '\0') + "h" + Bytes(1, '\0') + "a"),
              "is not a memory snapshot");
    files.add("one block in many segments",
              snapshot("]q" + Bytes(1, '\0') + "(" + block.repeated(1000) + "e" +
                           segment("h" + Bytes(1, '\0')).repeated(1000),
                       ""),
              "has a block in two segments");
    files.add("more bytes than there are", snapshot("", event("]", qint64{1} << 60).repeated(3)),
              "has sizes that no device has");
    files.add("a negative size", snapshot("", event("]", -1)), "a 'size' of -1");
    files.add("an event that is none", snapshot("", text("alloc")), "where an event of the history was expected");
    files.add("events out of order",
              snapshot("", event("]") + "q" + Bytes(1, '\0') + event("]") + "h" + Bytes(1, '\0')),
              "not in the order of their history");
    files.add("a text beyond the end", "\x80\x02X" + little(0xffffffff, 4) + "x", "is cut off");
    files.add("cut off", snapshot("", event("]")).chopped(10), "is cut off");
    files.add("an archive", "PK\x03\x04" + Bytes(100, '\0'), "is not a memory snapshot: expected the pickle");
    files.add("a pickle of the future", "\x80\x09}.", "is not a memory snapshot: expected the pickle");
    files.add("a name for terminals", snapshot("", event(list(frame("\x1b[31m\xe2\x80\xaeinit.py")))), "");
    files.add("addresses around the end",
              snapshot(segment("]"), event("]", qint64{1} << 40, -512) + event("]", 512, 0)), "");
    return files.take();
}

Bytes entry(const Bytes& before) {
    return "{" + before + R"("profiling_name": "nccl:all_reduce", "state": "started", "collective_seq_id": 1})";
}
Bytes dump(const Bytes& entries, const Bytes& groups = "{}") {
    return R"({"collective_seq_id": 0, "version": "2.10", "pg_config": )" + groups + R"(, "entries": [)" + entries +
           "]}";
}

std::vector<HostileFile> hostileFlightDumps(const Scratch& scratch) {
    Recordings files(scratch, "hang");
    const auto named = [](const Bytes& entries) {
        return pickle(dict(text("version") + text("2") + text("entries") + entries));
    };
    files.add("a call", named(list("cos\nsystem\n(" + text("x") + "tR")), "it makes a Python object");
    files.add("an entry that holds itself",
              named("](}q" + Bytes(1, '\0') + text("frames") + "h" + Bytes(1, '\0') + "se"),
              "nests its values more than 20 levels deep");
    Bytes lists = "]q" + Bytes(1, '\0') + "0";  // each holds the last one twenty times, and is taken off the stack
    for (char i = 1; i < 15; ++i)
        lists += "](" + ("h" + Bytes(1, static_cast<char>(i - 1))).repeated(20) + "eq" + Bytes(1, i) + "0";
    files.add("lists of lists of one list", named(lists + list(dict(text("frames") + "h" + Bytes(1, 14)))),
              "has more than 1000000 values in one entry");
    files.add("a large entry, many times",
              named(list(dict(text("output_sizes") + list(Bytes(50'000, ']')) + text("profiling_name") + text("x") +
                              text("state") + text("started") + text("collective_seq_id") + integer(1)) +
                         "q" + Bytes(1, '\0') + ("h" + Bytes(1, '\0')).repeated(10'000))),
              "has more than 10000000 values");
    files.add("a long text, many times",
              named(list(dict(text("x") + list(text(Bytes(1'000'000, 'x')) + "q" + Bytes(1, '\0') +
                                               ("h" + Bytes(1, '\0')).repeated(10'000))))),
              "has more than 1000000 values in one entry");
    files.add("millions of values", named(list(Bytes(2'000'000, 'N'))), "holds more than 1000000 values");
    files.add("a million entries", dump("7" + Bytes(",7").repeated(1'000'000)), "in entry 0");
    files.add("nested deeply", dump(Bytes(1'000'000, '[')), "nests its values more than 100 levels deep");
    files.add("groups nested deeply", dump("", R"({"0": {"ranks": ")" + Bytes(100'000, '[') + "\"}}"),
              "nests its values more than 100 levels deep");
    files.add("ranks beyond all", dump(entry(""), R"({"": {"ranks": "[-1, 99999999999]"}})"), "");
    files.add("sizes beyond all", dump(entry(R"("input_sizes": [[9223372036854775807, 4]], )")), "");
    files.add("a number beyond all", dump(entry(R"("record_id": 9223372036854775808, )")), "in entry 0");
    files.add("a name for terminals", dump(entry(R"("process_group": ["\u001b[31m", "\u202e"], )")), "");
    files.add("no state", dump(R"({"profiling_name": "nccl:x", "collective_seq_id": 1, "state": "asleep"})"),
              "expected scheduled, started or completed");
    files.add("cut off", dump(entry("")).chopped(9), "is not a dump of the flight recorder");
    files.add("zeros", Bytes(1'000'000, '\0'), "is not a dump of the flight recorder");
    return files.take();
}

}  // namespace

std::vector<HostileFile> hostileRecordings(const Scratch& scratch) {
    std::vector<HostileFile> files = hostileSnapshots(scratch);
    for (HostileFile& file : hostileFlightDumps(scratch)) files.push_back(std::move(file));
    return files;
}

}  // namespace aotscope::test
