#include "program/files/npy_file.h"

#include "aten/convert.h"
#include "program/files/tensor_bytes.h"
#include "support/error.h"
#include "support/quoted.h"
#include "support/token_reader.h"

#include <algorithm>
#include <bit>

namespace aotscope {

namespace {

struct Header {
    std::string descr;
    bool fortranOrder = false;
    std::vector<std::int64_t> shape;
};

/// Reads the header of a .npy file: a Python dict of strings, booleans and a tuple of integers.
class HeaderReader : TokenReader {
public:
    explicit HeaderReader(std::string_view text) : TokenReader(text, " \t\n\v\f\r") {}

    Header read() {
        Header header;
        bool descr = false, order = false, shape = false;
        expect('{');
        while (!accept('}')) {
            const std::string key = text();
            expect(':');
            if (key == "descr") header.descr = typeText(), descr = true;
            else if (key == "fortran_order") header.fortranOrder = truth(), order = true;
            else if (key == "shape") header.shape = integers(), shape = true;
            else throw Error("its header has an unknown entry " + inQuotes(key));
            if (!accept(',') && !at('}')) damaged();
        }
        if (!descr || !order || !shape) throw Error("its header lacks 'descr', 'fortran_order' or 'shape'");
        return header;
    }

private:
    [[noreturn]] static void damaged() { throw Error("its header is damaged"); }

    bool at(char c) {
        skipBlanks();
        return peek() == c;
    }
    void expect(char c) {
        if (!accept(c)) damaged();
    }

    std::string text() {
        const char quote = at('"') ? '"' : '\'';
        expect(quote);
        const std::size_t start = at_, end = text_.find(quote, start);
        if (end == std::string_view::npos) damaged();
        at_ = end + 1;
        return std::string(text_.substr(start, end - start));
    }
    std::string typeText() {
        if (at('[')) throw Error("it holds an array of records; expected an array of numbers");
        return text();
    }
    bool truth() {
        if (accept("True")) return true;
        if (!accept("False")) damaged();
        return false;
    }
    std::vector<std::int64_t> integers() {
        std::vector<std::int64_t> values;
        expect('(');
        while (!accept(')')) {
            const auto value = tryNumber<std::int64_t>();
            if (!value) damaged();
            accept('L');  // Python 2 wrote long integers this way
            values.push_back(*value);
            if (!accept(',') && !at(')')) damaged();
        }
        return values;
    }
};

at::ScalarType numpyElementType(const std::string& descr) {
    const std::string_view type = descr.empty() ? std::string_view() : std::string_view(descr).substr(1);
    const auto dtype = dtypeSpelled(&DTypeSpellings::numpy, type);
    if (!dtype || std::string_view("<>|=").find(descr[0]) == std::string_view::npos)
        throw Error("its elements have NumPy's dtype " + inQuotes(descr) +
                    ", which PyTorch does not support; convert it to a number type such as float32");
    return toScalarType(*dtype);
}

std::int64_t elementsOf(const std::vector<std::int64_t>& shape) {
    try {
        return checkedElements(shape);
    } catch (const Error& e) {
        throw Error(std::string("it holds a tensor ") + e.what());
    }
}

/// Reverses the bytes of every number; complex numbers are two.
void swapBytes(const at::Tensor& tensor) {
    const std::size_t size = tensor.element_size() / (tensor.is_complex() ? 2 : 1);
    char* const data = static_cast<char*>(tensor.mutable_data_ptr());
    for (char* p = data; p < data + tensor.nbytes(); p += size) std::reverse(p, p + size);
}

}  // namespace

at::Tensor readNpy(const std::shared_ptr<MappedFile>& file) {
    constexpr std::size_t magicLength = 8;
    const std::string_view bytes = file->text();
    if (bytes.size() < magicLength) throw Error("it ends within its header");
    const int version = static_cast<unsigned char>(bytes[6]);
    if (version < 1 || version > 3)
        throw Error("it has version " + std::to_string(version) + " of NumPy's format; expected 1 to 3");
    const std::size_t lengthBytes = version == 1 ? 2 : 4;
    if (bytes.size() < magicLength + lengthBytes) throw Error("it ends within its header");
    std::size_t headerLength = 0;
    for (std::size_t i = lengthBytes; i-- > 0;)
        headerLength = headerLength << 8 | static_cast<unsigned char>(bytes[magicLength + i]);
    const std::size_t start = magicLength + lengthBytes + headerLength;
    if (start > bytes.size())
        throw Error("its header claims to be " + std::to_string(headerLength) + " bytes long, more than the file has");

    const Header header = HeaderReader(bytes.substr(magicLength + lengthBytes, headerLength)).read();
    const at::ScalarType dtype = numpyElementType(header.descr);
    const auto needed = static_cast<std::size_t>(elementsOf(header.shape)) * c10::elementSize(dtype);
    if (needed > bytes.size() - start)
        throw Error("its header asks for " + std::to_string(needed) + " bytes of elements, the file has " +
                    std::to_string(bytes.size() - start));

    std::vector<std::int64_t> sizes = header.shape;
    if (header.fortranOrder) std::reverse(sizes.begin(), sizes.end());
    at::Tensor tensor = tensorInFile(file, start, sizes, dtype);
    const bool swapped = (header.descr[0] == '>' && std::endian::native == std::endian::little) ||
                         (header.descr[0] == '<' && std::endian::native == std::endian::big);
    if (swapped && tensor.element_size() > 1) swapBytes(tensor);
    if (!header.fortranOrder) return tensor;
    std::vector<std::int64_t> order(sizes.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int64_t>(order.size() - 1 - i);
    return tensor.permute(order);
}

}  // namespace aotscope
