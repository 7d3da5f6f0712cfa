"""Every sample with every compiler and partitioner against eager."""

from check import Check, Failed
from command_line import fallbacks_of, report_of, samples_of

PARTITIONS = ("default", "min-cut")
LIMIT = 240
DIFFERENT = 3  # exit code


def check_one(machine, sample, *options):
    """Returns the largest relative error, and the number of fused groups."""
    report = report_of(machine, ["run", sample, "--check", *options], LIMIT, accept=(0, DIFFERENT))
    problems = report["check"]["details"] + fallbacks_of(report)
    if problems or not report["check"]["ok"]:
        raise Failed(problems[0] if problems else "differs from eager", *problems)
    error = max(float(report["check"][key]) for key in ("outputs_max_error", "grads_max_error"))
    return error, sum(len(use["groups"]) for use in report["compilers"])


def check_sample(machine, sample):
    errors, kernels, details = [], 0, []
    combinations = [(c, p) for c in machine.compilers for p in PARTITIONS]
    for compiler, partition in combinations:
        try:
            error, groups = check_one(machine, sample, "--compiler", compiler, "--partition", partition)
            errors.append(error)
            kernels += groups
        except Failed as failure:
            details.append(f"{compiler}, {partition}: {failure}")
            details += ["  " + line for line in failure.details]
    figure = f"{len(errors)} of {len(combinations)} runs equal eager"
    if errors:
        figure += f", largest error {max(errors):.1e}; {kernels} fused kernels"
    if details:
        raise Failed(figure, *details)
    return figure


def checks(machine, options):
    for sample in options.samples or reversed(samples_of(machine)):  # the large ones, which take longest, first
        yield Check(f"compilers {sample}", lambda sample=sample: check_sample(machine, sample))
