import type { CopilotClient } from "@github/copilot-sdk";
import type { Clock } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import { withTimeout } from "../../../core/kernel/with-timeout.ts";
import type { ModelAccount } from "../../../core/ports/model-account.ts";
import { askForModels, type ProviderSettings } from "../session/models.ts";

/** How long GitHub may take to say what it thinks of a token. */
export const AUTH_LIMIT_MS = 15_000;

export interface TokenCheck {
	client: Pick<CopilotClient, "rpc">;
	gitHubToken: string;
	clock: Clock;
	redact(text: string): string;
}

/** Asks GitHub with this very token; the runtime's own login state knows nothing of it. Rejects with what GitHub says, or that it says nothing. */
export async function checkGitHubToken({ client, gitHubToken, clock, redact }: TokenCheck): Promise<void> {
	const late = () =>
		new AppError("runtime-start-failed", "GitHub did not say within 15 s whether it accepts the token. Check the network.", {
			params: { reason: "github-silent" },
		});
	await withTimeout(client.rpc.account.getQuota({ gitHubToken }), { clock, ms: AUTH_LIMIT_MS, late }).catch((error: unknown) => {
		if (error instanceof AppError) throw error;
		const because = refusalOf(redact(error instanceof Error ? error.message : String(error)));
		throw new AppError("runtime-token-refused", tokenRefused(because), { params: { because } });
	});
}

/** Tries an account that a person wants to connect. Rejects with an AppError for somebody who has just typed it. */
export async function checkAccount(
	account: ModelAccount,
	deps: { getClient(): Promise<Pick<CopilotClient, "rpc">>; clock: Clock; redact(text: string): string },
): Promise<void> {
	if (account.kind === "own") return checkProvider(account);
	if (account.kind === "demo") return;
	await checkGitHubToken({ ...deps, client: await deps.getClient(), gitHubToken: account.token }).catch((error: unknown) => {
		if (!(error instanceof AppError) || error.code !== "runtime-token-refused") throw error;
		const because = String(error.params?.because ?? "");
		throw new AppError(
			"provider-auth",
			`GitHub does not accept this token (${because}). Check that it is whole and that the account has Copilot.`,
			{
				params: { reason: "typed-token", because },
			},
		);
	});
}

/** A provider that lists no models may still answer prompts; one that refuses the key or says nothing does not. */
async function checkProvider(provider: ProviderSettings): Promise<void> {
	const answer = await askForModels(provider);
	if (answer.at === "silent") {
		throw new AppError(
			"provider-unreachable",
			"Nothing answers at this address as a provider of models does. Check it, and that the provider is running.",
			{
				params: { reason: "typed-address" },
			},
		);
	}
	if (answer.at === "refused" && (answer.status === 401 || answer.status === 403)) {
		throw new AppError("provider-auth", `The provider refuses this key (HTTP ${answer.status}). Check that it is whole.`, {
			params: { reason: "typed-key", status: answer.status },
		});
	}
}

function refusalOf(answer: string): string {
	return answer.replace(/^.*failed with message: /s, "").slice(0, 200);
}

function tokenRefused(because: string): string {
	return `GitHub did not accept GITHUB_TOKEN (${because}). Check the token, that the account has Copilot, and the network.`;
}
