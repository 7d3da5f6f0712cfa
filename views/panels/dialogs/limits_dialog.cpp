#include "panels/dialogs/limits_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace aotscope {

namespace {

constexpr std::int64_t kMegabyte = 1'000'000;

}  // namespace

LimitsDialog::LimitsDialog(const Limits& limits, QWidget* parent)
    : QDialog(parent), seconds_(new QDoubleSpinBox(this)), megabytes_(new QSpinBox(this)) {
    setWindowTitle(tr("Limits"));
    auto* help =
        new QLabel(tr("A model file contains code, which may run forever or use up all memory. Beyond these limits, "
                      "loading and tracing stop with an error. Automatic limits depend on the size of the file and "
                      "of the inputs."),
                   this);
    help->setWordWrap(true);
    seconds_->setObjectName(QStringLiteral("timeLimit"));
    seconds_->setRange(0, 1e6);
    seconds_->setDecimals(1);
    seconds_->setSuffix(tr(" s"));
    seconds_->setSpecialValueText(tr("automatic"));
    seconds_->setValue(limits.seconds);
    seconds_->setToolTip(tr("CPU time of this program; other programs do not count"));
    megabytes_->setObjectName(QStringLiteral("memoryLimit"));
    megabytes_->setRange(0, 100'000'000);
    megabytes_->setSingleStep(256);
    megabytes_->setSuffix(tr(" MB"));
    megabytes_->setSpecialValueText(tr("automatic"));
    megabytes_->setValue(static_cast<int>(std::min<std::int64_t>(limits.bytes / kMegabyte, megabytes_->maximum())));
    megabytes_->setToolTip(tr("Memory in addition to what the program uses before it loads or traces"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);

    auto* form = new QFormLayout;
    form->addRow(tr("&Time:"), seconds_);
    form->addRow(tr("&Memory:"), megabytes_);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(help);
    layout->addLayout(form);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

Limits LimitsDialog::limits() const { return {seconds_->value(), megabytes_->value() * kMegabyte}; }

}  // namespace aotscope
