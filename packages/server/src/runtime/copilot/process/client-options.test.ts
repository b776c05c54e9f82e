import { expect, test } from "vitest";
import { runtimeEnv } from "./client-options.ts";

test("[RT57] the runtime gets only what it needs of the environment, and no secrets", () => {
	const env = runtimeEnv({
		PATH: "/bin",
		HOME: "/home/me",
		LC_ALL: "C.UTF-8",
		https_proxy: "http://proxy",
		GITHUB_TOKEN: "t",
		TELEGRAM_BOT_TOKEN: "t",
		RIGHTSEAT_PROVIDER_KEY: "k",
		AWS_SECRET_ACCESS_KEY: "s",
		NODE_OPTIONS: "--require x",
		COPILOT_API_URL: "https://127.0.0.1.example.com/api",
		COPILOT_DEBUG_GITHUB_API_URL: "http://127.0.0.1:4000",
		LANG: undefined,
	});
	expect(env).toEqual({
		PATH: "/bin",
		HOME: "/home/me",
		LC_ALL: "C.UTF-8",
		https_proxy: "http://proxy",
		COPILOT_DEBUG_GITHUB_API_URL: "http://127.0.0.1:4000",
	});
});
