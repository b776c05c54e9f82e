import { expect, test } from "vitest";
import { acpErrors, endReason } from "./acp-errors.ts";

test("[AC14] a program that is not there is named, with the command that installs it where one is known", () => {
	expect(acpErrors.missing("Codex", "codex-acp", "npm install -g codex-acp").message).toBe(
		"Codex is not installed: there is no program codex-acp. Install it with: npm install -g codex-acp",
	);
	expect(acpErrors.missing("Mine", "mine")).toMatchObject({ code: "agent-missing", params: { reason: "no-program", program: "mine" } });
});

test("[AC455] an agent that was killed from outside has no last words, one that failed has", () => {
	expect(endReason({ code: null, signal: "SIGKILL" }, "[session/create] phase=register totalMs=845")).toBe("signal SIGKILL");
	expect(endReason({ code: null, signal: "SIGABRT" }, "heap out of memory")).toBe("signal SIGABRT: heap out of memory");
	expect(endReason({ code: 3, signal: null }, "No such model.")).toBe("exit code 3: No such model.");
	expect(endReason({ code: null, signal: null }, "")).toBe("exit code unknown");
});

test("[AC15] what an agent says of a failure is one line of bounded length", () => {
	const { message } = acpErrors.startFailed("Mine", `Cannot\n\n  find\tit ${"x".repeat(5_000)}`);
	expect(message.startsWith("Mine did not start: Cannot find it xxx")).toBe(true);
	expect(message.length).toBeLessThan(500);
});
