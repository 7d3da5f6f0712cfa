#pragma once

#include <QByteArray>

#include <string>

namespace aotscope::test {

/// The bytes of a .npy file: magic, header padded to 64 bytes, data.
QByteArray npyBytes(const std::string& header, const QByteArray& data, int version = 1);
/// The usual header.
std::string npyHeader(const std::string& descr, const std::string& shape, bool fortranOrder = false);

/// The bytes of a .safetensors file with this JSON header, padded so that the data is aligned.
QByteArray safetensorsBytes(const QByteArray& header, const QByteArray& data);

/// The bytes of consecutive values in this machine's byte order.
template <typename T>
QByteArray bytesOf(std::initializer_list<T> values) {
    return {reinterpret_cast<const char*>(values.begin()), static_cast<qsizetype>(values.size() * sizeof(T))};
}

/// Writes an archive as torch.save does, with this pickle and one record "data/0".
void writeArchive(const std::string& path, const QByteArray& pickle, const QByteArray& storage);

/// A pickle whose root is torch._utils._rebuild_tensor_v2 of the archive's storage, with these opcodes for the offset,
/// the sizes and the strides.
QByteArray tensorPickle(const QByteArray& offset, const QByteArray& sizes, const QByteArray& strides,
                        const QByteArray& storageClass = "torch\nFloatStorage");

}  // namespace aotscope::test
