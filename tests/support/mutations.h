#pragma once

#include <QByteArray>

#include <random>

namespace aotscope::test {

using Random64 = std::mt19937_64;

/// `content`, damaged in one random way.
using Mutation = QByteArray (*)(const QByteArray& content, Random64& random);

QByteArray truncated(const QByteArray& content, Random64& random);
/// One to eight bits or bytes changed.
QByteArray flipped(const QByteArray& content, Random64& random);
/// A number in a header or the directory of a zip archive replaced by one that readers may trust.
QByteArray zipFieldChanged(const QByteArray& content, Random64& random);
/// One record of a PyTorch archive damaged, and packed again with a valid header and checksum.
QByteArray recordChanged(const QByteArray& content, Random64& random);
/// A number in a text replaced by a very large, negative or broken one.
QByteArray digitsChanged(const QByteArray& content, Random64& random);
/// One word of a text replaced by another of the same text.
QByteArray wordReplaced(const QByteArray& content, Random64& random);
/// A line of a text removed, duplicated, or moved.
QByteArray lineMoved(const QByteArray& content, Random64& random);
/// Thousands of opening brackets inserted into a text, with as many closing ones or without.
QByteArray nestedDeeply(const QByteArray& content, Random64& random);
/// One of the three above, or of the numbers, in the program of a torch.export file.
QByteArray programChanged(const QByteArray& content, Random64& random);
/// Likewise in the list of its weights.
QByteArray weightListChanged(const QByteArray& content, Random64& random);
/// A small integer of the pickle in an archive replaced by a large or negative one.
QByteArray pickleIntegerChanged(const QByteArray& content, Random64& random);

}  // namespace aotscope::test
