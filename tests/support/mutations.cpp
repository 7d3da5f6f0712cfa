#include "support/mutations.h"

#include <caffe2/serialize/inline_container.h>

#include <QRegularExpression>

#include <array>
#include <cstring>

namespace aotscope::test {

namespace {

/// A number from 0 to `limit` - 1.
qsizetype below(Random64& random, qsizetype limit) {
    return static_cast<qsizetype>(random() % static_cast<std::uint64_t>(std::max<qsizetype>(limit, 1)));
}

}  // namespace

QByteArray truncated(const QByteArray& content, Random64& random) {
    // Half of them near the end, where the directory of an archive is.
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
    std::istringstream in(content.toStdString());
    caffe2::serialize::PyTorchStreamReader reader(&in);
    std::string packed;
    {
        caffe2::serialize::PyTorchStreamWriter writer([&packed](const void* data, size_t size) {
            packed.append(static_cast<const char*>(data), size);
            return size;
        });
        const auto names = reader.getAllRecords();
        const auto chosen = static_cast<std::size_t>(below(random, static_cast<qsizetype>(names.size())));
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (names[i] == ".data/serialization_id") continue;
            auto [data, size] = reader.getRecord(names[i]);
            QByteArray record(static_cast<const char*>(data.get()), static_cast<qsizetype>(size));
            if (i == chosen) record = random() % 4 ? flipped(record, random) : truncated(record, random);
            writer.writeRecord(names[i], record.constData(), static_cast<std::size_t>(record.size()));
        }
        writer.writeEndOfFile();
    }
    return QByteArray::fromStdString(packed);
}

QByteArray digitsChanged(const QByteArray& content, Random64& random) {
    static constexpr std::array<const char*, 10> values = {
        "-1",  "0",     "999999999999", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "1e400",
        "1.5", "\"3\"", "null"};
    static const QRegularExpression number(QStringLiteral("-?\\d+(\\.\\d+)?"));
    const QString text = QString::fromUtf8(content);
    QList<QRegularExpressionMatch> found;
    for (auto it = number.globalMatch(text); it.hasNext();) found << it.next();
    if (found.isEmpty()) return flipped(content, random);
    const auto& match = found[below(random, found.size())];
    QString changed = text;
    changed.replace(match.capturedStart(), match.capturedLength(), QLatin1String(values[random() % values.size()]));
    return changed.toUtf8();
}

}  // namespace aotscope::test
