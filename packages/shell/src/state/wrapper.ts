/**
 * The text that bash runs around a person's or the agent's command: restore the state, run the command, write the state down.
 * One line, so that line numbers in error messages are those of the command; every builtin by name, because a command may
 * define a function of the same name; nothing of it shows under `set -x`.
 */
export function wrapCommand(files: CommandFiles): string {
	const restore = files.restore === null ? "" : `. ${quote(files.restore)} 2>/dev/null`;
	return [
		files.mergeErrors ? "exec 2>&1" : "",
		// An older bash would do nothing and say that all is well.
		'((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404)) || { echo "bash 4.4 or later is needed, this is $BASH_VERSION"; builtin exit 127; }',
		enterDirectory(files),
		"shopt -s expand_aliases",
		`__rs_snap(){ ${snapshot(files)}; }`,
		// `exit` would skip the snapshot when the command has an EXIT trap of its own.
		`exit(){ { builtin local __rs_rc=$?; builtin set +x; __rs_snap; } 2>/dev/null; builtin exit "\${@:-$__rs_rc}"; }`,
		"trap '{ __rs_snap; } 2>/dev/null' EXIT",
		restore,
		`builtin mapfile -d '' -t __rs_c < ${quote(files.command)}`,
		`builtin eval "\${__rs_c[0]}"`,
		"{ __rs_rc=$?; __rs_snap; } 2>/dev/null",
		'builtin exit "$__rs_rc"',
	]
		.filter((part) => part !== "")
		.join("; ");
}

export interface CommandFiles {
	command: string;
	/** Made beforehand with its mode: the command may have set any umask. */
	snapshot: string;
	names: string;
	/** Gets the directory that was entered, NUL, and what is wrong with the one that was wanted; empty for as long as none was entered. */
	entered: string;
	restore: string | null;
	/** Tried in this order; the first is where the command belongs. */
	directories: readonly string[];
	/** The first line of the output says that another directory had to do. */
	sayMoved: boolean;
	/** The first directory is a real path, and without it nothing runs. */
	exactly: boolean;
	/** Without a real pipe both outputs are joined here, because two pipes lose their order. */
	mergeErrors: boolean;
}

/**
 * Bash itself goes to the directory: on a mount that does not answer this waits for ever, and then only this one bash waits.
 * A fresh shell has no OLDPWD, so the way here must not become `cd -`.
 */
function enterDirectory({ directories: [wanted = "/", ...others], entered, sayMoved, exactly }: CommandFiles): string {
	const enter = (path: string) => `builtin cd -- ${quote(path)} 2>/dev/null`;
	const say = sayMoved ? `builtin printf '[%s %s; the command runs in %s]\n' ${quote(wanted)} "$__rs_why" "$PWD"` : ":";
	const why = `if [[ -d ${quote(wanted)} ]]; then __rs_why='cannot be entered'; else __rs_why='is not there any more'; fi`;
	const refuse = `{ builtin printf '%s is not what it was when this was allowed, so the command was not run.\\n' ${quote(wanted)}; builtin exit 126; }`;
	const elsewhere = `{ ${why}; ${[...others, "/"].map(enter).join(" || ")}; ${say}; }`;
	return [
		exactly
			? `__rs_why=; builtin cd -P -- ${quote(wanted)} 2>/dev/null && [[ $PWD == ${quote(wanted)} ]] || ${refuse}`
			: `__rs_why=; ${enter(wanted)} || ${elsewhere}`,
		`builtin printf '%s\\0%s' "$PWD" "$__rs_why" >| ${quote(entered)}`,
		"builtin unset -v OLDPWD; builtin declare -x OLDPWD",
	].join("; ");
}

/** Bash's own variables: read only, different in each shell, or harmful to repeat (a restored RANDOM gives the same numbers again). */
const NOT_KEPT =
	"BASH|BASHOPTS|BASHPID|BASH_*|COMP_*|DIRSTACK|EPOCHREALTIME|EPOCHSECONDS|EUID|FUNCNAME|GROUPS|HISTCMD|LINENO|PIPESTATUS|PPID|PWD|RANDOM|SECONDS|SHELLOPTS|SHLVL|SRANDOM|UID|_|__rs_*|RIGHTSEAT_*";

function snapshot(files: CommandFiles): string {
	const snap = quote(files.snapshot);
	const names = quote(files.names);
	const end = "builtin printf '\\0'";
	const list = (command: string, skip: string, body: string) =>
		`${command} >| ${names}; builtin mapfile -t __rs_n < ${names}; for __rs_i in "\${__rs_n[@]}"; do case $__rs_i in ${skip}) builtin continue;; esac; ${body}; ${end}; done`;
	const parts = [
		// Inside a function its local variables hide the global ones; keeping those would spoil IFS or PATH for good.
		`if [[ $__rs_v ]]; then builtin printf 'all\\0'; ${list("builtin compgen -v", NOT_KEPT, 'builtin declare -p -- "$__rs_i"')}; else builtin printf 'none\\0'; fi; ${end}`,
		`${list("builtin compgen -A function", "__rs_*|exit", 'builtin printf "%s\\0" "$__rs_i"; builtin declare -fp -- "$__rs_i"')}; ${end}`,
		`for __rs_i in "\${!BASH_ALIASES[@]}"; do builtin printf '%s\\0' "$__rs_i"; builtin alias -- "$__rs_i"; ${end}; done; ${end}`,
		`builtin set +o; ${end}; builtin shopt -p; ${end}; builtin umask -p; ${end}`,
		`for ((__rs_i = 1; __rs_i < \${#DIRSTACK[@]}; __rs_i++)); do builtin dirs -l "+$__rs_i"; ${end}; done; ${end}`,
		`builtin pwd; ${end}; builtin jobs -p; ${end}; builtin printf END`,
	];
	return [
		`[[ $BASHPID == "$$" && -z \${__rs_done-} ]] || builtin return 0`,
		"__rs_done=1",
		"builtin set +euxv",
		"builtin trap - DEBUG ERR RETURN",
		`__rs_v=1; for __rs_i in "\${FUNCNAME[@]:1}"; do case $__rs_i in exit|main|source) ;; *) __rs_v= ;; esac; done`,
		`{ ${parts.join("; ")}; } >| ${snap}`,
	].join("; ");
}

export function quote(text: string): string {
	return `'${text.replaceAll("'", "'\\''")}'`;
}
