import { afterEach, expect, test } from "vitest";
import { ask } from "../../../packages/cli/src/commands/ask.ts";
import { useCliBed } from "../../support/cli-bed.ts";
import { createFaultProxy } from "../../support/fault-proxy.ts";
import { type PtyCli, startPtyCli } from "../../support/pty-cli.ts";
import { createGate, text, toolCall, waitFor } from "../../support/scripted-model-steps.ts";

const bed = useCliBed();
let terminal: PtyCli | undefined;
afterEach(() => terminal?.kill());
const ENTER = "\r";

test("[CL52] ask on a terminal: a question is answered in place, Ctrl-D leaves one for the page, and Ctrl-C stops the turn", async () => {
	bed.model.reply(toolCall("ask_user", { question: "Red or blue?", choices: ["Red", "Blue"], allowFreeform: false }));
	bed.model.default((request) => [text(`Painted ${JSON.stringify(request.body.messages.at(-1)?.content).includes("Blue")}`)]);
	terminal = startPtyCli(["ask", "Paint"], bed.options());
	await terminal.until(/\? Red or blue\?[\s\S]*2 {2}Blue[\s\S]*> $/);
	terminal.type(ENTER);
	await terminal.until(/none of the answers above\.[\s\S]*> $/);
	terminal.type(`2${ENTER}`);
	await terminal.until(/Painted true/);
	expect(await terminal.exited).toBe(0);
	bed.model.reply(toolCall("ask_user", { question: "Really?" }));
	terminal = startPtyCli(["ask", "Paint"], bed.options());
	await terminal.until(/\? Really\?[\s\S]*> $/);
	terminal.type("\u0004");
	await terminal.until(/waits for an answer, on the page or in Telegram: \S+/);
	terminal.type("\u0003");
	await terminal.until(/Stopping\./);
	expect(await terminal.exited).toBe(130);
});

test("[CL137] a y that was typed into `ask` before a permission was asked for allows nothing; one after it does", async () => {
	await bed.server.api("/api/settings", { method: "PATCH", json: { permissions: "ask" } });
	const gate = createGate();
	bed.model.reply(text("A moment."), waitFor(gate), toolCall("Bash", { command: "echo painted" }));
	bed.model.default(() => [text("It is painted.")]);
	terminal = startPtyCli(["ask", "Paint"], bed.options());
	await terminal.until(/A moment\./);
	terminal.type(`y${ENTER}`);
	gate.open();
	await terminal.until(/\? Allow\?[\s\S]*> $/);
	const from = terminal.text().length;
	// It would have been taken by now: this line is only told to be no answer if the one before it was not.
	terminal.type(`perhaps${ENTER}`);
	await terminal.until(/none of the answers above/, from);
	terminal.type(`y${ENTER}`);
	await terminal.until(/It is painted\./);
	expect(await terminal.exited).toBe(0);
	await bed.server.api("/api/settings", { method: "PATCH", json: { permissions: "auto" } });
});

test("[CL90] an answer that was written to a terminal is seen, and one that a script took is not", async () => {
	const waiting = async () => {
		const { items } = await (await bed.server.api("/api/inbox")).json();
		return items.flatMap(({ title }: { title: string }) => (title.startsWith("Of a ") ? title : []));
	};
	expect((await bed.runHere(ask, ["Of a script"])).exit).toBe(0);
	const proxy = await createFaultProxy({ port: bed.server.port });
	const gate = createGate();
	bed.model.reply(text("Begun"), waitFor(gate));
	terminal = startPtyCli(["ask", "Of a person", "--url", proxy.url], { ...bed.options(), env: { RIGHTSEAT_TOKEN: bed.server.token } });
	await terminal.until(/Begun/);
	proxy.delay(1_000);
	gate.open();
	expect(await terminal.exited).toBe(0);
	// What was still on its way when the command ended never arrives.
	proxy.cut();
	expect(await waiting()).toEqual(["Of a script"]);
	await proxy.close();
});
