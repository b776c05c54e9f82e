import type { ProviderType } from "@rightseat/protocol/http/model-account";

/** Whose model answers in conversations with Copilot. */
export type ModelAccount =
	| { kind: "demo" }
	| { kind: "copilot"; token: string }
	| { kind: "own"; type: ProviderType; url: string; key?: string | undefined };

/** Changes that while the server runs. */
export interface ModelAccounts {
	/** Tries it; nothing changes. Rejects with an AppError that says what is wrong with it. */
	check(account: ModelAccount): Promise<void>;
	/** From the next prompt on it answers; turns that run end as they began. */
	connect(account: ModelAccount): void;
}
