import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createAskView } from "./ask-view.ts";
import { followAsked } from "./asked-turn.ts";
import type { CommandContext } from "./command.ts";

test("[CL131] a form that comes to a script is told with its fields and where to fill it in, and is not answered", () => {
	const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
	const sent: unknown[] = [];
	const view = createAskView({
		context: { argv: [], env: {}, cwd: "/", language: "en", stdin, stdout, stderr } as unknown as CommandContext,
		...{ conversationId: "c1", where: "http://here/c/c1", isJson: false, onInterrupt: () => undefined },
		...{ pause: () => undefined, resume: () => undefined },
		deliver: (frame) => sent.push(frame) > 0,
	});
	const answered: string[] = [];
	const quiet = () => undefined;
	const turn = followAsked("m1", {
		...{ onQueued: quiet, onResting: quiet, onText: quiet, onMessage: quiet, onReset: quiet, onTurn: quiet, onTool: quiet },
		...{ onProblem: quiet, onEnd: quiet, onAsk: view.ask, onAnswered: (id) => void answered.push(id) },
	});
	const of = { conversationId: "c1", epoch: "e1", seq: 1 };
	const identity = { messageId: "t1", userMessageId: "p1", startedAt: "2026-01-01T00:00:00.000Z" };
	turn.stored("p1");
	turn.event({ type: "copilot:stream-status", data: { ...of, status: "streaming", turn: identity } });
	const schema = { type: "object", properties: { name: { type: "string" } } };
	turn.event({
		type: "copilot:form_request",
		data: { ...of, requestId: "f1", source: "shop", message: "For whom?", schema, expiresAt: "" },
	});
	turn.event({ type: "copilot:form_resolved", data: { ...of, requestId: "f1", outcome: "expired" } });
	expect(String(stderr.read())).toBe(
		"? shop asks: For whom?\n  · name\n  It waits for an answer, on the page or in Telegram: http://here/c/c1\n",
	);
	expect([sent, answered]).toEqual([[], ["f1"]]);
	view.close();
});
