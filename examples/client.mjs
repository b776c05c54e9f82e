// A whole client, written from docs/http-api.md and docs/websocket.md:
//   RIGHTSEAT_URL=http://127.0.0.1:7417 RIGHTSEAT_TOKEN=$(cat ~/.rightseat/token) node examples/client.mjs "Why does the test fail?"
// It lists the conversations, begins one, sends the prompt, writes the answer to standard output as it comes, answers questions
// with their first choice, and after a lost connection goes on where it was.
import { randomUUID } from "node:crypto";
import { WebSocket } from "ws";

const url = process.env.RIGHTSEAT_URL ?? "http://127.0.0.1:7417";
const authorization = `Bearer ${process.env.RIGHTSEAT_TOKEN ?? ""}`;
const prompt = process.argv[2] ?? "Hello";
const tell = (text) => process.stderr.write(`${text}\n`);

async function api(method, path, body) {
	const headers = { authorization, ...(body === undefined ? {} : { "content-type": "application/json" }) };
	const response = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
	if (response.ok) return response.status === 204 ? undefined : response.json();
	const { error } = await response.json();
	throw new Error(`${error.code}: ${error.message}`);
}

const { conversations } = await api("GET", "/api/conversations?limit=5");
for (const { id, title, status } of conversations) tell(`${id} ${status} ${title}`);
const { conversation } = await api("POST", "/api/conversations", { title: prompt.slice(0, 60) });
const conversationId = conversation.id;

/** Where we are in the log of the conversation; survives the connection. */
const position = { epoch: undefined, lastSeq: undefined };
const clientMessageId = randomUUID();
let isAcknowledged = false;
let socket;
let pinging;

function send(type, data) {
	socket.send(JSON.stringify({ type, requestId: randomUUID(), data }));
}

function connect() {
	socket = new WebSocket(`${url.replace(/^http/, "ws")}/ws`, { headers: { authorization } });
	socket.on("open", () => {
		send("copilot:subscribe", { conversationId, ...position });
		// The same id is the same message: sending it again after a lost connection runs nothing twice.
		if (!isAcknowledged) send("copilot:send", { conversationId, prompt, clientMessageId });
		pinging = setInterval(() => send("ping"), 60_000);
	});
	socket.on("message", (text) => receive(JSON.parse(String(text))));
	socket.on("error", (error) => tell(error.message));
	socket.on("close", (code) => {
		clearInterval(pinging);
		if (code === 4001 || code === 1008 || code === 1009) process.exit(1);
		tell(`Connection lost (${code}); trying again.`);
		setTimeout(connect, 1_000);
	});
}

function receive({ type, data }) {
	if (type === "hello") return tell(`${data.host}: Rightseat ${data.server}, protocol ${data.protocol}`);
	if (type === "error") return tell(`${data.code}: ${data.message}`);
	if (type === "copilot:nack") {
		tell(`${data.code}: ${data.message}`);
		process.exit(1);
	}
	if (type === "copilot:ack") isAcknowledged = true;
	if (type === "copilot:snapshot" && data.conversationId === conversationId) {
		Object.assign(position, { epoch: data.epoch, lastSeq: data.seq });
		for (const question of data.questions) event("copilot:user_input_request", question);
		if (isAcknowledged && data.status !== "streaming") event("copilot:idle", { outcome: data.status });
	}
	if (data?.conversationId !== conversationId || data.seq === undefined || type === "copilot:snapshot") return;
	// An event, perhaps of a type that we do not know: it has its place all the same.
	if (data.epoch !== position.epoch || data.seq > position.lastSeq + 1) {
		return send("copilot:subscribe", { conversationId, ...position });
	}
	if (data.seq <= position.lastSeq) return;
	position.lastSeq = data.seq;
	event(type, data);
}

function event(type, data) {
	if (type === "copilot:delta") process.stdout.write(data.content);
	if (type === "copilot:tool_start") tell(`[${data.toolName}] ${JSON.stringify(data.arguments)}`);
	if (type === "copilot:error") tell(`${data.code}: ${data.message}`);
	if (type === "copilot:user_input_request") {
		tell(data.question);
		const answer = data.choices?.[0] ?? "Do what you think is best.";
		send("copilot:user_input_response", { conversationId, requestId: data.requestId, answer });
	}
	if (type === "copilot:idle") {
		process.stdout.write("\n");
		process.exit(data.outcome === "completed" ? 0 : 1);
	}
}

connect();
