import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { conversationId } from "../../../packages/server/src/core/kernel/ids.ts";
import { openShellBed, type ShellBed } from "./shell-harness.ts";

let bed: ShellBed;
beforeAll(async () => {
	bed = await openShellBed();
});
afterAll(() => bed.close());

let conversations = 0;
const fresh = () => ({ conversation: conversationId(`c${++conversations}`) });
/** Runs commands one after the other in a new conversation and returns the output of the last. */
async function sequence(...commands: string[]): Promise<string> {
	const options = fresh();
	let text = "";
	for (const command of commands) text = await bed.out(command, options);
	return text;
}

test("[MC35] every command has the id of its conversation in its environment, and cannot hand another on to the next", async () => {
	const options = fresh();
	expect(await bed.out("env | grep ^RIGHTSEAT_CONVERSATION=; export RIGHTSEAT_CONVERSATION=forged", options)).toBe(
		`RIGHTSEAT_CONVERSATION=${options.conversation}`,
	);
	expect(await bed.out("env | grep ^RIGHTSEAT_CONVERSATION=", options)).toBe(`RIGHTSEAT_CONVERSATION=${options.conversation}`);
});

test.each([
	["exported variable", ["export A=1", "echo $A; env | grep ^A="], "1\nA=1"],
	["function and alias", ["f(){ echo fn $1; }; alias ll='echo LL'", "f x; ll"], "fn x\nLL"],
	["array, map, integer", [`arr=(a "b c"); declare -A m=([k]=v); declare -i n=5`, `echo "\${arr[1]} \${m[k]}"; n+=3; echo $n`], "b c v\n8"],
	[
		"read only, reference, lower case",
		["readonly R=1; declare -n ref=R; declare -l low=ABC", "echo $R $ref $low; R=2; echo $?"],
		/^1 1 abc\n.*readonly/,
	],
	["bytes and line breaks", [`x=$'a\\nb\\t"q" \\$y \\xff'; IFS=,`, 'printf %s "$x" | od -An -c; printf %s "$IFS"'], /a {2}\\n.*377\n,$/s],
	["exported function", ["g(){ echo inner; }; export -f g", "bash -c g"], "inner"],
	["alias of several lines", ["alias two='echo a\necho b'", "two"], "a\nb"],
	[
		"function that needs extended patterns",
		["shopt -s extglob\nh(){ case $1 in +(a|b)) echo yes;; esac; }\nshopt -u extglob", "type -t h; shopt -s extglob; h abab"],
		"function\nyes",
	],
	["removed variable of the environment", ["unset HOME", `echo "[\${HOME-none}]"`], "[none]"],
	[
		"changed and removed again",
		["V=1; k(){ :; }; alias q=w", "unset V; unset -f k; unalias q", `echo \${V-none}; type k q`],
		/^none\n.*k: not found\n.*q: not found$/s,
	],
])("[SH2] %s is there in the next command", async (_name, commands, expected) => {
	const text = await sequence(...commands);
	if (typeof expected === "string") expect(text).toBe(expected);
	else expect(text).toMatch(expected);
});

test.each([
	["directory", ["cd /usr", "pwd"], "/usr"],
	["directory stack", ["pushd /etc; pushd /usr", "popd >/dev/null; pwd; cd -"], "/etc\n/usr"],
	[
		"umask and options",
		["umask 027; shopt -s globstar; set -o pipefail", "umask; shopt globstar; false|true; echo $?"],
		/^0027\nglobstar\s+on\n1$/,
	],
	["symbolic link as it was entered", ["ln -s /usr/bin link; cd link", "pwd; cd ..; basename $PWD"], /\/work\/link\nwork$/],
	[
		"random numbers and seconds start anew",
		["echo $RANDOM > r1; SECONDS=1000", "echo $RANDOM > r2; cmp -s r1 r2 || echo differ; echo $SECONDS"],
		// Bash counts the turns of the clock: a command that meets one says 1.
		/^differ\n\d$/,
	],
])("[SH3] %s", async (_name, commands, expected) => {
	const text = await sequence(...commands);
	if (typeof expected === "string") expect(text).toBe(expected);
	else expect(text).toMatch(expected);
});

test("[SH3] the result of a command that changed the directory names the new one", async () => {
	const { text } = await bed.call("Bash", { command: "cd /usr" }, fresh());
	expect(text).toMatch(/^\(no output\)\n\[exit code: 0, now in \/usr, took \d+ ms\]$/);
});

