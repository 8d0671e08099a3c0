package main

import (
	"context"
	"flag"
	"fmt"
	"strings"

	"tune2048/configs"
)

// completable is a subcommand as a shell completes it.
type completable struct {
	command
	flags []completableFlag
	words []string // that an argument may be, beside files
}

type completableFlag struct {
	name, doc string
	takes     string // what follows it; empty: nothing
}

// completables asks each subcommand for its flags.
func completables(ctx context.Context) (list []completable) {
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
		one := completable{command: c}
		in := &invocation{command: c, inspect: func(f *flag.FlagSet) {
			f.VisitAll(func(g *flag.Flag) {
				takes, doc := flag.UnquoteUsage(g)
				one.flags = append(one.flags, completableFlag{g.Name, doc, takes})
			})
		}}
		if c.run(ctx, in) != flag.ErrHelp {
			panic("tune " + c.name + " does not parse its flags first")
		}
		switch c.name {
		case "init":
			one.words = configs.Names()
		case "query":
			one.words = queryNames()
		case "completion":
			one.words = []string{"bash", "fish", "zsh"}
		}
		list = append(list, one)
	}
	for _, t := range topics {
		names = append(names, t.name)
	}
	return append(list, completable{command: command{name: "help", summary: "show the flags of a subcommand"}, words: names})
}

// completion prints the script by which a shell completes tune's command lines.
func completion(ctx context.Context, in *invocation) error {
	shell, err := in.parseOne(in.flags(), "bash, fish or zsh")
	if err != nil {
		return err
	}
	write, known := map[string]func([]completable) string{"bash": bashCompletion, "fish": fishCompletion, "zsh": zshCompletion}[shell]
	if !known {
		return usagef("completion: want bash, fish or zsh, got %s", shell)
	}
	_, err = fmt.Fprint(in.stdout, write(completables(ctx)))
	return err
}

// cases writes the shell's branches of a case over the subcommands.
func cases(list []completable, branch func(completable) string) string {
	var b strings.Builder
	for _, c := range list {
		fmt.Fprintf(&b, "\t%s) %s ;;\n", c.name, branch(c))
	}
	return b.String()
}

func bashCompletion(list []completable) string {
	var names []string
	for _, c := range list {
		names = append(names, c.name)
	}
	return `# tune for bash: source <(tune completion bash)
_tune() {
	local current=${COMP_WORDS[COMP_CWORD]} command=run flags= words=
	COMPREPLY=()
	if [[ $COMP_CWORD -eq 1 && $current != -* ]]; then
		COMPREPLY=($(compgen -W '` + strings.Join(names, " ") + `' -- "$current"))
		return
	fi
	[[ ${COMP_WORDS[1]} != -* ]] && command=${COMP_WORDS[1]}
	case $command in
` + cases(list, func(c completable) string {
		var flags []string
		for _, f := range c.flags {
			flags = append(flags, "-"+f.name)
		}
		return fmt.Sprintf("flags='%s' words='%s'", strings.Join(flags, " "), strings.Join(c.words, " "))
	}) + `	esac
	if [[ $current == -* ]]; then
		COMPREPLY=($(compgen -W "$flags" -- "$current"))
	elif [[ ${COMP_WORDS[COMP_CWORD-1]} != -* ]]; then
		COMPREPLY=($(compgen -W "$words" -- "$current"))
	fi
}
complete -o default -F _tune tune
`
}

func zshCompletion(list []completable) string {
	described := func(name, doc string) string {
		return "'" + strings.ReplaceAll(strings.ReplaceAll(name+":"+strings.ReplaceAll(doc, ":", `\:`), "'", `'\''`), "\n", " ") + "'"
	}
	var names []string
	for _, c := range list {
		names = append(names, described(c.name, c.summary))
	}
	return `#compdef tune
# tune for zsh: source <(tune completion zsh), after compinit
_tune() {
	local command=run
	local -a subcommands flags arguments
	subcommands=(` + strings.Join(names, " ") + `)
	if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
		_describe subcommand subcommands
		return
	fi
	[[ $words[2] != -* ]] && command=$words[2]
	case $command in
` + cases(list, func(c completable) string {
		var flags []string
		for _, f := range c.flags {
			flags = append(flags, described("-"+f.name, f.doc))
		}
		return fmt.Sprintf("flags=(%s) arguments=(%s)", strings.Join(flags, " "), strings.Join(c.words, " "))
	}) + `	esac
	if [[ $words[CURRENT] == -* ]]; then
		_describe -o flag flags
	elif (( $#arguments )) && [[ $words[CURRENT-1] != -* ]]; then
		_describe argument arguments
	else
		_files
	fi
}
if [[ $funcstack[1] == _tune ]]; then
	_tune "$@"
else
	compdef _tune tune
fi
`
}

func fishCompletion(list []completable) string {
	text := func(s string) string {
		return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`, "\n", " ").Replace(s) + "'"
	}
	var names []string
	for _, c := range list {
		names = append(names, c.name)
	}
	var b strings.Builder
	b.WriteString("# tune for fish: tune completion fish | source\n")
	for _, c := range list {
		fmt.Fprintf(&b, "complete -c tune -n __fish_use_subcommand -f -a %s -d %s\n", c.name, text(c.summary))
		when := "__fish_seen_subcommand_from " + c.name
		if c.name == "run" { // which needs no name
			when += "; or not __fish_seen_subcommand_from " + strings.Join(names, " ")
		}
		for _, f := range c.flags {
			takes := ""
			if f.takes == "FILE" {
				takes = " -r"
			} else if f.takes != "" {
				takes = " -x"
			}
			fmt.Fprintf(&b, "complete -c tune -n %s -o %s%s -d %s\n", text(when), f.name, takes, text(f.doc))
		}
		if c.words != nil {
			fmt.Fprintf(&b, "complete -c tune -n %s -f -a %s\n", text(when), text(strings.Join(c.words, " ")))
		}
	}
	return b.String()
}
