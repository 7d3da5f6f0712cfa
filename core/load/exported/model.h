#pragma once

#include "load/model.h"
#include "program/files/archive.h"
#include "support/mapped_file.h"

namespace aotscope {

/// Whether these are the records of a torch.export file.
bool isExportedArchive(const ZipArchive& archive);
/// Whether it contains a program, not only the result of compiling one.
bool holdsExportedProgram(const ZipArchive& archive);

/// Fills in everything except name and path. Throws Error (without the file's name).
void loadExported(const std::shared_ptr<MappedFile>& file, const ZipArchive& archive, const LoadSettings& settings,
                  Model& model);

}  // namespace aotscope
