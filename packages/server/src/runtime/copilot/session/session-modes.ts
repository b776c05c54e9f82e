import { type Choice, OWN_MODE, type SessionChoices, type SessionSettings } from "../../../core/ports/agent-runtime.ts";

type RuntimeMode = "interactive" | "plan" | "autopilot";
/** What is needed of a session to set how it works. */
export interface SettableSession {
	rpc: {
		mode: { get(): Promise<RuntimeMode>; set(mode: { mode: RuntimeMode }): Promise<unknown> };
		agent: {
			getCurrent(): Promise<{ agent?: { name: string } | null }>;
			select(agent: { name: string }): Promise<unknown>;
			deselect(): Promise<unknown>;
		};
		model: {
			getCurrent(): Promise<{ reasoningEffort?: string }>;
			setReasoningEffort(effort: { reasoningEffort: string }): Promise<unknown>;
		};
	};
}

const MODES: readonly Choice[] = [
	{ id: OWN_MODE, name: "Agent" },
	{ id: "plan", name: "Plan" },
	{ id: "autopilot", name: "Autopilot" },
];
/** Where a provider tells nothing of them. Whatever is chosen goes out as `reasoning_effort`. */
const COMMON_EFFORTS = ["minimal", "low", "medium", "high", "xhigh"];
/** The runtime sends nothing then. */
const NO_EFFORT = "none";

/** What a conversation can be set to. `told`: the efforts of the models that tell of theirs; undefined: none does. */
export function choicesOf(told: readonly string[] | undefined): SessionChoices {
	const efforts = told ?? COMMON_EFFORTS;
	return { modes: [...MODES], efforts: efforts.map((id) => ({ id, name: `${id.charAt(0).toUpperCase()}${id.slice(1)}` })) };
}

/** A mode of the runtime, as a conversation names it. */
export const toMode = (mode: string): string => (mode === "interactive" ? OWN_MODE : mode);

/** One that the runtime does not have is left out: its own is the safe one only if nobody chose to plan. */
export function toRuntimeMode(mode: string): RuntimeMode {
	return mode === "plan" || mode === "autopilot" ? mode : "interactive";
}

/** A session that was open before keeps what it was set to then, whatever was chosen since. */
export async function applyTo({ rpc }: SettableSession, { mode, effort, agentProfile = "" }: SessionSettings): Promise<void> {
	const wanted = toRuntimeMode(mode);
	if ((await rpc.mode.get()) !== wanted) await rpc.mode.set({ mode: wanted });
	const now = (await rpc.model.getCurrent()).reasoningEffort ?? "";
	if ((now === NO_EFFORT ? "" : now) !== effort)
		await rpc.model.setReasoningEffort({ reasoningEffort: effort === "" ? NO_EFFORT : effort });
	await choose(rpc, agentProfile);
}

/** One that is no longer there, or whose folder is no longer trusted, is left: the session goes on without. */
async function choose({ agent }: SettableSession["rpc"], profile: string): Promise<void> {
	const now = (await agent.getCurrent()).agent?.name ?? "";
	if (now === profile) return;
	if (profile === "") return void (await agent.deselect());
	await agent.select({ name: profile }).catch(() => (now === "" ? undefined : agent.deselect()));
}
