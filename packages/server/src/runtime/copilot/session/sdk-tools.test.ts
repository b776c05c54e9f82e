import { expect, test } from "vitest";
import { silentLogger } from "../../../core/kernel/logger.ts";
import { createToolCalls, toSdkTool } from "./sdk-tools.ts";

test("[SH109] many tools of one turn at once print no warning", async () => {
	const warnings: string[] = [];
	const listen = (warning: Error) => warnings.push(warning.name);
	process.on("warning", listen);
	const { signal } = new AbortController();
	const host = { signal, output: () => undefined, call: (_: unknown, run: () => Promise<never>) => run() };
	const tool = toSdkTool(
		{ name: "Bash", description: "", parameters: {}, run: () => new Promise(() => undefined) },
		{ host: () => Object(host), once: createToolCalls(), logger: silentLogger },
	);
	for (let i = 0; i < 20; i++) void tool.handler?.({}, { sessionId: "s", toolCallId: `call-${i}`, toolName: "Bash", arguments: {} });
	await new Promise((resolve) => setImmediate(resolve));
	process.off("warning", listen);
	expect(warnings).toEqual([]);
});
