import type { UserMessage } from "@rightseat/protocol/model/message";

export interface BashResult {
	command: string;
	output: string;
	exitCode: number | null;
	cwd: string;
}

/** The parts of a stored `!cmd` result: its text is `$ command`, the output and `[exit code: n]`. */
export function readBashResult(message: UserMessage): BashResult {
	const { metadata } = message;
	const content = message.content.replace(/^\[Bash executed by user\]\n/, "");
	const command = metadata.command ?? /^\$ (.*)/.exec(content)?.[1] ?? "";
	const head = `$ ${command}\n`;
	const body = content.startsWith(head) ? content.slice(head.length) : content;
	return { command, output: withoutExitCode(body), exitCode: metadata.exitCode ?? null, cwd: metadata.cwd ?? "" };
}

/** Only the last such line is looked at: a pattern over the whole output tries each of those that a command printed. */
function withoutExitCode(body: string): string {
	const at = body.lastIndexOf("[exit code: ");
	if (at < 0 || !/^\[exit code: [^\]\n]*\]\s*$/.test(body.slice(at))) return body;
	return body.slice(0, body[at - 1] === "\n" ? at - 1 : at);
}
