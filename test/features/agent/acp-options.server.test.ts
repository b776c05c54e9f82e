import { expect, test } from "vitest";
import type { SessionSettings } from "../../../packages/server/src/core/ports/agent-runtime.ts";
import { useAcp } from "./acp-harness.ts";
import { ofKind, runTurn, shownText } from "./runtime-harness.ts";

const start = useAcp();

/** A conversation's settings, as core keeps them. */
function keepSettings(settings: SessionSettings) {
	const kept = { ...settings };
	return { kept, settings: () => ({ ...kept }), onModeLeft: () => void Object.assign(kept, { mode: "agent" }) };
}

test("[AC330] mode and effort are set before the first prompt, and again after every resume of an agent that forgets them", async () => {
	const host = start(["options-reset", "start-mode=bypassPermissions"]);
	const { settings, onModeLeft } = keepSettings({ mode: "plan", effort: "high" });
	const session = await host.open({ settings, onModeLeft, model: "large" });
	const wanted = { mode: "plan", model: "large", effort: "high", fast: false };
	expect(JSON.parse(shownText(await runTurn(session, "options")))).toEqual(wanted);
	await runTurn(session, "die");
	const again = await runTurn(session, "options");
	expect(JSON.parse(shownText(again))).toEqual(wanted);
	expect(ofKind(again, "notice")).toEqual([]);
});

test("[AC332] what is chosen while the session is open holds from then on; a refusal is told to whoever chose", async () => {
	const host = start();
	const { kept, settings, onModeLeft } = keepSettings({ mode: "agent", effort: "" });
	const session = await host.open({ settings, onModeLeft, model: "large" });
	expect(host.runtime.choices?.()).toMatchObject({ modes: [{ id: "agent" }, { id: "plan" }], efforts: [{ id: "low" }, { id: "high" }] });
	Object.assign(kept, { mode: "plan", effort: "high" });
	await session.apply?.(settings());
	expect(JSON.parse(shownText(await runTurn(session, "options")))).toMatchObject({ mode: "plan", effort: "high" });
	Object.assign(kept, { mode: "agent", effort: "" });
	await session.apply?.(settings());
	expect(JSON.parse(shownText(await runTurn(session, "options")))).toMatchObject({ mode: "default", effort: "high" });
	const stubborn = start(["option-fails"]);
	const other = await stubborn.open(keepSettings({ mode: "agent", effort: "" }));
	await expect(other.apply?.({ mode: "plan", effort: "" })).rejects.toMatchObject({ code: "agent-start-failed" });
});

test("[AC332] an effort that the agent does not have is told in the next turn, once", async () => {
	const host = start();
	const session = await host.open({ ...keepSettings({ mode: "agent", effort: "high" }), model: "small" });
	expect(ofKind(await runTurn(session, "say Hello."), "notice")).toMatchObject([{ code: "option-not-taken", params: { value: "high" } }]);
	expect(ofKind(await runTurn(session, "say Hello."), "notice")).toEqual([]);
});

test("[AC332] a mode that the agent leaves by itself is left in the conversation, and one in which it would decide alone is taken back", async () => {
	const host = start();
	const { kept, settings, onModeLeft } = keepSettings({ mode: "plan", effort: "" });
	const session = await host.open({ settings, onModeLeft });
	expect(ofKind(await runTurn(session, "mode bypassPermissions\nsay Off I go."), "notice")).toEqual([]);
	expect(kept.mode).toBe("agent");
	expect(JSON.parse(shownText(await runTurn(session, "options")))).toMatchObject({ mode: "default" });
});
