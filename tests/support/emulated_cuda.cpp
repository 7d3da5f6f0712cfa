#include "support/emulated_cuda.h"
#include "support/patience.h"

#include "support/scratch.h"

#include <QProcess>
#include <QStandardPaths>

#include <dlfcn.h>

namespace aotscope::test {

QString hostCompiler() {
    for (const char* name : {"g++", "clang++", "c++"})
        if (const QString path = QStandardPaths::findExecutable(QString::fromLatin1(name)); !path.isEmpty())
            return path;
    return {};
}

QString runEmulated(const std::string& text, const CudaLaunch& launch) {
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
    compiler.start(hostCompiler(), {QStringLiteral("-std=c++17"), QStringLiteral("-O1"), QStringLiteral("-w"),
                                    QStringLiteral("-fwrapv"), QStringLiteral("-ffp-contract=off"),
                                    QStringLiteral("-fno-strict-aliasing"), QStringLiteral("-fPIC"),
                                    QStringLiteral("-shared"), QStringLiteral("-o"), library, source});
    if (!compiler.waitForFinished(kPatience) || compiler.exitCode() != 0)
        return QString::fromUtf8(compiler.readAll()) + QString::fromStdString(text);

    void* handle = dlopen(qPrintable(library), RTLD_NOW | RTLD_LOCAL);
    if (!handle) return QString::fromUtf8(dlerror());
    const auto launchKernel =
        reinterpret_cast<bool (*)(unsigned, unsigned, unsigned, void**)>(dlsym(handle, "launchKernel"));
    std::vector<std::uint64_t> values = launch.values;
    std::vector<void*> parameters;
    for (std::uint64_t& value : values) parameters.push_back(&value);
    const bool met = launchKernel(launch.blocks, launch.threadsX, launch.threadsY, parameters.data());
    dlclose(handle);
    return met ? QString()
               : QStringLiteral("the threads of a block do not meet at the same points:\n%1")
                     .arg(QString::fromStdString(text));
}

}  // namespace aotscope::test
