import { createInterface } from "node:readline";
import { answerTo } from "./answer.mjs";

/**
 * A small MCP server over stdio. `stdio.mjs [manner]`: `hang` never answers, `silent` answers everything but the call of a tool, `die` ends at the first call of a tool, `refuse` ends at once with a
 * word on stderr, `flood` has thousands of tools and endless results, `gush` only the latter, `ask` asks the person what the text of a call says, as JSON (`HUGE` becomes ten
 * megabytes), and says what it was given. FIXTURE_LOG: a file that gets a line for every start.
 */
const manner = process.argv[2] ?? "plain";
if (process.env.FIXTURE_LOG !== undefined) {
	const { appendFileSync } = await import("node:fs");
	appendFileSync(process.env.FIXTURE_LOG, `${JSON.stringify({ pid: process.pid, manner, env: process.env })}\n`);
}
if (manner === "refuse") {
	process.stderr.write("The key of this server is missing.\n");
	process.exit(3);
}
/** @param {object} message */
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
for await (const line of createInterface({ input: process.stdin })) {
	if (manner === "hang" || line.trim() === "") continue;
	const message = JSON.parse(line);
	if (manner === "die" && message.method === "tools/call") process.exit(1);
	if (manner === "silent" && message.method === "tools/call") {
		if (process.env.FIXTURE_CALLS !== undefined) (await import("node:fs")).appendFileSync(process.env.FIXTURE_CALLS, "called\n");
		continue;
	}
	if (manner === "ask" && message.method === "tools/call") {
		const params = JSON.parse(message.params.arguments.text.replace("HUGE", "y".repeat(10_000_000)));
		send({ id: `ask ${message.id}`, method: "elicitation/create", params });
		continue;
	}
	if (message.method === undefined) {
		send({ id: Number(message.id.slice(4)), result: { content: [{ type: "text", text: JSON.stringify(message.result) }] } });
		continue;
	}
	const answer = answerTo(message, manner);
	if (answer !== undefined) process.stdout.write(`${JSON.stringify(answer)}\n`);
}
