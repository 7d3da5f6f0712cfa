"""Completions for bash, zsh and fish, made from the program's --help."""

import argparse
from pathlib import Path

import help_text

PLACES = {
    "bash": "bash-completion/completions/aotscope",
    "zsh": "zsh/site-functions/_aotscope",
    "fish": "fish/vendor_completions.d/aotscope.fish",
}
HEAD = "Made from the --help of aotscope when it was packaged.\n"


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def parsers(top, commands):
    """Pairs of a command's name, "" for none, and its help."""
    return [("", top), *commands.items()]


def bash(top, commands, samples):
    names = " ".join(commands)
    models, options, choices = [], [], {}
    for command, help in parsers(top, commands):
        words = " ".join(name for option in help.options for name in option.names)
        options.append(f'        {command or quoted("")}) options="{words}" ;;')
        if help.positionals:
            models.append(command or quoted(""))
        for option in help.options:
            if option.takes_value:
                found = "FILES" if option.takes_file and not option.values else " ".join(option.values)
                choices.setdefault(found, []).extend(f"{command}:{name}" for name in option.names)
    lines = []
    for found, patterns in choices.items():
        action = "_aotscope_files" if found == "FILES" else f'COMPREPLY=($(compgen -W "{found}" -- "$current"))'
        lines.append("        " + " | ".join(patterns) + f")\n            {action}\n            return\n            ;;")
    cases = "\n".join(lines)
    plain = " ".join(sample.removeprefix("sample:") for sample in samples)
    some = "\n".join(options)
    return f"""# {HEAD}
_aotscope_files() {{
    compopt -o filenames 2> /dev/null
    COMPREPLY=($(compgen -f -- "$current"))
}}

_aotscope() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} before= command= options= word
    ((COMP_CWORD < 2)) || before=${{COMP_WORDS[COMP_CWORD - 2]}}
    for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
        case " {names} " in *" $word "*)
            command=$word
            break
            ;;
        esac
    done
    # Bash takes "=" and ":" for words of their own.
    if [[ $current == = ]]; then
        current=
    elif [[ $previous == = ]]; then
        previous=$before
    elif [[ $current == : && $previous == sample ]]; then
        COMPREPLY=($(compgen -W "{plain}"))
        return
    elif [[ $previous == : && $before == sample ]]; then
        COMPREPLY=($(compgen -W "{plain}" -- "$current"))
        return
    fi
    case $command:$previous in
{cases}
    esac
    if [[ $current == -* ]]; then
        case $command in
{some}
        esac
        COMPREPLY=($(compgen -W "$options" -- "$current"))
        return
    fi
    case $command in
        {" | ".join(models)})
            _aotscope_files
            COMPREPLY+=($(compgen -W "sample:" -- "$current"))
            if [[ ${{#COMPREPLY[@]}} == 1 && ${{COMPREPLY[0]}} == sample: ]]; then compopt -o nospace 2> /dev/null; fi
            ;;
    esac
    if [[ -z $command ]]; then COMPREPLY+=($(compgen -W "{names}" -- "$current")); fi
}}
complete -F _aotscope aotscope
"""


def zsh(top, commands, samples):
    def plain(text):
        for character in "\\[]:":
            text = text.replace(character, "\\" + character)
        return text

    def value(option):
        if not option.takes_value:
            return ""
        if option.values:
            return f":value:({' '.join(plain(value) for value in option.values)})"
        return ":file:_files" if option.takes_file else ":value: "

    def specs(help):
        lines = []
        for option in help.options:
            others = "(" + " ".join(option.names) + ")" if len(option.names) > 1 else ""
            for name in option.names:
                repeated = "*" if "..." in option.kind else others
                lines.append(
                    quoted(
                        f"{repeated}{name}{'=' * name.startswith('--') if value(option) else ''}"
                        f"[{plain(option.help)}]{value(option)}"
                    )
                )
        return lines

    listed = "\n".join("        " + quoted(f"{name}:{plain(text)}") for name, text in top.commands.items())
    cases = []
    for command, help in commands.items():
        lines = specs(help)
        if help.positionals:
            lines.append("'*:model:_aotscope_model'")
        body = " \\\n                ".join(lines)
        cases.append(f"        {command})\n            _arguments -S \\\n                {body}\n            ;;")
    options, cases = " \\\n        ".join(specs(top)), "\n".join(cases)
    return f"""#compdef aotscope
# {HEAD}
_aotscope_model() {{
    _alternative 'samples:built-in model:({" ".join(plain(sample) for sample in samples)})' 'files:file:_files'
}}

_aotscope() {{
    local line state
    local -a commands=(
{listed}
    )
    _arguments -S -C \\
        {options} \\
        '1: :->first' '*:: :->rest'
    case $state in
    first)
        _describe command commands
        _aotscope_model
        ;;
    rest)
        case $line[1] in
{cases}
        esac
        ;;
    esac
}}

_aotscope "$@"
"""


def fish(top, commands, samples):
    lines = [f"# {HEAD}", "complete -c aotscope -f"]
    none = "__fish_use_subcommand"
    takers = [command for command, help in commands.items() if help.positionals]
    words = quoted(" ".join(samples))
    for command, text in top.commands.items():
        lines.append(f"complete -c aotscope -n {none} -a {command} -d {quoted(text)}")
    lines.append(f"complete -c aotscope -n {none} -F -a {words}")
    lines.append(f"complete -c aotscope -n {quoted('__fish_seen_subcommand_from ' + ' '.join(takers))} -F -a {words}")
    for command, help in parsers(top, commands):
        condition = quoted("__fish_seen_subcommand_from " + command) if command else none
        for option in help.options:
            names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names)
            value = ""
            if option.takes_value:
                value = (
                    f" -x -a {quoted(' '.join(option.values))}"
                    if option.values
                    else " -r -F" * option.takes_file or " -x"
                )
            lines.append(f"complete -c aotscope -n {condition} {names}{value} -d {quoted(option.help)}")
    return "\n".join(lines) + "\n"


def write(program, folder, zsh_file=PLACES["zsh"]):
    """Writes the three files into a folder such as /usr/share."""
    top, commands = help_text.read(program)
    samples = help_text.samples(program)
    for shell, make in (("bash", bash), ("zsh", zsh), ("fish", fish)):
        file = Path(folder) / (zsh_file if shell == "zsh" else PLACES[shell])
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(make(top, commands, samples))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=Path)
    parser.add_argument("folder", type=Path, help="such as /usr/share")
    parser.add_argument("--zsh", default=PLACES["zsh"], metavar="FILE", help="where zsh looks, in that folder")
    options = parser.parse_args()
    write(options.program, options.folder, options.zsh)


if __name__ == "__main__":
    main()
