import type { Api } from "../api/api.ts";
import type { Probe } from "../api/probe.ts";
import type { Clock } from "../connection/clock.ts";
import type { Connection } from "../connection/connection.ts";
import type { ViewCache } from "../conversation/view-cache.ts";
import type { Outbox } from "../outbox/outbox.ts";
import type { AppActions } from "./app-actions.ts";
import type { PageState } from "./page-state.ts";
import type { ReportFailure } from "./report-failure.ts";
import { type Ending, endingFrom } from "./signing-out.ts";

/** A network that swallows everything answers nobody: after this long the reader gets what the device has. */
const FIRST_PROBE_MS = 2_000;

export interface SessionActions extends Pick<AppActions, "login" | "logout"> {
	/** Logs in with a code if there is one, shows what the device has, connects. */
	start(code?: string): Promise<void>;
}

/** How a login begins, goes on after a reload, and ends. */
export function createSessionActions(deps: {
	state: PageState;
	api: Pick<Api, "login" | "logout" | "probe">;
	cache: Pick<ViewCache, "loadList">;
	clock: Clock;
	connection: Pick<Connection, "connect" | "state">;
	outbox: Pick<Outbox, "restore" | "flush">;
	/** Asked while the page's code was still loading. */
	firstProbe?: Promise<Probe>;
	reportFailure: ReportFailure;
	signOut: (ending: Ending) => Promise<void>;
}): SessionActions {
	const { state, api, cache, clock, connection, outbox, signOut } = deps;

	async function restoreOutbox(): Promise<void> {
		await outbox.restore();
		// The connection may have opened before the device had answered.
		if (connection.state().kind === "open") outbox.flush();
	}

	function probeAtStart(): Promise<Probe> {
		const late = new Promise<Probe>((resolve) => clock.after(FIRST_PROBE_MS, () => resolve("unreachable")));
		return Promise.race([deps.firstProbe ?? api.probe(), late]);
	}

	async function probeAfterCode(code: string): Promise<Probe> {
		const worked = await api.login({ code }).then(
			() => true,
			() => false,
		);
		// A used code in an open tab is no reason to bother somebody who is logged in.
		return worked ? "ok" : api.probe();
	}

	return {
		async login(credentials) {
			await api.login(credentials);
			state.set({ session: "signed-in" });
			connection.connect();
			await restoreOutbox();
		},
		async logout({ everywhere = false } = {}) {
			await api.logout(everywhere).catch(deps.reportFailure);
			await signOut("left");
		},
		async start(code) {
			const ending = endingFrom(await (code === undefined ? probeAtStart() : probeAfterCode(code)));
			if (ending !== undefined) return signOut(ending);
			state.set({ session: "signed-in" });
			connection.connect();
			const known = await cache.loadList().catch(() => []);
			if (!state.get().conversationsLoaded) state.set({ conversations: Object.fromEntries(known.map((item) => [item.id, item])) });
			await restoreOutbox();
		},
	};
}
