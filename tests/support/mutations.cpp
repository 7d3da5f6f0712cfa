#include "support/mutations.h"
#include "support/literals.h"

#include <caffe2/serialize/inline_container.h>

#include <QRegularExpression>

#include <array>
#include <cstring>
#include <functional>
#include <vector>

namespace aotscope::test {

namespace {

/// A number from 0 to `limit` - 1.
qsizetype below(Random64& random, qsizetype limit) {
    return static_cast<qsizetype>(random() % static_cast<std::uint64_t>(std::max<qsizetype>(limit, 1)));
}

/// The archive `content` with one of the records that are `wanted` changed by `mutation`.
QByteArray repacked(const QByteArray& content, Random64& random, const std::function<bool(const std::string&)>& wanted,
                    Mutation mutation) {
    std::istringstream in(content.toStdString());
    caffe2::serialize::PyTorchStreamReader reader(&in);
    std::vector<std::string> candidates;
    for (const auto& name : reader.getAllRecords())
        if (wanted(name)) candidates.push_back(name);
    if (candidates.empty()) return flipped(content, random);
    const std::string chosen = candidates[random() % candidates.size()];
    std::string packed;
    caffe2::serialize::PyTorchStreamWriter writer([&packed](const void* data, size_t size) {
        packed.append(static_cast<const char*>(data), size);
        return size;
    });
    for (const auto& name : reader.getAllRecords()) {
        if (name == ".data/serialization_id") continue;
        auto [data, size] = reader.getRecord(name);
        QByteArray record(static_cast<const char*>(data.get()), static_cast<qsizetype>(size));
        if (name == chosen) record = mutation(record, random);
        writer.writeRecord(name, record.constData(), static_cast<std::size_t>(record.size()));
    }
    writer.writeEndOfFile();
    return QByteArray::fromStdString(packed);
}

/// Positions of all matches in `text`.
QList<QRegularExpressionMatch> matches(const QString& text, const QRegularExpression& expression) {
    QList<QRegularExpressionMatch> found;
    for (auto it = expression.globalMatch(text); it.hasNext();) found << it.next();
    return found;
}

QByteArray jsonChanged(const QByteArray& record, Random64& random) {
    switch (random() % 8) {
        case 0: return nestedDeeply(record, random);
        case 1:
        case 2: return wordReplaced(record, random);
        default: return digitsChanged(record, random);
    }
}

}  // namespace

QByteArray truncated(const QByteArray& content, Random64& random) {
    // Half of them near the end, where an archive has its directory.
    const qsizetype tail = std::min<qsizetype>(content.size(), 600);
    const qsizetype length = random() % 2 ? below(random, content.size()) : content.size() - 1 - below(random, tail);
    return content.left(length);
}

QByteArray flipped(const QByteArray& content, Random64& random) {
    QByteArray changed = content;
    for (auto flips = 1 + random() % 8; flips > 0 && !changed.isEmpty(); --flips) {
        char& byte = changed[below(random, changed.size())];
        if (random() % 2) byte = static_cast<char>(byte ^ (1 << (random() % 8)));
        else byte = static_cast<char>(random());
    }
    return changed;
}

QByteArray zipFieldChanged(const QByteArray& content, Random64& random) {
    static constexpr std::array<const char*, 5> signatures = {"PK\x01\x02", "PK\x03\x04", "PK\x05\x06", "PK\x06\x06",
                                                              "PK\x06\x07"};
    QList<qsizetype> headers;
    for (const char* signature : signatures)
        for (qsizetype at = content.indexOf(signature); at >= 0; at = content.indexOf(signature, at + 1)) headers << at;
    if (headers.isEmpty()) return flipped(content, random);
    QByteArray changed = content;
    const std::array<std::uint64_t, 8> values = {
        0, 1, 0xffff, 0xffffffff, 0x7fffffff, ~std::uint64_t{0}, random(), static_cast<std::uint64_t>(content.size())};
    const std::uint64_t value = values[random() % values.size()];
    const qsizetype at = headers[below(random, headers.size())] + 4 + below(random, 44);
    const qsizetype width = std::min<qsizetype>(qsizetype{1} << (1 + random() % 3), content.size() - at);
    if (width > 0) std::memcpy(changed.data() + at, &value, static_cast<std::size_t>(width));
    return changed;
}

QByteArray recordChanged(const QByteArray& content, Random64& random) {
    return repacked(
        content, random, [](const std::string&) { return true; },
        [](const QByteArray& record, Random64& r) { return r() % 4 ? flipped(record, r) : truncated(record, r); });
}

QByteArray digitsChanged(const QByteArray& content, Random64& random) {
    static constexpr std::array<const char*, 10> values = {
        "-1",  "0",     "999999999999", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "1e400",
        "1.5", "\"3\"", "null"};
    static const QRegularExpression number(u"-?\\d+(\\.\\d+)?"_s);
    QString changed = QString::fromLatin1(content);
    const auto found = matches(changed, number);
    if (found.isEmpty()) return flipped(content, random);
    const auto& match = found[below(random, found.size())];
    changed.replace(match.capturedStart(), match.capturedLength(), QLatin1String(values[random() % values.size()]));
    return changed.toLatin1();
}

QByteArray wordReplaced(const QByteArray& content, Random64& random) {
    static const QRegularExpression word(u"[A-Za-z_]\\w*"_s);
    QString changed = QString::fromLatin1(content);
    const auto found = matches(changed, word);
    if (found.isEmpty()) return flipped(content, random);
    const auto &match = found[below(random, found.size())], &other = found[below(random, found.size())];
    changed.replace(match.capturedStart(), match.capturedLength(), other.captured());
    return changed.toLatin1();
}

QByteArray lineMoved(const QByteArray& content, Random64& random) {
    QList<QByteArray> lines = content.split('\n');
    const qsizetype at = below(random, lines.size()), to = below(random, lines.size());
    switch (random() % 3) {
        case 0: lines.removeAt(at); break;
        case 1: lines.insert(to, lines[at]); break;
        default: lines.move(at, to);
    }
    return lines.join('\n');
}

QByteArray nestedDeeply(const QByteArray& content, Random64& random) {
    static constexpr std::array<std::pair<char, char>, 3> brackets = {{{'[', ']'}, {'(', ')'}, {'{', '}'}}};
    const auto [open, close] = brackets[random() % brackets.size()];
    const qsizetype depth = std::array<qsizetype, 3>{100, 5000, 200'000}[random() % 3];
    QByteArray text(depth, open);
    if (open == '{' && random() % 2) text.replace("{", "{\"a\":");
    if (random() % 2) text.append('1').append(QByteArray(depth, close));
    // Changes at the beginning of a value are most likely to be read.
    qsizetype at = content.indexOf(random() % 2 ? '(' : '[', below(random, content.size()));
    if (at < 0) at = below(random, content.size());
    return QByteArray(content).insert(at, text);
}

QByteArray programChanged(const QByteArray& content, Random64& random) {
    return repacked(
        content, random, [](const std::string& name) { return name.starts_with("models/"); }, jsonChanged);
}

QByteArray weightListChanged(const QByteArray& content, Random64& random) {
    return repacked(
        content, random, [](const std::string& name) { return name.ends_with("_config.json"); }, jsonChanged);
}

QByteArray pickleIntegerChanged(const QByteArray& content, Random64& random) {
    const auto change = [](const QByteArray& pickle, Random64& r) {
        QList<qsizetype> found;
        for (qsizetype at = pickle.indexOf('K'); at >= 0; at = pickle.indexOf('K', at + 1)) found << at;
        if (found.isEmpty()) return flipped(pickle, r);
        static constexpr std::array<std::int64_t, 7> values = {
            -1, 0, 1 << 20, std::int64_t{1} << 33, std::int64_t{1} << 62, INT64_MAX, INT64_MIN};
        const std::int64_t value = values[r() % values.size()];
        QByteArray integer("\x8a\x08");  // LONG1, eight bytes
        integer.append(reinterpret_cast<const char*>(&value), sizeof(value));
        return QByteArray(pickle).replace(found[below(r, found.size())], 2, integer);
    };
    return repacked(
        content, random, [](const std::string& name) { return name.ends_with("data.pkl"); }, change);
}

}  // namespace aotscope::test
