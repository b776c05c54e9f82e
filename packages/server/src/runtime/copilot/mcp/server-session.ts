import type { OpenSession } from "../../../core/ports/agent-runtime.ts";
import type { Attached, Attachment } from "../session/attachment.ts";
import { tasksOf } from "../sub-agents/background.ts";
import type { TurnSession } from "../turn/turn.ts";
import { createOpenSetup } from "./open-setup.ts";
import { createSessionServers, type SessionServersDeps } from "./session-servers.ts";

/** How often a session is opened anew for one prompt because of its MCP servers. */
const MAX_REOPENINGS = 8;

/** A session together with its MCP servers. */
export function createServerSession(
	deps: Omit<SessionServersDeps, "wanted" | "cwd"> & {
		options: Pick<OpenSession, "mcpServers" | "cwd">;
		attachment(): Pick<Attachment, "attach" | "invalidate" | "peek">;
	},
) {
	const { options, attachment, ...rest } = deps;
	const { cwd } = options;
	const servers = createSessionServers({ ...rest, cwd, wanted: async () => (await options.mcpServers?.()) ?? [] });

	/** With its servers started: until then no prompt is sent, and whoever is late is left out. */
	async function attachReady(): Promise<{ held: Attached; release: () => void }> {
		for (let round = 0; ; round += 1) {
			const held = await attachment().attach();
			if (held.lease.retired) continue;
			const release = held.lease.hold();
			if (round >= MAX_REOPENINGS || (await servers.prepare(held))) return { held, release };
			release();
			attachment().invalidate();
		}
	}

	/** The runtime that a turn runs on stays until the turn is over, even if another one takes its place. */
	async function holdFor(over: () => Promise<void>): Promise<Attached> {
		const { held, release } = await attachReady();
		void over().then(release);
		return held;
	}

	return {
		config: servers.config,
		handle: servers.handle,
		holdFor,
		/** For a turn with a prompt. */
		async attachFor(over: () => Promise<void>): Promise<TurnSession> {
			const held = await holdFor(over);
			return { ...servers.guard(held, over()), tasks: tasksOf(held.sdk) };
		},
		setup: createOpenSetup({
			...{ servers, clock: deps.clock, cwd, current: () => attachment().peek() },
			async ready() {
				const { held, release } = await attachReady();
				release();
				return held;
			},
		}),
	};
}
