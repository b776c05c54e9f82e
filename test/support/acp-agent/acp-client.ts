import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { acpAgentCommand } from "./acp-agent.ts";

interface Said {
	method: string;
	params: Record<string, unknown>;
	id?: number;
}

/** A client of the scripted agent that keeps everything it says, for the tests of the agent itself. */
export interface AcpClient {
	readonly child: ChildProcess;
	/** Every line of its output that is JSON, in order. */
	readonly lines: unknown[];
	/** Every line that is not. */
	readonly noise: string[];
	/** Rejects with the message of an error response, its code before it. */
	request(method: string, params: unknown): Promise<Record<string, unknown>>;
	notify(method: string, params: unknown): void;
	/** Answers the agent's requests of this method from now on. */
	answer(method: string, respond: (params: Record<string, unknown>) => unknown): void;
	/** The first thing that the agent has said or says of this method. */
	said(method: string): Promise<Said>;
	/** Resolves when these words are among those of the answer. */
	spoke(words: string): Promise<void>;
	/** The words of the answer so far. */
	text(): string;
	open(cwd?: string): Promise<string>;
	prompt(sessionId: string, text: string): Promise<Record<string, unknown>>;
	kill(): Promise<void>;
}

export function startAcpClient(...switches: string[]): AcpClient {
	const [program, ...args] = acpAgentCommand(...switches);
	const child = spawn(program, args, { stdio: ["pipe", "pipe", "ignore"] });
	const lines: unknown[] = [];
	const noise: string[] = [];
	const heard: Said[] = [];
	const waiting = new Set<() => void>();
	const pending = new Map<number, { resolve: (result: Record<string, unknown>) => void; reject: (error: Error) => void }>();
	const answers = new Map<string, (params: Record<string, unknown>) => unknown>();
	let lastId = 0;
	child.stdin.on("error", () => undefined);
	createInterface({ input: child.stdout }).on("line", receive);
	// Its output first: what was said before the end belongs to the turn.
	child.once("close", () => {
		for (const { reject } of pending.values()) reject(new Error("the agent has gone"));
	});

	function receive(line: string) {
		const message = parse(line);
		if (message === undefined) {
			noise.push(line);
			return;
		}
		lines.push(message);
		if (message.method === undefined) {
			const request = pending.get(Number(message.id));
			pending.delete(Number(message.id));
			if (message.error !== undefined) request?.reject(new Error(`${message.error.code} ${message.error.message}`));
			else request?.resolve(message.result);
			return;
		}
		heard.push({ method: message.method, params: message.params, id: message.id });
		const respond = answers.get(message.method);
		if (message.id !== undefined && respond !== undefined) send({ id: message.id, result: respond(message.params) });
		for (const look of [...waiting]) look();
	}

	const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

	function request(method: string, params: unknown) {
		lastId += 1;
		const id = lastId;
		const result = new Promise<Record<string, unknown>>((resolve, reject) => pending.set(id, { resolve, reject }));
		send({ id, method, params });
		return result;
	}

	/** Waits until the answer is there, looking again whenever the agent says something. */
	function until<T>(find: () => T | undefined): Promise<T> {
		return new Promise((resolve) => {
			function look() {
				const found = find();
				if (found === undefined) return;
				waiting.delete(look);
				resolve(found);
			}
			waiting.add(look);
			look();
		});
	}

	function text(): string {
		const chunks = heard.flatMap(({ params }) =>
			isUpdate(params) && params.update.sessionUpdate === "agent_message_chunk" ? [params.update] : [],
		);
		return chunks.map(({ content }) => content?.text ?? "").join("");
	}

	return {
		child,
		lines,
		noise,
		request,
		notify: (method, params) => send({ method, params }),
		answer: (method, respond) => answers.set(method, respond),
		said: (method) => until(() => heard.find((one) => one.method === method)),
		spoke: async (words) => {
			await until(() => (text().includes(words) ? true : undefined));
		},
		text,
		async open(cwd = process.cwd()) {
			await request("initialize", { protocolVersion: 1, clientCapabilities: {} });
			return String((await request("session/new", { cwd, mcpServers: [] })).sessionId);
		},
		prompt: (sessionId, words) => request("session/prompt", { sessionId, prompt: [{ type: "text", text: words }] }),
		async kill() {
			if (child.exitCode !== null || child.signalCode !== null) return;
			child.kill("SIGKILL");
			await once(child, "exit");
		},
	};
}

function parse(line: string) {
	try {
		const message = JSON.parse(line);
		return message?.jsonrpc === "2.0" ? message : undefined;
	} catch {
		return undefined;
	}
}

const isUpdate = (params: unknown): params is { update: { sessionUpdate?: string; content?: { text?: string } } } =>
	typeof params === "object" && params !== null && "update" in params && typeof params.update === "object" && params.update !== null;
