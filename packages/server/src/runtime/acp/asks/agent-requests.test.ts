import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import { silentLogger } from "../../../core/kernel/logger.ts";
import type { OpenSession } from "../../../core/ports/agent-runtime.ts";
import { ACP_LIMITS } from "../acp-definition.ts";
import { acpErrors } from "../acp-errors.ts";
import { quirksOf } from "../quirks.ts";
import { createTurn } from "../turn/turn.ts";
import { createAgentRequests } from "./agent-requests.ts";
import { createApprovals } from "./permissions.ts";

const options = [
	{ optionId: "yes", kind: "allow_once" },
	{ optionId: "no", kind: "reject_once" },
];
const allowed = { outcome: { outcome: "selected", optionId: "yes" } };
const refused = { outcome: { outcome: "selected", optionId: "no" } };
const never = new AbortController().signal;

function host(more: { agent?: string; isIdle?: boolean; permit?: OpenSession["permit"]; ask?: OpenSession["ask"] } = {}) {
	const quirks = quirksOf({ id: more.agent ?? "any", command: [] });
	const turn = createTurn({
		clock: createFakeClock(),
		account: { add: () => undefined },
		limits: ACP_LIMITS,
		rules: () => ({ name: "A", model: "", quirks, ourTools: ["Bash"], prefix: "p", earlier: {} }),
		attach: () => new Promise(() => undefined),
		drop: () => undefined,
		describe: ({ message }) => acpErrors.said("A", message),
		redact: (text) => text,
	});
	const stop = new AbortController();
	turn.start({ prompt: "x", displayPrompt: "x" }, stop.signal);
	const asked: string[] = [];
	const request = createAgentRequests({
		turn: () => (more.isIdle === true ? undefined : turn),
		sessionId: () => "s",
		ask: more.ask ?? (async () => ({ answer: "blue", wasFreeform: false })),
		permit:
			more.permit ??
			(async ({ summary }) => {
				asked.push(summary);
				return { kind: "reject", feedback: "No." };
			}),
		approvals: createApprovals(),
		onRefused: () => undefined,
		asksByPermission: quirks.asksByPermission === true,
		logger: silentLogger,
	});
	const permission = (toolCall: object) => request("session/request_permission", { sessionId: "s", toolCall, options }, never);
	return { asked, permission, stop, request };
}

test("[AC46] a request for one of our tools without its input is left to the call itself; with its input, and for other tools, a person decides", async () => {
	const { asked, permission } = host();
	expect(await permission({ toolCallId: "a", title: "mcp_rightseat_Bash" })).toEqual(allowed);
	expect(asked).toEqual([]);
	expect(await permission({ toolCallId: "b", title: "mcp_rightseat_Bash", rawInput: { command: "ls" } })).toEqual(refused);
	expect(await permission({ toolCallId: "c", title: "Something" })).toEqual(refused);
	expect(await permission({ toolCallId: "d", title: "echo rightseat Bash" })).toEqual(refused);
	expect(await permission({ toolCallId: "e", title: "rightseat_Bash", kind: "execute" })).toEqual(refused);
	expect(asked).toEqual(["Run ls", "Use Something", "Use echo rightseat Bash", "Use rightseat_Bash"]);
});

test("[AC45] a question that Qwen Code asks as a permission goes to the person, and the answer back", async () => {
	const { permission } = host({ agent: "qwen" });
	const toolCall = {
		toolCallId: "q",
		title: "Ask",
		rawInput: { questions: [{ question: "Which colour?", options: [{ label: "blue" }] }] },
	};
	expect(await permission(toolCall)).toEqual({ ...allowed, answers: { "0": "blue" } });
});

test("[AC352] questions that come as a permission request and that nobody answers are no permission", async () => {
	const { permission } = host({ agent: "qwen", ask: async () => ({ answer: "Timed out.", wasFreeform: true, isUnanswered: true }) });
	expect(await permission({ toolCallId: "q", title: "Ask", rawInput: { questions: [{ question: "Which colour?" }] } })).toEqual(refused);
});

test("[AC75] what a person has not answered is taken back at once when the turn is stopped, whatever the person does", async () => {
	const { permission, stop } = host({ permit: () => new Promise(() => undefined) });
	const asked = permission({ toolCallId: "a", title: "x", rawInput: { command: "ls" } });
	stop.abort();
	expect(await asked).toEqual({ outcome: { outcome: "cancelled" } });
});

test("[AC79] a request for another session, and one of a kind that we do not know, is refused with its code", async () => {
	const { request } = host();
	await expect(request("session/request_permission", { sessionId: "other" }, never)).rejects.toMatchObject({ rpcCode: -32_602 });
	await expect(request("fs/read_text_file", { sessionId: "s" }, never)).rejects.toMatchObject({ rpcCode: -32_601 });
});

test("[AC78] a permission that is asked for while no turn runs is refused, and nobody is asked", async () => {
	const { asked, permission } = host({ isIdle: true });
	expect(await permission({ toolCallId: "a", title: "Write a file", kind: "edit" })).toEqual(refused);
	expect(asked).toEqual([]);
});
