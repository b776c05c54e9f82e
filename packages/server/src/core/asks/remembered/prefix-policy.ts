/** What may be remembered with "and any arguments", and which arguments are asked about all the same. */

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

// They run what their arguments say, act for somebody else, change the shell itself, destroy, or write wherever an argument points.
const ONLY_EXACT = words(
	`rm rmdir unlink shred dd mkfs fdisk parted mount umount sudo doas su pkexec runuser chroot nsenter unshare setpriv
	env xargs parallel nohup nice ionice timeout watch stdbuf setsid script flock strace ltrace gdb lldb entr time busybox toybox
	eval exec source . command builtin trap alias unalias export declare typeset local readonly set shopt enable hash bind complete
	unset read mapfile readarray let pushd popd umask ulimit exit return logout kill pkill killall jobs fg bg disown wait history fc
	sh bash dash ash zsh ksh mksh fish csh tcsh pwsh powershell cmd python pypy ipython node nodejs ts-node tsx deno ruby irb perl php
	lua luajit r rscript julia osascript tclsh wish expect awk gawk mawk nawk sed ed ex vi vim nvim view emacs nano less more man
	psql mysql mariadb sqlite sqlite3 redis-cli mongosh m4 bc dc gcc cc clang ld as
	cp mv ln install tee truncate touch chmod chown chgrp chattr setfacl tar zip unzip 7z cpio rsync patch find fd fdfind
	ssh scp sftp curl wget nc ncat netcat socat telnet ftp openssl gpg mail sendmail
	npx pnpx bunx uvx uv pipx pip pip3 gem brew apt apt-get dnf yum pacman snap nix nix-shell
	docker podman nerdctl kubectl helm terraform ansible vagrant systemctl service crontab at batch launchctl gh glab aws gcloud az
	grm gmv gcp gln gdd gsed gfind gxargs genv gtee gtar gchmod gtimeout rimraf del trash sudoedit visudo rbash pythonw jshell java javac scala kotlin
	groovy clojure ghci runghc elixir iex erl swift ocaml guile racket sbcl nodemon concurrently cross-env dotenv direnv hyperfine
	reboot shutdown halt poweroff init tmux screen open xdg-open start printf test [ git npm pnpm yarn bun cargo go make`,
);

// They look at things inside of the folder and print; the name alone says what they do.
const SIMPLE = words(
	"ls cat head tail wc grep egrep fgrep rg pwd echo true false date whoami uname du df stat basename dirname realpath readlink diff cmp sort uniq cut tr nl jq tsc eslint prettier biome vitest jest pytest ruff mypy",
);

// Programs with commands of their own; only these of them, and never with an option before the command.
const COMMANDS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
	["git", words("status diff log show blame shortlog describe rev-parse ls-files ls-tree rev-list merge-base name-rev grep add commit")],
	["npm", words("test run ls outdated why")],
	["pnpm", words("test run ls outdated why")],
	["yarn", words("test run why")],
	["bun", words("test run")],
	["cargo", words("build test check clippy fmt doc tree")],
	["go", words("build test vet fmt list")],
]);
// After one dash they know single letters and numbers; others take `-exec` and `-outDir` for words.
const LETTERS_ONLY = words("git ls cat head tail wc grep egrep fgrep rg du df stat sort uniq cut tr nl diff date");
// Each further word is one more thing to do: `make test deploy`.
const TASK_RUNNERS = words("make gmake just rake task gradle gradlew mvn mvnw ant gulp grunt invoke nx turbo lerna");
const RUNS_SCRIPTS = words("npm pnpm yarn bun");

