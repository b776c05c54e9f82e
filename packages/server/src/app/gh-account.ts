import type { GhLogin } from "../services/model-account/gh-login.ts";
import type { Config } from "./config/config.ts";

/** The configuration with the token that `gh` has now, if its login is what a person chose. Without one the server starts all the same, and says so. */
export async function withGhToken(
	config: Config,
	{ gh, hide, tell }: { gh: GhLogin; hide: (secret: string) => void; tell: (sentence: string) => void },
): Promise<Config> {
	if (config.accountLogin !== "gh") return config;
	try {
		const githubToken = await gh.token();
		hide(githubToken);
		return { ...config, githubToken };
	} catch {
		tell("The login of the GitHub CLI (gh) could not be read, so the demo pilot answers. Run “gh auth login”, then start again.");
		return config;
	}
}
