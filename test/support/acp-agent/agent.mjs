// A scripted agent that speaks the Agent Client Protocol, version 1, over standard input and output: `node agent.mjs --home=FOLDER --switch…`.
// What happens in a turn is said by the prompt (commands.mjs, bad-commands.mjs), what it is like by its switches (switches.mjs).

import { leaveOrphan, makeNoise } from "./bad-commands.mjs";
import { fieldsOf, listOf, textOf } from "./fields.mjs";
import { createMcpClient } from "./mcp-client.mjs";
import { configOptions, MODES, setOption } from "./options.mjs";
import { createSessions } from "./sessions.mjs";
import { readSwitches } from "./switches.mjs";
import { createTurn, playTurn } from "./turn.mjs";
import { createWire, RpcError } from "./wire.mjs";

/**
 * @typedef {import("./sessions.mjs").Session} Session
 * @typedef {{ turn: import("./turn.mjs").Turn | undefined, mcp: import("./mcp-client.mjs").McpClient | undefined, last: Record<string, unknown> }} Open
 * @typedef {import("./fields.mjs").Fields} Fields
 */

const switches = readSwitches(process.argv.slice(2));
const sessions = createSessions(switches.get("home"), { startMode: switches.get("start-mode") ?? "default" });
/** @type {Map<string, Open>} */
const open = new Map();
const never = () => new Promise(() => undefined);

if (switches.has("exit-sentence")) {
	process.stderr.write(`${switches.get("exit-sentence")}\n`);
	process.exit(1);
}
if (switches.has("orphans")) leaveOrphan();
if (switches.has("noise")) makeNoise();
if (switches.has("ignore-term")) process.on("SIGTERM", () => undefined);
if (switches.has("stderr-flood")) floodErrors();
if (switches.has("ignore-eof")) setInterval(() => undefined, 1 << 30);

const wire = createWire({
	handle,
	ended: () => {
		if (!switches.has("ignore-eof")) process.exit(0);
	},
});

/** @param {string} method @param {unknown} sent @param {number | string | undefined} id */
async function handle(method, sent, id) {
	const params = fieldsOf(sent);
	const sessionId = textOf(params.sessionId);
	if (switches.has("noise")) makeNoise();
	switch (method) {
		case "initialize":
			return initialize();
		case "authenticate":
			return {};
		case "session/new":
			return newSession(params);
		case "session/load":
		case "session/resume":
			return reopen(method, params);
		case "session/list":
			return {
				sessions: sessions
					.list()
					.filter((one) => params.cwd === undefined || one.cwd === params.cwd)
					.map(toInfo),
			};
		case "session/close":
			return switches.has("never-close") ? new Promise(() => undefined) : closeSession(sessionId);
		case "session/delete":
			await closeSession(sessionId);
			sessions.remove(sessionId);
			return {};
		case "session/set_mode":
			return option(sessionId, "mode", params.modeId, {});
		case "session/set_config_option":
			return option(sessionId, textOf(params.configId), params.value, undefined);
		case "session/prompt":
			return prompt(params, id);
		case "session/cancel":
			return cancel(sessionId);
		case "_session/steering":
			return steer(params);
		default:
			if (id === undefined) return undefined;
			if (switches.has("no-ping")) return never();
			throw new RpcError(-32601, `Method not found: ${method}`);
	}
}

async function initialize() {
	if (switches.has("never-initialize")) return never();
	if (switches.has("bad-initialize")) return null;
	if (switches.has("slow-start")) await new Promise((resolve) => setTimeout(resolve, switches.number("slow-start")));
	const can = (/** @type {string} */ name) => !switches.has(`no-${name}`);
	return {
		protocolVersion: switches.has("protocol") ? switches.number("protocol") : 1,
		agentInfo: { name: "scripted-agent", title: "Scripted agent", version: "1.0.0" },
		agentCapabilities: {
			loadSession: can("load"),
			promptCapabilities: { image: can("images"), audio: false, embeddedContext: true },
			mcpCapabilities: { http: can("mcp-http"), sse: false },
			sessionCapabilities: {
				...(can("list") ? { list: {} } : {}),
				...(can("resume") ? { resume: {} } : {}),
				...(can("close") ? { close: {}, delete: {} } : {}),
			},
		},
		authMethods: [{ id: "terminal", type: "terminal", name: "Log in", description: "Opens a terminal.", args: ["--login"] }],
		_meta: { steering: { supported: can("steering") } },
	};
}

/** @param {Fields} params */
async function newSession({ cwd, mcpServers }) {
	if (switches.has("login")) throw new RpcError(-32000, "Authentication required");
	if (switches.has("never-new")) return never();
	if (switches.has("bad-new")) return {};
	if (switches.has("new-fails")) throw new RpcError(-32603, switches.get("new-fails") || "No session can be made.");
	const session = sessions.create(textOf(cwd));
	if (switches.has("early-updates")) announceCommands(session);
	await hold(session, listOf(mcpServers));
	setImmediate(() => announceCommands(session));
	return { sessionId: session.id, ...offered(session) };
}