// Long options, with one dash or two, that name a program to run, a file to write, a place to work in or a configuration to obey.
const GUARDED = [
	...words(
		`exec exec-path exec-batch execdir ok okdir delete fprint fls command eval init-file rcfile upload-pack receive-pack ext-diff textconv
		open-files-in-pager pager pre pre-glob to-command checkpoint-action use-compress-program compress-program rsh script-shell shell toolexec
		output output-file output-directory out-dir outdir outfile target-dir config config-env config-file configuration require import loader
		experimental-loader plugin plugins pluginrootdir rulesdir resolve-plugins-relative-to parser node-options prefix git-dir work-tree
		userconfig globalconfig makefile directory cwd chdir dir root rootdir manifest-path modfile overlay vettool linker rustc-wrapper
		template file files0-from filters inspect inspect-brk globalsetup setupfiles reporter reporters testrunner environment transform
		cache-location cache-dir basetemp override-ini fix write set ignore-scripts workspace
		hostname-bin ldflags gcflags asmflags gccgoflags compiler extld profile-output`,
	),
];
const GUARDED_LETTERS: ReadonlyMap<string, string> = new Map([
	["git", "cCOoxtF"],
	["sort", "oTS"],
	["date", "s"],
	["jq", "fL"],
	["grep", "f"],
	["rg", "f"],
	["tail", "F"],
	["pytest", "cpo"],
	["tsc", "pbw"],
	["eslint", "cof"],
	["vitest", "cr"],
	["jest", "c"],
	["cargo", "CZ"],
	["go", "oCn"],
]);
const GUARDED_ELSEWHERE = "cCeoxfFrpI";

const SUBCOMMAND = /^[a-z][a-z0-9]*([:_-][a-z0-9]+)*$/;

/** `/usr/bin/Python3.12` and `python` are one program; file systems that know no case make `RM` out of `rm`. */
const programOf = (word: string) => {
	const name = word.slice(word.lastIndexOf("/") + 1).toLowerCase();
	const plain = name.replace(/\.exe$/, "").replace(/[-.\d]+$/, "");
	return plain === "" ? name : plain;
};

/** The beginning of these words that may be remembered with any arguments; undefined: only exactly as they stand. */
export function prefixOf(command: readonly string[]): string[] | undefined {
	const [program = "", first, second] = command;
	if (SIMPLE.has(program)) return [program];
	const known = COMMANDS.get(program);
	if (known !== undefined) {
		if (first === undefined || !known.has(first)) return undefined;
		if (first !== "run" || !RUNS_SCRIPTS.has(program)) return [program, first];
		return second !== undefined && SUBCOMMAND.test(second) ? [program, first, second] : undefined;
	}
	if (program === "make") return first !== undefined && SUBCOMMAND.test(first) ? [program, first] : undefined;
	if (ONLY_EXACT.has(programOf(program)) || COMMANDS.has(programOf(program))) return undefined;
	// A script of the folder; whether it lies there is looked at like every other path.
	if (program.startsWith("./")) return first !== undefined && SUBCOMMAND.test(first) ? [program, first] : [program];
	if (program.includes("/") || !/^[a-z][a-z0-9_-]*$/.test(program)) return undefined;
	return first !== undefined && SUBCOMMAND.test(first) ? [program, first] : undefined;
}

/** Whether what is written to its input is data to this program; others may take it for commands. */
export const onlyReadsInput = (program: string) => SIMPLE.has(program) || program === "git";

/** An argument that turns "any arguments" into something that nobody agreed to. */
export function isGuarded(program: string, argument: string): boolean {
	if (program === "make") return true;
	if (TASK_RUNNERS.has(programOf(program)) && !argument.startsWith("-")) return true;
	// The second file of `uniq` is written, and what `date` gets is the time to set.
	if (!/^-./.test(argument)) return program === "uniq" || (program === "date" && !argument.startsWith("+"));
	if (argument === "--") return false;
	const name = /^--?([^=]*)/.exec(argument)?.[1]?.toLowerCase() ?? "";
	const plain = name.replace(/^no-/, "").split(".")[0] ?? "";
	const mayBeLong = argument.startsWith("--") || !LETTERS_ONLY.has(program);
	// Many programs take the beginning of an option for the whole of it: `--upload-p`.
	if (
		mayBeLong &&
		plain.length > 1 &&
		GUARDED.some((guarded) => guarded.startsWith(plain) || (guarded.length > 3 && plain.startsWith(guarded)))
	)
		return true;
	if (argument.startsWith("--")) return plain.length < 2;
	// Letters may stand together, and their value may follow at once: `-no/etc/passwd`.
	const letters = SIMPLE.has(program) || COMMANDS.has(program) ? (GUARDED_LETTERS.get(program) ?? "") : GUARDED_ELSEWHERE;
	return [...letters].some((letter) => argument.includes(letter));
}
