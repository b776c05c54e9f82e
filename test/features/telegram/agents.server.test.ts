import { afterEach, expect, test } from "vitest";
import { createScriptedRuntime } from "../../support/scripted-runtime.ts";
import { createTelegramBed, type TelegramBed } from "./telegram-harness.ts";

let bed: TelegramBed;
afterEach(() => bed.close());

async function start(config: Parameters<typeof createTelegramBed>[0] = {}) {
	const other = createScriptedRuntime();
	const absent = createScriptedRuntime();
	absent.setHealth({ state: "missing", provider: "acp", message: "absent is not installed.", code: "agent-x" });
	bed = await createTelegramBed({ agents: { other, absent }, ...config });
	return { other, absent };
}
async function write(text: string): Promise<string> {
	bed.ann.text(text);
	await bed.tick();
	return bed.last().text ?? "";
}

test("[TG140] /agent lists the agents with their state and marks the one of the next conversation; those that are there have a button", async () => {
	await start();
	expect(await write("/agent")).toBe(
		"Agents. ● drives the next new conversation of this chat; a conversation keeps its agent.\n● copilot: ready\n○ other: ready\n○ absent: not installed. absent is not installed.",
	);
	expect(bed.labels()).toEqual(["other"]);
});

test("[TG141] a chosen agent drives the next new conversation of this chat, over a restart, and not the one that is there", async () => {
	const { other } = await start();
	const first = await bed.ask("one");
	first.end();
	await bed.tick();
	expect(await write("/agent Other")).toBe("New conversations of this chat begin with other. /new starts one.");
	expect(bed.conversations.get(bed.conversation()).agent).toBe("copilot");
	expect(await write("/new")).toMatch(/^New conversation with other, /);
	expect(bed.conversations.get(bed.conversation()).agent).toBe("other");
	expect(await write("/status")).toMatch(/\nAgent: other, ready$/);
	expect(other.closed).toEqual([]);
});

test("[TG141] a button chooses as well, and the first message of a chat begins with the chosen agent", async () => {
	await start();
	await write("/agent");
	bed.ann.tap(bed.last(), "other");
	await bed.tick();
	expect(bed.last().text).toMatch(/begin with other/);
	await write("/cwd");
	expect(bed.conversations.get(bed.conversation()).agent).toBe("other");
});

test("[TG142] an unknown agent and one that is not installed are refused with what to do, and change nothing", async () => {
	await start();
	expect(await write("/agent nobody")).toMatch(/^⚠️ There is no agent “nobody”\. \/agent lists/);
	expect(await write("/agent absent")).toBe("⚠️ absent is not installed.");
	expect(await write("/agent")).toMatch(/● copilot/);
});

const OFFERED = {
	modes: [
		{ id: "agent", name: "Agent" },
		{ id: "plan", name: "Plan first" },
	],
	efforts: [
		{ id: "low", name: "Low" },
		{ id: "high", name: "High" },
	],
};

test("[TG445] /mode and /effort show what the agent offers and change it, by name and by button; what there is not is said", async () => {
	const { other } = await start();
	expect(await write("/mode")).toBe("⚠️ copilot has nothing of that kind to choose from.");
	await write("/agent other");
	other.offered = undefined;
	await write("/new");
	expect(await write("/effort high")).toMatch(/^⚠️ What other offers is known once it has been open here/);
	other.offered = OFFERED;
	expect(await write("/mode")).toBe("The mode is Agent. Pick another, or write /mode NAME.");
	expect(bed.labels()).toEqual(["● Agent", "Plan first"]);
	bed.ann.tap(bed.last(), "Plan first");
	await bed.tick();
	expect(bed.last().text).toBe("The mode is Plan first from the next message on. The history stays.");
	expect(await write("/effort")).toBe("The effort is the agent’s own choice. Pick another, or write /effort NAME.");
	expect(bed.labels()).toEqual(["● the agent’s own choice", "Low", "High"]);
	expect(await write("/effort HIGH")).toBe("The effort is High from the next message on. The history stays.");
	expect(await write("/mode yolo")).toBe("⚠️ other has no “yolo”. It has: Agent, Plan first, Low, High.");
	expect(bed.conversations.get(bed.conversation())).toMatchObject({ mode: "plan", effort: "high" });
	await write("/effort");
	bed.ann.tap(bed.last(), "the agent’s own choice");
	await bed.tick();
	expect(bed.conversations.get(bed.conversation())).toMatchObject({ mode: "plan", effort: "" });
});

test("[TG446] /new takes a mode and an effort in any order, and starts nothing with a word that is neither", async () => {
	const { other } = await start();
	expect(await write("/new fast")).toMatch(/^⚠️ \/new takes a mode and an effort, and copilot has none/);
	other.offered = OFFERED;
	await write("/agent other");
	expect(await write("/new high Plan First")).toMatch(/^New conversation with other, .*Plan first, High in /);
	const first = bed.conversation();
	expect(bed.conversations.get(first)).toMatchObject({ agent: "other", mode: "plan", effort: "high" });
	for (const wrong of ["plan fast", "plan agent", "highest"])
		expect(await write(`/new ${wrong}`)).toBe(`⚠️ other has no “${wrong}”. It has: Agent, Plan first, Low, High.`);
	expect(bed.conversation()).toBe(first);
	await write("/new low");
	expect(bed.conversations.get(bed.conversation())).toMatchObject({ mode: "agent", effort: "low" });
});

test("[TG140] in Traditional Chinese the list is Chinese", async () => {
	await start({ config: { language: "zh-Hant" } });
	expect(await write("/agent")).toMatch(/^代理清單。[^\n]+\n● copilot: 就緒\n○ other: 就緒\n○ absent: 尚未安裝/);
});

test("[EV300] what one should know about an answer stands below it, in the language of the chat", async () => {
	await start({ config: { language: "zh-Hant" } });
	const turn = await bed.ask("one");
	turn.emit({ kind: "text-delta", messageId: "m", content: "Half an" });
	const params = { reason: "max-tokens", name: "Other" };
	turn.emit({ kind: "notice", code: "answer-cut", message: "Other reached the limit.", params, lasting: true });
	turn.end();
	await bed.tick();
	expect(bed.last().text).toMatch(/^Half an\n+ℹ️ Other 達到模型單次回答的上限/);
});
