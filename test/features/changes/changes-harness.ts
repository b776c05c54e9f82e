import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { changeAnswer, changesAnswer, undoAnswer } from "@rightseat/protocol/http/changes";
import { acpAgentCommand } from "../../support/acp-agent/acp-agent.ts";
import { type ScriptedModel, startScriptedModel } from "../../support/scripted-model.ts";
import { type Step, text } from "../../support/scripted-model-steps.ts";
import { startServer, type TestServer, type TestServerOptions } from "../../support/server.ts";
import type { WsClient } from "../../support/ws-client.ts";

/** The whole server with the real Copilot runtime, the scripted ACP agent and the real recorder, in a folder of its own. */
export interface ChangesBed {
	server: TestServer;
	model: ScriptedModel;
	/** Where new conversations work. */
	work: string;
	begin(options?: { agent?: string; cwd?: string }): Promise<string>;
	/** A strict reader of the conversation. */
	watch(id: string): Promise<WsClient>;
	/** One prompt; the model's answers in order, a plain text at the end. Resolves with every frame up to `idle`. */
	turn(id: string, ...answers: Step[][]): Promise<{ messageId: string; frames: WsClient["frames"] }>;
	/** A prompt for the scripted ACP agent. */
	say(id: string, prompt: string): Promise<void>;
	/** A `!cmd`, to its end. */
	exec(id: string, command: string): Promise<string>;
	list(id: string): Promise<Change[]>;
	get(id: string, changeId: string): Promise<Detail>;
	undo(id: string, changeId: string, body?: object, kind?: "undo" | "redo"): Promise<Undone>;
	read(name: string): string | undefined;
	/** Kills the server without a warning and starts it again. */
	crash(): Promise<void>;
	/** The recorder's process. */
	recorder(): number | undefined;
	close(): Promise<void>;
}
export type Change = ReturnType<typeof changesAnswer.parse>["changes"][number];
export type Detail = ReturnType<typeof changeAnswer.parse>;
export type Undone = ReturnType<typeof undoAnswer.parse>;

const PROVIDER = { RIGHTSEAT_PROVIDER_KEY: "k", COPILOT_DEFAULT_MODEL: "scripted-model" };

export async function startChangesBed(options: TestServerOptions = {}): Promise<ChangesBed> {
	const model = await startScriptedModel();
	const sessions = mkdtempSync(join(tmpdir(), "acp-sessions-"));
	const agents = JSON.stringify([{ id: "scripted", name: "Scripted", command: acpAgentCommand(`home=${sessions}`) }]);
	const env = { ...PROVIDER, RIGHTSEAT_PROVIDER_URL: model.url, RIGHTSEAT_AGENTS: agents, ...options.env };
	let server = await startServer({ ...options, env });
	const readers = new Map<string, WsClient>();
	const at = (id: string) => `/api/conversations/${id}/changes`;

	async function json(path: string, init?: { method: string; json?: unknown }): Promise<unknown> {
		const response = await server.api(path, init);
		const body: unknown = await response.json();
		if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(body)}`);
		return body;
	}

	const bed: ChangesBed = {
		get server() {
			return server;
		},
		model,
		work: server.workdir,
		async begin({ agent = "copilot", cwd } = {}) {
			const body = { agent, ...(cwd === undefined ? {} : { cwd }) };
			return Object(await json("/api/conversations", { method: "POST", json: body })).conversation.id;
		},
		async watch(id) {
			const known = readers.get(id);
			if (known !== undefined) return known;
			const ws = await server.ws({ timeoutMs: 60_000 });
			ws.send({ type: "copilot:subscribe", data: { conversationId: id } });
			await ws.waitFor("copilot:snapshot");
			readers.set(id, ws);
			return ws;
		},
		async turn(id, ...answers) {
			for (const steps of answers) model.reply(...steps);
			model.default(() => [text("Done.")]);
			const ws = await bed.watch(id);
			const from = ws.frames.length;
			ws.send({ type: "copilot:send", data: { conversationId: id, prompt: "Go on" } });
			const { data } = await ws.waitFor("copilot:idle", undefined, { from });
			return { messageId: data.messageId ?? "", frames: ws.frames.slice(from) };
		},
		async say(id, prompt) {
			const ws = await bed.watch(id);
			const from = ws.frames.length;
			ws.send({ type: "copilot:send", data: { conversationId: id, prompt } });
			await ws.waitFor("copilot:idle", undefined, { from });
		},
		async exec(id, command) {
			const ws = await bed.watch(id);
			const from = ws.frames.length;
			ws.send({ type: "bash:exec", data: { conversationId: id, command } });
			const { data } = await ws.waitFor("bash:done", undefined, { from });
			await ws.roundTrip();
			return data.execId;
		},
		list: async (id) => changesAnswer.parse(await json(at(id))).changes,
		get: async (id, changeId) => changeAnswer.parse(await json(`${at(id)}/${changeId}`)),
		undo: async (id, changeId, body = {}, kind = "undo") =>
			undoAnswer.parse(await json(`${at(id)}/${changeId}/${kind}`, { method: "POST", json: body })),
		read(name) {
			const file = join(server.workdir, name);
			return existsSync(file) ? readFileSync(file, "utf8") : undefined;
		},
		async crash() {
			for (const ws of readers.values()) ws.terminate();
			readers.clear();
			server = await server.restart();
		},
		recorder: () => findRecorder(server.pid),
		async close() {
			for (const ws of readers.values()) ws.terminate();
			await server.close();
			await model.close();
			rmSync(sessions, { recursive: true, force: true });
		},
	};
	return bed;
}

/** By its command line, among the children of the server. */
function findRecorder(parent: number): number | undefined {
	return readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name))
		.map(Number)
		.find((pid) => {
			try {
				const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
				return (
					Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === parent &&
					readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("trackerd")
				);
			} catch {
				return false;
			}
		});
}
