package main

import (
	"context"
	"flag"
	"fmt"
	"strings"

	"tune2048/configs"
)

// completionScripts make a shell ask this program, by tune completion words, for the words that the
// last word of a command line may become. Each answer is a line: the word, a tab and its meaning.
// No script evaluates anything that was typed. Where there is no answer, shells complete files.
var completionScripts = map[string]string{
	"bash": `# tune for bash: source <(tune completion bash)
_tune() {
	local IFS=$'\n'
	COMPREPLY=($("${COMP_WORDS[0]/#\~/$HOME}" completion words "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1))
}
complete -o default -F _tune tune
`,
	"fish": `# tune for fish: tune completion fish | source
function __tune_words
	command tune completion words (commandline -opc)[2..] (commandline -ct) 2>/dev/null
end
complete -c tune -n 'count (__tune_words) >/dev/null' -f -a '(__tune_words)'
`,
	"zsh": `#compdef tune
# tune for zsh: source <(tune completion zsh), after compinit
_tune() {
	local -a found
	found=("${(@f)$(tune completion words "${(@)words[2,CURRENT]}" 2>/dev/null | sed 's/:/\\:/g; s/	/:/')}")
	if [[ -z $found[1] ]]; then
		_files
	elif [[ $words[CURRENT] == -* ]]; then
		_describe -o flag found
	else
		_describe word found
	fi
}
if [[ $funcstack[1] == _tune ]]; then
	_tune "$@"
else
	compdef _tune tune
fi
`,
}

// completion prints the script by which a shell completes tune's command lines.
func completion(ctx context.Context, in *invocation) error {
	if len(in.args) > 1 && in.args[0] == "words" {
		return in.completeWord(ctx, in.args[1:len(in.args)-1], in.args[len(in.args)-1])
	}
	arguments, err := in.parse(in.flags())
	if err != nil {
		return err
	}
	shell := strings.Join(arguments, " ")
	script, known := completionScripts[shell]
	if !known {
		return usagef("completion: want bash, fish or zsh, got %q", shell)
	}
	_, err = fmt.Fprint(in.stdout, script)
	return err
}

// completeWord prints the words that begin with this one, after the words that stand before it.
func (in *invocation) completeWord(ctx context.Context, before []string, begin string) error {
	offer := func(word, meaning string) {
		if strings.HasPrefix(word, begin) {
			fmt.Fprintln(in.stdout, strings.TrimRight(word+"\t"+strings.ReplaceAll(meaning, "\n", " "), "\t"))
		}
	}
	name := "run"
	if len(before) > 0 && !strings.HasPrefix(before[0], "-") {
		name = before[0]
	}
	for _, c := range commands() {
		if !strings.HasPrefix(begin, "-") && (len(before) == 0 || name == "help" && len(before) == 1) {
			offer(c.name, c.summary)
		}
		if c.name != name || !strings.HasPrefix(begin, "-") {
			continue
		}
		c.run(ctx, &invocation{command: c, inspect: func(f *flag.FlagSet) {
			f.VisitAll(func(g *flag.Flag) {
				_, meaning := flag.UnquoteUsage(g)
				offer("-"+g.Name, meaning)
			})
		}})
	}
	switch {
	case len(before) == 0:
		offer("help", "show the flags of a subcommand")
	case name == "help":
		for _, t := range topics {
			offer(t.name, t.summary)
		}
	case !strings.HasPrefix(before[len(before)-1], "-"): // otherwise it may be the value of a flag
		words := map[string][]string{"init": configs.Names(), "query": queryNames(), "completion": {"bash", "fish", "zsh"}}
		for _, word := range words[name] {
			offer(word, "")
		}
	}
	return nil
}
