// What the scripted agent does differently from a well-behaved one, as told by its arguments: `--name` or `--name=value`.

/** Every switch, with what it does. */
export const SWITCHES = {
	home: "=FOLDER keeps sessions there, so that they survive the process; without it they are in memory only",
	protocol: "=N answers `initialize` with this version",
	"never-initialize": "never answers `initialize`",
	"exit-sentence": "=TEXT writes it to standard error and exits with 1 before `initialize` is answered",
	"bad-initialize": "answers `initialize` with null",
	"slow-start": "=MS waits before it answers `initialize`",
	noise: "writes log lines, colours and a login URL to standard output before and between messages",
	"stderr-flood": "writes to standard error without end",
	login: "answers `session/new`, `load` and `resume` with -32000",
	"login-at-prompt": "answers `session/prompt` with -32000",
	"never-new": "never answers `session/new`",
	"bad-new": "answers `session/new` with {}",
	"new-fails": "=TEXT answers `session/new` with -32603",
	"early-updates": "sends updates before `session/new` is answered",
	"no-resume": "does not announce `session/resume`",
	"no-load": "does not announce `session/load`",
	"resume-fails": "announces `session/resume` and fails with -32603",
	"load-fails": "announces `session/load` and fails with -32603",
	"never-resume": "never answers `session/resume` or `session/load`",
	"forget-empty": "a session without a finished turn is gone with the process",
	"in-use": "refuses a session that another living process has opened with -32600",
	"options-reset": "a resumed session has forgotten mode, model and effort",
	"start-mode": "=MODE a session begins in this mode; `bypassPermissions` asks nobody",
	"no-options": "announces no options, only `modes`, as Gemini does",
	"option-fails": "answers `session/set_config_option` with -32602",
	"no-close": "does not announce `session/close`",
	"never-close": "never answers `session/close`",
	"no-list": "does not announce `session/list`",
	"no-images": "takes no pictures",
	"no-mcp-http": "takes no MCP server over HTTP",
	"no-steering": "does not take a prompt into a running turn",
	"no-ping": "leaves requests that it does not know without an answer",
	tie: "=claude or =codex tells our MCP server which card a call belongs to",
	answers: "=N answers what is no command with N words that nobody said before, every third time with a command of our shell in the middle",
	asks: "asks for permission before it calls one of our tools, as Claude Code does",
	"ignore-eof": "goes on when standard input is closed",
	"ignore-term": "goes on at SIGTERM",
	orphans: "leaves a child in a session of its own at start",
};

/** @typedef {{ has: (name: string) => boolean, get: (name: string) => string | undefined, number: (name: string) => number }} Switches */

/** @param {readonly string[]} args @returns {Switches} */
export function readSwitches(args) {
	/** @type {Map<string, string>} */
	const given = new Map();
	for (const arg of args) {
		const [, name = "", value = ""] = /^--([\w-]+)(?:=(.*))?$/s.exec(arg) ?? [];
		if (!(name in SWITCHES)) {
			process.stderr.write(`The scripted agent has no switch ${JSON.stringify(arg)}.\n`);
			process.exit(2);
		}
		given.set(name, value);
	}
	return { has: (name) => given.has(name), get: (name) => given.get(name), number: (name) => Number(given.get(name) ?? 0) };
}
