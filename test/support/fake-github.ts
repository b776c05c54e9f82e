import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { playSteps } from "./scripted-model-play.ts";
import { type Step, text } from "./scripted-model-steps.ts";

export const ACCEPTED_TOKEN = "gho_acceptedByTheFake0123456789";

/** GitHub and its Copilot service on loopback: one token is accepted, two models are there, and every request is remembered. */
export interface FakeGitHub {
	/** What the runtime's environment must hold so that it talks to this one. */
	readonly env: { COPILOT_DEBUG_GITHUB_API_URL: string; COPILOT_API_URL: string };
	readonly requests: { method: string; path: string; authorization: string | undefined }[];
	/** Queues the answer to one chat request. */
	reply(...steps: Step[]): void;
	close(): Promise<void>;
}

const MODELS = [model("copilot-one", "Copilot One", "enabled"), model("copilot-off", "Switched off", "disabled")];

export async function startFakeGitHub(): Promise<FakeGitHub> {
	const requests: FakeGitHub["requests"] = [];
	const replies: Step[][] = [];
	const server = createServer((incoming, response) => {
		handle(incoming, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
	});

	async function handle(incoming: IncomingMessage, response: ServerResponse) {
		for await (const _chunk of incoming);
		const { authorization } = incoming.headers;
		const path = incoming.url ?? "";
		requests.push({ method: incoming.method ?? "", path, authorization });
		if (authorization !== `Bearer ${ACCEPTED_TOKEN}`) return sendJson(response, 401, { message: "Bad credentials" });
		if (path.startsWith("/copilot_internal/user")) return sendJson(response, 200, account(base()));
		if (path.startsWith("/api/models")) return sendJson(response, 200, { data: MODELS });
		if (!path.startsWith("/api/chat/completions")) return sendJson(response, 404, { message: `no ${path}` });
		await playSteps(response, replies.shift() ?? [text("Nothing is scripted for this request.")], { id: "fake", model: "copilot-one" });
	}

	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		server.listen(0, "127.0.0.1", resolve);
	});
	const base = () => `http://127.0.0.1:${portOf(server.address())}`;

	return {
		env: { COPILOT_DEBUG_GITHUB_API_URL: base(), COPILOT_API_URL: `${base()}/api` },
		requests,
		reply: (...steps) => replies.push(steps),
		close: () =>
			new Promise<void>((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

const account = (base: string) => ({
	login: "somebody",
	copilot_plan: "individual",
	chat_enabled: true,
	endpoints: { api: `${base}/api`, telemetry: `${base}/telemetry` },
	quota_reset_date: "2030-01-01",
	quota_snapshots: {
		premium_interactions: {
			quota_id: "premium_interactions",
			entitlement: 300,
			remaining: 225,
			percent_remaining: 75,
			unlimited: false,
			overage_count: 0,
			overage_permitted: false,
		},
	},
});

function model(id: string, name: string, state: "enabled" | "disabled") {
	return {
		id,
		name,
		object: "model",
		version: "1",
		vendor: "fake",
		preview: false,
		model_picker_enabled: true,
		policy: { state, terms: "" },
		billing: { is_premium: true, multiplier: 2 },
		capabilities: {
			family: "fake",
			object: "model_capabilities",
			type: "chat",
			tokenizer: "o200k_base",
			limits: { max_context_window_tokens: 64_000, max_prompt_tokens: 60_000, max_output_tokens: 4_000 },
			supports: { streaming: true, tool_calls: true, parallel_tool_calls: true, vision: true },
		},
	};
}

function sendJson(response: ServerResponse, status: number, body: unknown) {
	response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function portOf(address: AddressInfo | string | null): number {
	if (address === null || typeof address === "string") throw new Error("The fake GitHub has no port.");
	return address.port;
}
