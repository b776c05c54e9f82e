import { ApiError } from "../api/request.ts";
import { commonWords } from "../i18n/common-messages.ts";
import { failureText } from "../i18n/error-text.ts";
import { translator } from "../i18n/words.ts";
import type { PageState } from "./page-state.ts";
import { type Ending, endingOf } from "./signing-out.ts";
import type { Toasts } from "./toasts.ts";

/** Shows why something failed; a lost login leads to the login form. */
export type ReportFailure = (error: unknown) => void;

export function createReportFailure(deps: {
	state: PageState;
	toast: Toasts["toast"];
	signOut: (ending: Ending) => Promise<void>;
}): ReportFailure {
	return (error) => {
		if (error instanceof ApiError && error.status === 401) {
			void deps.signOut(endingOf(error));
			return;
		}
		const message = failureText(error, deps.state.get());
		deps.toast({ kind: "error", text: translator(commonWords, deps.state.get().language)("somethingFailed", { message }) });
	};
}
