import { existsSync } from "node:fs";
import { join } from "node:path";
import { undoAnswer } from "@rightseat/protocol/http/changes";
import { toolCall } from "../../support/scripted-model-steps.ts";
import type { Fault } from "../fault.ts";
import { sendPrompt } from "../history.ts";
import { quiet, until } from "../quiet.ts";
import type { Random } from "../random.ts";
import { sendSignal } from "../send-signal.ts";
import type { World } from "../world.ts";

const FILES = 60;

/** The recorder of changes dies, and the server in the middle of an undo: turns go on, and no byte is lost. */
export const CHANGE_FAULTS: Fault[] = [
	{
		name: "kill-recorder",
		breaks: "the process that records changes is killed",
		inject: (world) => sendSignal(world.pids("recorder").slice(0, 1), "SIGKILL"),
	},
	{
		name: "kill-in-undo",
		breaks: "the server is killed in the middle of an undo",
		restarts: true,
		async inject(world, random, struck) {
			const made = await makeFiles(world, random);
			const undo = post(world, `${made.messageId}/undo`);
			await until("The undo", () => made.names.some((name) => !existsSync(name)));
			struck();
			await world.server.kill("SIGKILL");
			await undo;
			await world.revive();
			await post(world, `${made.messageId}/undo`);
			expectFiles(made.names, 0);
			await post(world, `${made.messageId}/redo`);
			expectFiles(made.names, FILES);
		},
	},
	{
		name: "kill-in-two-redos",
		breaks: "two pages undo a turn at once, and the server is killed while both redo it",
		restarts: true,
		shows: [{ anyOf: ["lost"] }],
		async inject(world, random, struck) {
			const made = await makeFiles(world, random);
			const both = (path: string) => Promise.all([post(world, `${made.messageId}/${path}`), post(world, `${made.messageId}/${path}`)]);
			await both("undo");
			expectFiles(made.names, 0);
			const redos = both("redo");
			await until("The redo", () => made.names.some((name) => existsSync(name)));
			struck();
			await world.server.kill("SIGKILL");
			await redos;
			await world.revive();
			await post(world, `${made.messageId}/redo`);
			expectFiles(made.names, FILES);
		},
	},
];

/** A turn that makes files, with the id of its change. */
async function makeFiles(world: World, random: Random): Promise<{ messageId: string; names: string[] }> {
	await quiet(world);
	const id = random.between(100_000, 899_999);
	const prefix = `undo-${id}-`;
	world.model.reply(toolCall("Bash", { command: `for n in $(seq ${FILES}); do echo $n > ${prefix}$n; done` }));
	sendPrompt(world, `files-${id}`);
	const names = Array.from({ length: FILES }, (_, n) => join(world.server.workdir, `${prefix}${n + 1}`));
	await until("The files", () => names.every(existsSync));
	await quiet(world);
	const response = await world.server.api(`/api/conversations/${world.conversationId}/messages?limit=20`);
	const { messages }: { messages: { id: string; role: string; metadata: { changes?: { files: number } } }[] } = await response.json();
	const answer = messages.findLast(({ role, metadata }) => role === "assistant" && (metadata.changes?.files ?? 0) >= FILES);
	if (answer === undefined) throw new Error("The turn that made the files says nothing about them.");
	return { messageId: answer.id, names };
}

/** Undefined when the server died over it. */
async function post(world: World, path: string): Promise<unknown> {
	const address = `/api/conversations/${world.conversationId}/changes/${path}`;
	const response = await world.server.api(address, { method: "POST", json: {} }).catch(() => undefined);
	return response?.ok === true ? undoAnswer.parse(await response.json()) : undefined;
}

function expectFiles(names: readonly string[], count: number): void {
	const there = names.filter((name) => existsSync(name)).length;
	if (there !== count) throw new Error(`${there} of ${names.length} files are there after the undo, and not ${count}.`);
}