test("[SH3] an activated environment stays until it is deactivated", async () => {
	mkdirSync(join(bed.work, "venv/bin"), { recursive: true });
	writeFileSync(join(bed.work, "venv/bin/tool"), "#!/bin/sh\necho from venv\n", { mode: 0o755 });
	writeFileSync(
		join(bed.work, "venv/bin/activate"),
		"deactivate(){ PATH=$_OLD; export PATH; unset _OLD; unset -f deactivate; }\n_OLD=$PATH; PATH=$PWD/venv/bin:$PATH; export PATH\n",
	);
	const options = fresh();
	await bed.out("source venv/bin/activate", options);
	expect(await bed.out("tool", options)).toBe("from venv");
	await bed.out("deactivate", options);
	expect(await bed.out("declare -F deactivate; command -v tool; echo $?", options)).toBe("1");
});

test.each([
	["exit", "export A=1; exit 3", "1", /exit code: 3/],
	["exec", "A=1; exec echo hi", "0", /^hi\n.*exit code: 0/],
	["kill -9", "A=1; kill -9 $$", "0", /killed by SIGKILL, exit code: 137/],
	["set -e", "A=1; set -euo pipefail; false; echo no", "1", /^\(no output\)\n.*exit code: 1/],
	["a trap of its own and exit", "trap 'echo bye' EXIT; A=1; exit 4", "1", /^bye\n.*exit code: 4/],
	["a trap of its own", "trap 'echo bye' EXIT; A=1", "1", /^bye\n.*exit code: 0/],
	["closed output", "A=1; exec >&- 2>&-; echo lost", "1", /exit code: 1/],
	["redirected output", "A=1; exec >/dev/null; echo lost", "1", /^\(no output\)\n.*exit code: 0/],
	["an open quote", "A=1; echo 'oops", "0", /line 1: unexpected EOF.*exit code: 2/s],
	["an open here-document", "A=1; cat <<EOF\nabc", "1", /abc\n\[exit code: 0/],
	["debug and error traps", "trap 'echo D' DEBUG; trap 'echo E' ERR; A=1; false; trap - DEBUG", "1", /E/],
	["functions named like builtins", "printf(){ :; }; declare(){ :; }; set(){ :; }; trap(){ :; }; A=1", "1", /exit code: 0/],
	["no clobbering", "set -C; A=1", "1", /exit code: 0/],
])("[SH4] the state survives %s", async (_name, command, kept, expected) => {
	const options = fresh();
	await bed.out("A=0; B=kept", options);
	expect((await bed.call("Bash", { command }, options)).text).toMatch(expected);
	expect(await bed.out('unset -f printf declare set trap; echo "$A $B"', options)).toBe(`${kept} kept`);
});

test("[SH4] variables of a function that exits do not spoil those outside", async () => {
	expect(await sequence("f(){ local IFS=, PATH=/nowhere; alias z=echo; exit 1; }; f", 'ls / >/dev/null && printf %q "$IFS"; z !')).toBe(
		String.raw`$' \t\n'!`,
	);
});

test("[SH5] options that would break the next command are not kept, and tracing shows the command only", async () => {
	const options = fresh();
	expect(await bed.out("set -x; echo t; (exit 2); exit 0", options)).toBe("++ echo t\nt\n++ exit 2\n++ exit 0");
	expect(await bed.out("set -euxv; set -o noglob", options)).not.toContain("__rs");
	expect(await bed.out('false; echo "$UNSET" on; echo *', options)).toBe(" on\n*");
});

test("[SH6] what a person sets the agent sees, and the other way round", async () => {
	const options = fresh();
	const { cwd } = await bed.exec("cd /usr; export U=1", options);
	expect(cwd).toBe("/usr");
	expect(bed.shell.cwd(options.conversation, bed.work)).toBe("/usr");
	expect(await bed.out("pwd; echo $U; U=2; cd /etc", options)).toBe("/usr\n1");
	expect((await bed.exec("pwd; echo $U", options)).output).toBe("/etc\n2\n");
});

test("[SH6] conversations do not see each other, and a command without one leaves nothing", async () => {
	await bed.out("export A=1", fresh());
	expect(await bed.out(`echo \${A-none}`, fresh())).toBe("none");
	expect((await bed.exec("pwd; export A=1; cd /", { conversation: null })).output).toBe(`${bed.work}\n`);
	expect((await bed.exec(`pwd; echo \${A-none}`, { conversation: null })).output).toBe(`${bed.work}\nnone\n`);
});

test("[SH7] variables and directory survive a restart of the server; a fresh start forgets them", async () => {
	const options = fresh();
	await bed.out("A=$'x\\xff'; f(){ echo fn; }; cd /usr", options);
	await bed.reopen();
	expect(await bed.out("f; pwd; printf %s $A | od -An -tx1", options)).toBe("fn\n/usr\n 78 ff");
	const slow = bed.call("Bash", { command: "sleep 0.5; LATE=1" }, options);
	const result = await bed.call("Bash", { command: `pwd; echo \${A-none}; type f`, restart: true }, options);
	expect(result.text).toMatch(new RegExp(`^${bed.work}\nnone\n.*f: not found`));
	await slow;
	expect(await bed.out(`echo \${LATE-none}`, options)).toBe("none");
	expect(await bed.call("Bash", { restart: true }, options)).toMatchObject({ ok: true });
});

test("[SH7] setCwd moves the shell", async () => {
	const { conversation } = fresh();
	bed.shell.setCwd(conversation, "/usr");
	expect(await bed.out("pwd", { conversation })).toBe("/usr");
	bed.shell.restart(conversation);
	expect(bed.shell.cwd(conversation, bed.work)).toBe(bed.work);
});

test("[SH8] commands that run at the same time keep all their changes", async () => {
	const options = fresh();
	await bed.out("A=0 B=0 C=0", options);
	await Promise.all(
		["sleep 0.3; A=1", "sleep 0.2; B=1", "sleep 0.1; C=1; cd /usr", "unset HOME"].map((command) => bed.out(command, options)),
	);
	expect(await bed.out(`echo $A $B $C \${HOME-none}; pwd`, options)).toBe("1 1 1 none\n/usr");
});

test("[SH9] a directory that is gone is replaced by the conversation's own, and that is said", async () => {
	const options = fresh();
	await bed.out("mkdir d; cd d", options);
	await bed.out("rm -rf ../d", options);
	const { ok, text } = await bed.call("Bash", { command: "pwd" }, options);
	expect(ok).toBe(true);
	expect(text).toContain(`${bed.work}\n[${bed.work}/d is not there any more; the command runs in ${bed.work}]`);
	mkdirSync(join(bed.work, "e"));
	bed.shell.setCwd(options.conversation, join(bed.work, "e"));
	rmSync(join(bed.work, "e"), { recursive: true });
	expect((await bed.exec("pwd", options)).output).toContain(`is not there any more; the command runs in ${bed.work}]\n${bed.work}\n`);
});

test("[SH10] commands of any size and with any quoting arrive as they are", async () => {
	expect(await sequence(`cat <<'EOF'\n$HOME \`x\` \${i + 1} !a 'q' "d" \\ é中😀\nEOF`)).toBe(`$HOME \`x\` \${i + 1} !a 'q' "d" \\ é中😀`);
	expect(await sequence(`x='${"y".repeat(300_000)}'; echo \${#x}`)).toBe("300000");
	expect(await sequence("echo 1\nnosuch")).toBe("1\nbash: line 2: nosuch: command not found");
	expect(await sequence("# only a comment")).toBe("(no output)");
});

test("[SH138] a state that is too large is not kept, and that is said", async () => {
	const options = fresh();
	const { text } = await bed.call("Bash", { command: "x=$(head -c 5000000 /dev/zero | tr '\\0' x); y=1" }, options);
	expect(text).toContain("larger than 4 MB");
	expect(await bed.out(`echo \${y-none}`, options)).toBe("none");
});

test("[SH41] it is bash whatever the person's shell is, with real output files and no foreign files open", async () => {
	expect(await sequence("comm -23 <(echo a) <(echo b); [[ a == a ]] && echo $0")).toBe("a\nbash");
	expect(await sequence("echo one >/dev/stdout; echo two >/dev/stderr; echo three | tee /dev/stderr")).toBe("one\ntwo\nthree\nthree");
	expect(await sequence("ls /proc/self/fd")).toBe("0\n1\n2\n3");
});

test("[SH39] nothing waits for a key: no input, no terminal, no pager", async () => {
	expect(await sequence("cat; echo rc=$?")).toBe("rc=0");
	expect(await sequence("read x </dev/tty; echo rc=$?")).toMatch(/\/dev\/tty.*\nrc=1$/);
	expect(await sequence("echo $TERM $PAGER $GIT_PAGER $NO_COLOR $GIT_TERMINAL_PROMPT")).toBe("dumb cat cat 1 0");
	const git =
		"git init -q r; cd r; for i in 1 2 3; do git -c user.name=a -c user.email=a@b commit -q --allow-empty -m m$i; done; git log --format=%s";
	expect(await sequence(git)).toBe("m3\nm2\nm1");
});

test("[SH48] files of commands are gone when they are done", async () => {
	await bed.out("echo hi", fresh());
	expect(existsSync(join(bed.home, "shell/run"))).toBe(true);
	expect(
		await bed.out(
			`ls ${join(bed.home, "shell/run")} | wc -l; stat -c %a ${join(bed.home, "shell")} ${join(bed.home, "shell/run")}/*`,
			fresh(),
		),
	).toBe("4\n700\n600\n600\n600\n600");
	expect((await bed.exec(`find ${join(bed.home, "shell/conversations")} -type f ! -perm 600 -o -type d ! -perm 700`)).output).toBe("");
});

test("[RP40] what a rule lets run finds nothing that earlier commands have made of its words, and keeps what it changes itself", async () => {
	const options = fresh();
	mkdirSync(join(bed.work, "fakes"));
	writeFileSync(join(bed.work, "fakes", "uname"), "#!/bin/sh\necho FAKE\n", { mode: 0o700 });
	await bed.out(
		`kept=1; date(){ echo FAKE; }; alias id='echo FAKE'; shopt -s globstar; export GIT_DIR=/fake LD_PRELOAD=; export PATH="$PWD/fakes:$PATH"; cd /`,
		options,
	);
	const changed = await bed.out("date; id; uname", options);
	expect(changed).toBe("FAKE\nFAKE\nFAKE");
	const command = "date; id; uname; env | grep -c ^GIT_DIR; pwd; export MADE=1";
	const plain = await bed.out(command, { ...options, freshIn: bed.work });
	expect(plain).not.toContain("FAKE");
	expect(plain.split("\n").slice(-2)).toEqual(["0", bed.work]);
	// Nothing of what was there is lost by it.
	expect(await bed.out('echo "$kept $MADE $PWD"; type -t date; env | grep ^GIT_DIR', options)).toBe("1 1 /\nfunction\nGIT_DIR=/fake");
	const started = await bed.call("Bash", { command: "uname; pwd", run_in_background: true }, { ...options, freshIn: bed.work });
	const bash_id = /bash_id: (\S+)/.exec(started.text)?.[1];
	await expect.poll(() => bed.call("BashOutput", { bash_id }, options).then(({ text }) => text)).toContain(bed.work);
	expect((await bed.call("BashOutput", { bash_id }, options)).text).not.toContain("FAKE");
});

test("[RP40] where the folder is not what it was, nothing that a rule allowed runs", async () => {
	const options = fresh();
	const swapped = join(bed.work, "swapped");
	symlinkSync("/usr", swapped);
	const mark = join(bed.work, "ran");
	for (const freshIn of [swapped, join(bed.work, "gone")]) {
		const { ok, text } = await bed.call("Bash", { command: `touch '${mark}'` }, { ...options, freshIn });
		expect({ ok, text }).toEqual({ ok: false, text: expect.stringContaining("is not what it was when this was allowed") });
	}
	expect(existsSync(mark)).toBe(false);
	expect(await bed.out("pwd", options)).toBe(bed.work);
});

test("[RP41] the shell is as it began until a command changes what a program could notice", async () => {
	const isPlain = async (...commands: string[]) => {
		const options = fresh();
		for (const command of commands) await bed.call("Bash", { command }, options);
		return bed.shell.plainCwd(options.conversation, bed.work);
	};
	expect(await isPlain()).toBe(bed.work);
	expect(await isPlain("cd /usr && ls >/dev/null; greeting=hello; list=(a b)")).toBe("/usr");
	expect(await isPlain("export A=1", "unset A")).toBe(bed.work);
	for (const change of [
		...["export A=1", "PATH=/tmp:$PATH", "unset HOME", "git(){ :; }", "alias ls=rm", "shopt -s globstar", "set -o pipefail", "umask 0"],
		...["declare -n ref=PATH", "set -a; B=1"],
	])
		expect([change, await isPlain(change)]).toEqual([change, undefined]);
});