/** @param {string} method @param {Fields} params */
async function reopen(method, { sessionId, mcpServers }) {
	const what = method === "session/load" ? "load" : "resume";
	if (switches.has("login")) throw new RpcError(-32000, "Authentication required");
	if (switches.has("never-resume")) return never();
	if (switches.has(`no-${what}`)) throw new RpcError(-32601, `Method not found: ${method}`);
	if (switches.has(`${what}-fails`)) throw new RpcError(-32603, "No previous sessions found for this project.");
	const session = sessions.find(textOf(sessionId));
	const lost = session === undefined || (switches.has("forget-empty") && session.turns === 0);
	if (lost) throw new RpcError(-32002, `Session not found: ${sessionId}`);
	if (switches.has("in-use") && sessions.isHeld(session)) throw new RpcError(-32600, "The session is in use by another client.");
	sessions.adopt(session, { forgetOptions: switches.has("options-reset") });
	await hold(session, listOf(mcpServers));
	if (what === "load") replay(session);
	setImmediate(() => announceCommands(session));
	return offered(session);
}

/** @param {Session} session @param {Fields[]} mcpServers */
async function hold(session, mcpServers) {
	const server = mcpServers.find(({ type }) => type === "http");
	const mcp = server === undefined ? undefined : createMcpClient(toServer(server));
	await mcp?.start();
	open.set(session.id, { turn: undefined, mcp, last: {} });
}

/** @param {Fields} server */
const toServer = ({ name, url, headers }) => ({
	name: textOf(name),
	url: textOf(url),
	headers: listOf(headers).map((header) => ({ name: textOf(header.name), value: textOf(header.value) })),
});

/** @param {Session} session */
function offered({ options }) {
	const modes = { currentModeId: options.mode, availableModes: MODES.map(({ value, name }) => ({ id: value, name })) };
	return switches.has("no-options") ? { modes } : { modes, configOptions: configOptions(options) };
}

/** @param {Session} session */
function replay({ id, history }) {
	for (const { role, text } of history) {
		const sessionUpdate = role === "user" ? "user_message_chunk" : "agent_message_chunk";
		wire.notify("session/update", { sessionId: id, update: { sessionUpdate, content: { type: "text", text } } });
	}
}

/** @param {Session} session */
function announceCommands({ id }) {
	const availableCommands = [{ name: "compact", description: "Makes the history shorter.", input: { hint: "what to keep" } }];
	wire.notify("session/update", { sessionId: id, update: { sessionUpdate: "available_commands_update", availableCommands } });
}

/** @param {string} sessionId @param {string} configId @param {unknown} value @param {object | undefined} result */
function option(sessionId, configId, value, result) {
	const session = get(sessionId);
	if (switches.has("option-fails") || !setOption(session.options, configId, value)) throw new RpcError(-32602, `No such value: ${value}`);
	sessions.save(session);
	return result ?? { configOptions: configOptions(session.options) };
}

/** @param {Fields} params @param {number | string | undefined} promptId */
async function prompt(params, promptId) {
	const sessionId = textOf(params.sessionId);
	const blocks = listOf(params.prompt);
	if (switches.has("login-at-prompt")) throw new RpcError(-32000, "Authentication required");
	const session = get(sessionId);
	const held = open.get(sessionId);
	if (held === undefined) throw new RpcError(-32002, `Session not found: ${sessionId}`);
	if (held.turn !== undefined) throw new RpcError(-32603, "A turn is running.");
	const turn = createTurn({ session, wire, switches, mcp: held.mcp, blocks, promptId, last: held.last });
	held.turn = turn;
	session.history.push({ role: "user", text: blocks.map((block) => block.text ?? `[${block.type}]`).join("\n") });
	sessions.save(session);
	try {
		const result = await playTurn(turn);
		session.turns += 1;
		if (turn.said !== "" && turn.said.length < 1_000_000) session.history.push({ role: "assistant", text: turn.said });
		return result;
	} finally {
		held.turn = undefined;
		sessions.save(session);
		// After the response: `setImmediate` lets it leave first.
		for (const act of turn.after) setImmediate(act);
	}
}

/** @param {string} sessionId */
function cancel(sessionId) {
	open.get(sessionId)?.turn?.stop.abort();
}

/** @param {Fields} params */
function steer({ sessionId, prompt: blocks, _meta }) {
	if (switches.has("no-steering")) throw new RpcError(-32601, "Method not found: _session/steering");
	const turn = open.get(textOf(sessionId))?.turn;
	if (turn === undefined)
		return { outcome: fieldsOf(fieldsOf(_meta).steering).idleBehavior === "promptRequired" ? "promptRequired" : "started" };
	turn.steered.push(
		listOf(blocks)
			.map((block) => textOf(block.text))
			.join("\n"),
	);
	turn.onSteer();
	return { outcome: "injected" };
}

/** @param {string} sessionId */
async function closeSession(sessionId) {
	const session = sessions.find(sessionId);
	if (session === undefined) throw new RpcError(-32002, `Session not found: ${sessionId}`);
	cancel(sessionId);
	open.delete(sessionId);
	sessions.close(session);
	return {};
}

/** @param {string} sessionId @returns {Session} */
function get(sessionId) {
	const session = open.has(sessionId) ? sessions.find(sessionId) : undefined;
	// A session whose inner process has died is known again when it is resumed.
	if (session === undefined || session.pid === -1) throw new RpcError(-32002, `Session not found: ${sessionId}`);
	return session;
}

/** @param {Session} session */
const toInfo = ({ id, cwd, title }) => ({ sessionId: id, cwd, title: title || "A scripted session", updatedAt: new Date(0).toISOString() });

function floodErrors() {
	process.stderr.write(`${"something is wrong ".repeat(500)}\n`, () => setImmediate(floodErrors));
}
