import type { Api } from "../api/api.ts";
import { fleetWords } from "../fleet/fleet-messages.ts";
import { translator } from "../i18n/words.ts";
import type { AppActions } from "./app-actions.ts";
import type { PageState } from "./page-state.ts";
import type { ReportFailure } from "./report-failure.ts";
import type { Toasts } from "./toasts.ts";

/** What a person decides about prompts that wait on the server for other hosts; the list itself comes by frames. */
export function createFleetActions(deps: {
	state: PageState;
	api: Pick<Api, "dropWaiting" | "confirmWaiting">;
	toast: Toasts["toast"];
	reportFailure: ReportFailure;
}): Pick<AppActions, "dropWaiting" | "confirmWaiting"> {
	const { api, reportFailure } = deps;
	return {
		dropWaiting: (id) =>
			void api.dropWaiting(id).then(
				({ mayHaveArrived }) => {
					if (mayHaveArrived) deps.toast({ kind: "info", text: translator(fleetWords, deps.state.get().language)("mayHaveArrived") });
				},
				(error: unknown) => reportFailure(error),
			),
		confirmWaiting: (id) => void api.confirmWaiting(id).catch((error: unknown) => reportFailure(error)),
	};
}
