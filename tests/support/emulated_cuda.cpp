#include "support/emulated_cuda.h"
#include "support/patience.h"

#include "support/scratch.h"

#include <QProcess>
#include <QStandardPaths>

#include <map>

#include <dlfcn.h>

namespace aotscope::test {

QString hostCompiler() {
    for (const char* name : {"g++", "clang++", "c++"})
        if (const QString path = QStandardPaths::findExecutable(QString::fromLatin1(name)); !path.isEmpty())
            return path;
    return {};
}

namespace {

using Launch = bool (*)(unsigned, unsigned, unsigned, void**);

/// The text as a library of this process, which keeps it; null: `why` says why not.
Launch compiled(const std::string& text, QString& why) {
    static std::map<std::string, Launch> known;
    if (const auto it = known.find(text); it != known.end()) return it->second;
    const Scratch scratch;
    const QString source = scratch.write(
        QStringLiteral("kernel.cpp"),
        "#include \"" AOTSCOPE_SOURCE_DIR "/tests/support/host_cuda.h\"\n" + QByteArray::fromStdString(text) +
            "extern \"C\" bool launchKernel(unsigned blocks, unsigned x, unsigned y, void** values) {\n"
            "    return host::run(" +
            kCudaName + ", blocks, x, y, values);\n}\n");
    const QString library = scratch.at(QStringLiteral("kernel.so"));
    QProcess compiler;
    compiler.setProcessChannelMode(QProcess::MergedChannels);
    compiler.start(hostCompiler(), {QStringLiteral("-std=c++17"), QStringLiteral("-O0"), QStringLiteral("-w"),
                                    QStringLiteral("-fwrapv"), QStringLiteral("-ffp-contract=off"),
                                    QStringLiteral("-fno-strict-aliasing"), QStringLiteral("-fPIC"),
                                    QStringLiteral("-shared"), QStringLiteral("-o"), library, source});
    if (!compiler.waitForFinished(kPatience) || compiler.exitCode() != 0) {
        why = QString::fromUtf8(compiler.readAll()) + QString::fromStdString(text);
        return nullptr;
    }
    void* handle = dlopen(qPrintable(library), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        why = QString::fromUtf8(dlerror());
        return nullptr;
    }
    return known[text] = reinterpret_cast<Launch>(dlsym(handle, "launchKernel"));
}

}  // namespace

QString runEmulated(const std::string& text, const CudaLaunch& launch) {
    QString why;
    const Launch launchKernel = compiled(text, why);
    if (!launchKernel) return why;
    std::vector<std::uint64_t> values = launch.values;
    std::vector<void*> parameters;
    for (std::uint64_t& value : values) parameters.push_back(&value);
    const bool met = launchKernel(launch.blocks, launch.threadsX, launch.threadsY, parameters.data());
    return met ? QString()
               : QStringLiteral("the threads of a block do not meet at the same points:\n%1")
                     .arg(QString::fromStdString(text));
}

}  // namespace aotscope::test
