#include "support/hostile/forged_session.h"

#include "io/session/model_reference.h"

#include <caffe2/serialize/inline_container.h>

#include <QtEndian>

#include <cstring>

namespace aotscope::test {

namespace {

constexpr qsizetype kEndSize = 22, kEntrySize = 46, kLocatorSize = 20, kEnd64Size = 56;

std::string recordOf(caffe2::serialize::PyTorchStreamReader& archive, const char* name) {
    const auto [data, size] = archive.getRecord(name);
    return {static_cast<const char*>(data.get()), size};
}

template <typename T>
T number(const QByteArray& bytes, qsizetype at) {
    return qFromLittleEndian<T>(bytes.constData() + at);
}

template <typename T>
void addTo(QByteArray& bytes, qsizetype at, qsizetype count) {
    qToLittleEndian<T>(static_cast<T>(number<T>(bytes, at) + static_cast<T>(count)), bytes.data() + at);
}

}  // namespace

ForgedSession::ForgedSession() {
    caffe2::serialize::PyTorchStreamReader archive(
        std::string(AOTSCOPE_SOURCE_DIR "/tests/data/sessions/schema1.aotscope"));
    summary_ = recordOf(archive, "session.json");
    document_ = nlohmann::json::from_cbor(recordOf(archive, "content.cbor"));
    session()["model"]["hash"] = modelHash("sample:mlp");
}

void ForgedSession::nameModel(const std::string& path, std::uint64_t size, const std::string& hash) {
    options()["model"] = path;
    session()["model"] = {{"path", path}, {"size", size}, {"hash", hash}};
}

QString ForgedSession::writeTo(const Scratch& scratch, const char* name) const {
    QString path = scratch.at(QString::fromLatin1(name));
    caffe2::serialize::PyTorchStreamWriter writer(path.toStdString());
    const auto content = nlohmann::json::to_cbor(document_);
    writer.writeRecord("session.json", summary_.data(), summary_.size());
    writer.writeRecord("content.cbor", content.data(), content.size(), true);
    for (const auto& [record, bytes] : records) writer.writeRecord(record, bytes.data(), bytes.size());
    writer.writeEndOfFile();
    return path;
}

/// All offsets in the archive grow by the size of the head.
QByteArray appended(const QByteArray& head, QByteArray archive) {
    const qsizetype end = archive.size() - kEndSize, by = head.size();
    const auto entries = number<quint16>(archive, end + 10);
    qsizetype at = number<quint32>(archive, end + 16);
    addTo<quint32>(archive, end + 16, by);
    for (int i = 0; i < entries; ++i) {
        addTo<quint32>(archive, at + 42, by);
        at += kEntrySize + number<quint16>(archive, at + 28) + number<quint16>(archive, at + 30) +
              number<quint16>(archive, at + 32);
    }
    const qsizetype locator = end - kLocatorSize, end64 = locator - kEnd64Size;
    if (end64 > 0 && archive.sliced(locator, 4) == "PK\x06\x07") {
        addTo<quint64>(archive, locator + 8, by);
        addTo<quint64>(archive, end64 + 48, by);
    }
    return head + archive;
}

QByteArray padded(QByteArray archive, qsizetype size) {
    const qsizetype comment = size - archive.size();
    addTo<quint16>(archive, archive.size() - 2, comment);
    return archive + QByteArray(comment, ' ');
}

}  // namespace aotscope::test
