import type { CopilotClient } from "@github/copilot-sdk";
import type { Model } from "@rightseat/protocol/model/language-model";
import { AppError } from "../../../core/kernel/errors.ts";
import type { ModelList } from "../../../core/ports/agent-runtime.ts";

export interface ProviderSettings {
	type: "openai" | "azure" | "anthropic";
	url: string;
	key?: string;
	/** How people call it. */
	label?: string;
}

export const DEMO_MODEL: Model = { id: "demo-pilot", name: "Demo pilot (no real model)", demo: true };
/** Stands in where a provider lists no models and none is configured. */
const UNNAMED_MODEL: Model = { id: "default", name: "The provider's default model" };
const MODELS_LIMIT_MS = 5_000;
const MAX_MODELS = 500;

export async function listCopilotModels(
	client: Pick<CopilotClient, "rpc">,
	{ gitHubToken, defaultModel }: { gitHubToken: string | undefined; defaultModel: string | undefined },
): Promise<ModelList> {
	const asked = client.rpc.models.list(gitHubToken === undefined ? {} : { gitHubToken });
	const { models: found } = await asked.catch((error: unknown) => {
		throw new AppError("provider-auth", "GitHub Copilot did not list its models. Check GITHUB_TOKEN and the network, then try again.", {
			cause: error,
			retryable: true,
		});
	});
	const models = found
		.filter(({ policy }) => policy?.state !== "disabled")
		.map(({ id, name, capabilities, billing, supportedReasoningEfforts: efforts }): Model => {
			const { supports, limits } = capabilities;
			const contextLimit = limits?.max_context_window_tokens;
			return {
				id,
				name,
				...(supports?.vision === undefined ? {} : { vision: supports.vision }),
				...(supports?.reasoningEffort === undefined ? {} : { reasoning: supports.reasoningEffort }),
				...(efforts === undefined ? {} : { efforts }),
				...(contextLimit === undefined ? {} : { contextLimit }),
				...(billing?.multiplier === undefined ? {} : { multiplier: billing.multiplier }),
			};
		});
	return withDefault(models, defaultModel);
}

/** Asks the provider itself; the runtime never does. */
export async function listProviderModels(provider: ProviderSettings, defaultModel: string | undefined): Promise<ModelList> {
	// Not every server lists its models, and one that is down now may answer at the first prompt; that one tells people what is wrong.
	const unlisted = (because: string): ModelList => {
		const { models, default: first } = withDefault([], defaultModel ?? UNNAMED_MODEL.id);
		return { state: "unlisted", models, default: first, because };
	};
	const answer = await askForModels(provider);
	if (answer.at === "silent") return unlisted(answer.because);
	if (answer.at === "refused") return unlisted(`the provider answered HTTP ${answer.status}`);
	return answer.models.length === 0 ? unlisted("the provider names none") : withDefault(answer.models, defaultModel);
}

/** What a provider answers when it is asked for its models. */
export type ModelsAnswer = { at: "listed"; models: Model[] } | { at: "refused"; status: number } | { at: "silent"; because: string };

/** Never rejects. */
export async function askForModels(provider: ProviderSettings): Promise<ModelsAnswer> {
	try {
		const response = await fetch(modelsUrl(provider), { headers: authHeaders(provider), signal: AbortSignal.timeout(MODELS_LIMIT_MS) });
		return response.ok ? { at: "listed", models: readModels(await response.json()) } : { at: "refused", status: response.status };
	} catch (error) {
		const late = error instanceof Error && error.name === "TimeoutError";
		return {
			at: "silent",
			because: late ? `the provider did not answer within ${MODELS_LIMIT_MS / 1000} s` : "the provider could not be reached",
		};
	}
}

function withDefault(models: Model[], defaultModel: string | undefined): ModelList {
	const first = defaultModel ?? models[0]?.id;
	if (first === undefined)
		throw new AppError("unknown-model", "The provider offers no model. Name one in COPILOT_DEFAULT_MODEL.", { params: { reason: "none" } });
	const known = models.some(({ id }) => id === first);
	const named = first === UNNAMED_MODEL.id ? UNNAMED_MODEL : { id: first, name: first };
	return { state: "listed", models: known ? models : [named, ...models], default: first };
}

function modelsUrl({ type, url }: ProviderSettings): string {
	const base = url.replace(/\/+$/, "");
	if (type === "anthropic") return `${base}/v1/models`;
	return type === "azure" ? `${base}/openai/v1/models` : `${base}/models`;
}

function authHeaders({ type, key }: ProviderSettings): Record<string, string> {
	if (key === undefined) return {};
	if (type === "anthropic") return { "x-api-key": key, "anthropic-version": "2023-06-01" };
	return type === "azure" ? { "api-key": key } : { authorization: `Bearer ${key}` };
}

function readModels(body: unknown): Model[] {
	const list = typeof body === "object" && body !== null && "data" in body && Array.isArray(body.data) ? body.data : [];
	const models: Model[] = [];
	for (const item of list.slice(0, MAX_MODELS)) {
		const entry: unknown = item;
		if (typeof entry !== "object" || entry === null || !("id" in entry) || typeof entry.id !== "string") continue;
		const name = "display_name" in entry && typeof entry.display_name === "string" ? entry.display_name : entry.id;
		models.push({ id: entry.id, name });
	}
	return models;
}
