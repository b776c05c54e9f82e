import type { ProviderConfig } from "@github/copilot-sdk";
import type { Clock } from "../../../core/kernel/clock.ts";
import type { ModelList, RuntimeHealth } from "../../../core/ports/agent-runtime.ts";
import type { ModelAccount } from "../../../core/ports/model-account.ts";
import { type DemoModel, startDemoModel } from "../../demo/start-demo-model.ts";
import { memoizeTtl } from "../session/memoize-ttl.ts";
import { DEMO_MODEL, listProviderModels } from "../session/models.ts";

/** Every new session asks for the models; the provider is asked at most this often. */
const MODELS_KEPT_MS = 30_000;
/** A list that failed is asked for again soon, but not for every session that opens: each would wait until the provider's limit. */
const NO_MODELS_KEPT_MS = 3_000;

/** Whose model answers, for one session or one question: it stays what it is when another account is connected. */
export interface UsedAccount {
	readonly kind: Exclude<RuntimeHealth["provider"], "acp">;
	/** Only where Copilot itself answers. */
	readonly gitHubToken: string | undefined;
	provider(): Promise<ProviderConfig | undefined>;
	listModels(): Promise<ModelList>;
	/** How hard its models can think, as they last told; undefined: they do not tell. */
	efforts(): string[] | undefined;
	/** Another one has taken its place. */
	isReplaced(): boolean;
}

/** The account of the server, which people can change while it runs. */
export interface CurrentAccount {
	get(): UsedAccount;
	connect(account: ModelAccount): void;
	close(): Promise<void>;
}

export function createCurrentAccount(deps: {
	first: ModelAccount;
	clock: Clock;
	defaultModel: string | undefined;
	/** Asks Copilot itself, with this token. */
	listCopilot(gitHubToken: string): Promise<ModelList>;
}): CurrentAccount {
	let demo: Promise<DemoModel> | undefined;
	let current: UsedAccount = using(deps.first);

	function using(account: ModelAccount): UsedAccount {
		let efforts: string[] | undefined;
		const used: UsedAccount = {
			kind: account.kind === "own" ? "byok" : account.kind,
			gitHubToken: account.kind === "copilot" ? account.token : undefined,
			provider: () => providerOf(account),
			listModels: memoizeTtl(
				(list) => (list.state === "listed" ? MODELS_KEPT_MS : NO_MODELS_KEPT_MS),
				deps.clock,
				async () => {
					const list = await modelsOf(account);
					const told = list.models.flatMap((model) => model.efforts ?? []);
					efforts = told.length === 0 ? undefined : [...new Set(told)];
					return list;
				},
			),
			efforts: () => efforts,
			isReplaced: () => current !== used,
		};
		return used;
	}
	async function providerOf(account: ModelAccount): Promise<ProviderConfig | undefined> {
		switch (account.kind) {
			case "demo": {
				demo ??= startDemoModel();
				const { url, key } = await demo;
				return { type: "openai", baseUrl: url, apiKey: key };
			}
			case "copilot":
				return undefined;
			case "own":
				return { type: account.type, baseUrl: account.url, ...(account.key === undefined ? {} : { apiKey: account.key }) };
		}
	}
	async function modelsOf(account: ModelAccount): Promise<ModelList> {
		switch (account.kind) {
			case "demo":
				return { state: "listed", models: [DEMO_MODEL], default: DEMO_MODEL.id };
			case "copilot":
				return deps.listCopilot(account.token);
			case "own":
				return listProviderModels(account, deps.defaultModel);
		}
	}
	return {
		get: () => current,
		connect(account) {
			current = using(account);
		},
		async close() {
			if (demo !== undefined) await (await demo).close();
		},
	};
}
