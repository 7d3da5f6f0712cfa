#pragma once

#include "window/options/option_lists.h"

#include <QFormLayout>

namespace aotscope {

/// The compiler of one kind of graph: built in, or of a plug-in. Backward and inference may use that of the forward.
class CompilerControl final : public ListControl {
    Q_OBJECT

public:
    CompilerControl(const OptionEntry& entry, std::shared_ptr<const Engine> engine, QWidget* parent);

    void show(const Options& options) override;
    void writeTo(Options& options) const override;
    /// Adds the compiler of a plug-in, and chooses it.
    void takeFile(const QString& file) override;

Q_SIGNALS:
    void pluginTaken(const QString& file);

private:
    void fill();
    void choose(int item);

    std::shared_ptr<const Engine> engine_;
    std::string name_;     ///< empty: as the forward
    std::string forward_;  ///< the forward's
    std::vector<std::filesystem::path> plugins_;
};

/// The settings of the compilers in use, with their defaults.
class CompilerSettingsControl final : public OptionControl {
    Q_OBJECT

public:
    CompilerSettingsControl(const OptionEntry& entry, std::shared_ptr<const Engine> engine, QWidget* parent);

    void show(const Options& options) override;
    void writeTo(Options& options) const override;

private:
    struct Row {
        std::string key;  ///< "fused.reductions"
        CompilerSetting setting;
    };
    std::vector<Row> rowsOf(const CompilerChoice& choice) const;
    void build(std::vector<Row> rows);
    void addRow(const Row& row);
    void take(const Row& row, const QString& value);

    std::shared_ptr<const Engine> engine_;
    std::vector<Row> rows_;
    std::map<std::string, std::string> settings_;
};

}  // namespace aotscope
