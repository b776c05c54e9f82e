import type { Config, ProviderConfig } from "../config/config.ts";
import { type Finding, failure, ok, warning } from "./finding.ts";

const LIMIT_MS = 5_000;

export function checkAgent(config: Config): Finding | Promise<Finding> {
	if (config.provider !== undefined) return checkProvider(config.provider);
	if (config.githubToken !== undefined) return ok("agent", "GitHub Copilot; the token is tried at the start");
	if (config.accountLogin === "gh") return ok("agent", "GitHub Copilot with the login of gh, which is read at the start");
	return ok("agent", "demo pilot, no real model. Connect one on the page, or set GITHUB_TOKEN or RIGHTSEAT_PROVIDER_URL.");
}

export async function checkTelegram({ telegram }: Config): Promise<Finding> {
	if (telegram === undefined) return ok("telegram", "off");
	const answer = await ask(`${telegram.apiRoot}/bot${telegram.botToken}/getMe`, {});
	if (answer === "unreachable") return failure("telegram", `${telegram.apiRoot} does not answer. Check the network or TELEGRAM_API_ROOT.`);
	if (answer === 200) return ok("telegram", "the bot answers");
	return failure(
		"telegram",
		answer === 401 || answer === 404 ? "the token is refused. Check TELEGRAM_BOT_TOKEN." : `the Bot API answers ${answer}`,
	);
}

async function checkProvider({ type, url, key }: ProviderConfig): Promise<Finding> {
	const headers: Record<string, string> =
		key === undefined
			? {}
			: type === "openai"
				? { authorization: `Bearer ${key}` }
				: type === "azure"
					? { "api-key": key }
					: { "x-api-key": key, "anthropic-version": "2023-06-01" };
	const answer = await ask(`${url}/models`, headers);
	if (answer === "unreachable") return failure("agent", `${url} does not answer. Start the provider or check RIGHTSEAT_PROVIDER_URL.`);
	if (answer === 401 || answer === 403) return failure("agent", `${url} refuses the key. Check RIGHTSEAT_PROVIDER_KEY.`);
	if (answer >= 500) return warning("agent", `${url} answers ${answer}; it may be starting or broken`);
	return ok("agent", `${type} provider at ${url} answers`);
}

/** The status, whatever it says; the address may hold a secret and is in no message. */
async function ask(url: string, headers: Record<string, string>): Promise<number | "unreachable"> {
	try {
		const response = await fetch(url, { headers, signal: AbortSignal.timeout(LIMIT_MS), redirect: "manual" });
		await response.body?.cancel();
		return response.status;
	} catch {
		// No connection, no answer in time: the person gets one sentence for all of it.
		return "unreachable";
	}
}
