import { afterEach, beforeEach, expect, test } from "vitest";
import { type CoreBed, createCoreBed } from "../../../../../test/support/core.ts";
import { createScriptedRuntime, type ScriptedRuntime } from "../../../../../test/support/scripted-runtime.ts";
import { conversationId } from "../kernel/ids.ts";

let bed: CoreBed;
let other: ScriptedRuntime;
beforeEach(async () => {
	other = createScriptedRuntime();
	bed = await createCoreBed({}, { path: ":memory:" }, { other });
});
afterEach(() => bed.close());

/** A conversation with the other agent; its session is open when a turn has run. */
async function begin({ turn }: { turn: boolean }) {
	const id = conversationId((await bed.conversations.create({ agent: "other" })).id);
	if (!turn) return id;
	bed.conversations.prompt({ conversationId: id, prompt: "Hello", origin: "web" });
	(await other.nextTurn()).end();
	await bed.clock.advance(100);
	return id;
}

const OFFERED = {
	modes: [
		{ id: "agent", name: "Agent" },
		{ id: "plan", name: "Plan" },
	],
	efforts: [{ id: "high", name: "High" }],
};

test("[AG270] a mode and an effort are those that the agent has; they are stored, told, and reach the open session and every one after it", async () => {
	const id = await begin({ turn: true });
	other.offered = OFFERED;
	expect(bed.conversations.get(id)).toMatchObject({ mode: "agent", effort: "" });
	const told: unknown[] = [];
	bed.conversations.onChange((change) => told.push(change));
	expect(await bed.conversations.update(id, { mode: "plan", effort: "high" })).toMatchObject({ mode: "plan", effort: "high" });
	await bed.clock.advance(10);
	expect(told).toMatchObject([{ kind: "updated", conversation: { mode: "plan", effort: "high" } }]);
	expect(other.applied).toEqual([{ mode: "plan", effort: "high", agentProfile: "" }]);
	expect(other.opened.at(-1)?.settings()).toMatchObject({ mode: "plan", effort: "high" });
	other.opened.at(-1)?.onModeLeft();
	expect(bed.conversations.get(id)).toMatchObject({ mode: "agent", effort: "high" });
});

test("[AG270] a mode and an effort that are set at the same time by two people do not undo each other, in the store or in the session", async () => {
	const id = await begin({ turn: true });
	other.offered = OFFERED;
	await Promise.all([bed.conversations.update(id, { mode: "plan" }), bed.conversations.update(id, { effort: "high" })]);
	expect(bed.conversations.get(id)).toMatchObject({ mode: "plan", effort: "high" });
	expect(other.applied.at(-1)).toMatchObject({ mode: "plan", effort: "high" });
	await Promise.allSettled([bed.conversations.update(id, { mode: "none" }), bed.conversations.update(id, { mode: "agent" })]);
	expect(bed.conversations.get(id)).toMatchObject({ mode: "agent" });
});

test("[AG270] one that the agent does not have is refused and changes nothing; of an agent that was never open nobody knows", async () => {
	const id = await begin({ turn: false });
	other.offered = OFFERED;
	const refused = { code: "unknown-option", params: { reason: "not-listed", value: "autopilot" } };
	await expect(bed.conversations.update(id, { mode: "autopilot" })).rejects.toMatchObject(refused);
	await expect(bed.conversations.update(id, { effort: "autopilot", title: "No" })).rejects.toMatchObject(refused);
	expect(bed.conversations.get(id)).toMatchObject({ mode: "agent", effort: "", title: "" });
	other.offered = undefined;
	expect(await bed.conversations.update(id, { effort: "low" })).toMatchObject({ effort: "low" });
	expect(await bed.conversations.update(id, { effort: "", mode: "agent" })).toMatchObject({ effort: "" });
	const { choices } = other;
	Reflect.deleteProperty(other, "choices");
	await expect(bed.conversations.update(id, { mode: "plan" })).rejects.toMatchObject({ params: { reason: "no-choice", agent: "other" } });
	other.choices = choices;
});

test("[AG402] a conversation begins with the mode and the effort that were chosen for it, and its first session is opened with them", async () => {
	other.offered = OFFERED;
	const created = await bed.conversations.create({ agent: "other", mode: "plan", effort: "high" });
	expect(created).toMatchObject({ mode: "plan", effort: "high" });
	bed.conversations.prompt({ conversationId: conversationId(created.id), prompt: "Hello", origin: "web" });
	const turn = await other.nextTurn();
	expect(turn.options.settings()).toEqual({ mode: "plan", effort: "high" });
	turn.end();
	await bed.clock.advance(100);
});

test("[AG402] what the agent is known not to have is refused before anything is stored; what is only remembered leaves the choice to the person", async () => {
	other.offered = OFFERED;
	const begun = (more: object) => bed.conversations.create({ agent: "other", ...more }).catch(({ code }: { code: string }) => code);
	expect([await begun({ mode: "autopilot" }), await begun({ effort: "low" })]).toEqual(["unknown-option", "unknown-option"]);
	expect(await bed.conversations.create({ agent: "copilot", mode: "agent", effort: "" })).toMatchObject({ mode: "agent" });
	expect(bed.conversations.list().conversations).toHaveLength(1);
	other.offered = { ...OFFERED, isRemembered: true };
	expect(await begun({ mode: "review", effort: "low" })).toMatchObject({ mode: "review", effort: "low" });
});
