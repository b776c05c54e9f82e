import type { UserMessage } from "@rightseat/protocol/entities";

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
	const output = body.replace(/\n?\[exit code: [^\]\n]*\]\s*$/, "");
	return { command, output, exitCode: metadata.exitCode ?? null, cwd: metadata.cwd ?? "" };
}
