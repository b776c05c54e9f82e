import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { type Config, parseConfig } from "../config/config.ts";
import { greeting, listeningUrl } from "./greeting.ts";

function config(env: NodeJS.ProcessEnv): Config {
	const parsed = parseConfig([], { RIGHTSEAT_HOME: tmpdir(), ...env }, "/");
	if (parsed.kind !== "config") throw new Error(JSON.stringify(parsed));
	return parsed.config;
}

test.each([
	[{}, "http://127.0.0.1:80"],
	[{ HOST: "::1" }, "http://[::1]:80"],
	[{ HOST: "0.0.0.0", RIGHTSEAT_BEHIND_PROXY: "1", RIGHTSEAT_PUBLIC_URL: "https://seat.example" }, "http://127.0.0.1:80"],
	[{ HOST: "::", RIGHTSEAT_TLS_CERT: import.meta.filename, RIGHTSEAT_TLS_KEY: import.meta.filename }, "https://[::1]:80"],
])("[CF19] the line for scripts names where it listens on this machine: %j", (env, expected) => {
	expect(listeningUrl(config(env), 80)).toBe(expected);
});

test.each([
	[{}, /Agent +demo pilot: a scripted demo, no real model answers\n +Connect a real one on the page; or set GITHUB_TOKEN/],
	[{ GITHUB_TOKEN: "secret-token" }, /Agent +GitHub Copilot\n/],
	[{ RIGHTSEAT_PROVIDER_URL: "http://127.0.0.1:1/v1" }, /Agent +your own model provider \(openai\) at http:\/\/127\.0\.0\.1:1\/v1\n/],
])("[CF232] the block for people says who answers: %j", (env, expected) => {
	const text = greeting(config(env), { loginUrl: "http://127.0.0.1:80/#code=x", port: 80, logFile: "log" });
	expect(text).toMatch(expected);
	expect(text).not.toContain("secret-token");
});

test("[SE103] the link that people open has a name that no other server is opened under; the bare address is the second choice", () => {
	const text = greeting(config({}), { loginUrl: "http://rightseat.localhost:80/#code=x", port: 80, logFile: "log" });
	expect(text).toMatch(
		/^ +Open +http:\/\/rightseat\.localhost:80\/#code=x\n(.*\n)*? +If your browser does not find it: http:\/\/127\.0\.0\.1:80\/#code=x\n/,
	);
	const own = greeting(config({}), { loginUrl: "https://seat.example/#code=x", port: 80, logFile: "log" });
	expect(own.match(/#code=/g)).toHaveLength(1);
});
