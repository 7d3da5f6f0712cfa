#include "support/tensor_files.h"

#include <caffe2/serialize/inline_container.h>

namespace aotscope::test {

namespace {

QByteArray littleEndian(quint64 value, int bytes) {
    QByteArray text;
    for (int i = 0; i < bytes; ++i) text.append(static_cast<char>(value >> (8 * i)));
    return text;
}

}  // namespace

std::string npyHeader(const std::string& descr, const std::string& shape, bool fortranOrder) {
    return "{'descr': '" + descr + "', 'fortran_order': " + (fortranOrder ? "True" : "False") + ", 'shape': " + shape +
           ", }";
}

QByteArray npyBytes(const std::string& header, const QByteArray& data, int version) {
    const int lengthBytes = version == 1 ? 2 : 4;
    QByteArray text = QByteArray::fromStdString(header);
    while ((8 + lengthBytes + text.size() + 1) % 64 != 0) text.append(' ');
    text.append('\n');
    QByteArray bytes("\x93NUMPY");
    bytes.append(static_cast<char>(version)).append('\0');
    return bytes + littleEndian(static_cast<quint64>(text.size()), lengthBytes) + text + data;
}

QByteArray safetensorsBytes(const QByteArray& header, const QByteArray& data) {
    const QByteArray padded = header.leftJustified((header.size() + 7) / 8 * 8, ' ');
    return littleEndian(static_cast<quint64>(padded.size()), 8) + padded + data;
}

void writeArchive(const std::string& path, const QByteArray& pickle, const QByteArray& storage) {
    caffe2::serialize::PyTorchStreamWriter archive(path);
    archive.writeRecord("data.pkl", pickle.data(), static_cast<std::size_t>(pickle.size()));
    archive.writeRecord("data/0", storage.data(), static_cast<std::size_t>(storage.size()));
    archive.writeEndOfFile();
}

QByteArray tensorPickle(const QByteArray& offset, const QByteArray& sizes, const QByteArray& strides,
                        const QByteArray& storageClass) {
    const QByteArray storage = "(X" + littleEndian(7, 4) + "storagec" + storageClass + "\nX" + littleEndian(1, 4) +
                               "0X" + littleEndian(3, 4) + "cpuK\x04tQ";
    return "\x80\x02"
           "ctorch._utils\n_rebuild_tensor_v2\n(" +
           storage + offset + sizes + strides +
           "\x89"
           "ccollections\nOrderedDict\n)RtR.";
}

}  // namespace aotscope::test
