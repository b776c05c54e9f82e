import { expect, test, vi } from "vitest";
import { trustOwnScripts } from "./trust-own-scripts.ts";

test.each([
	["/sw.js", true],
	["/assets/highlight.worker-D9rEpQnz.js", true],
	["https://evil.example/sw.js", false],
	["/api/attachments/1", false],
	["/assets/../api/attachments/1.js", false],
	["data:text/javascript,alert(1)", false],
	["blob:http://localhost:7417/1", false],
])("[PG111] only our own workers may be started: %s", (url, passes) => {
	const createPolicy = vi.fn();
	trustOwnScripts({ location: new URL("http://localhost:7417/c/1"), trustedTypes: { createPolicy } });
	const [name, rules] = createPolicy.mock.calls[0] ?? [];
	expect(name).toBe("default");
	expect(rules.createScriptURL(url)).toBe(passes ? url : null);
});
