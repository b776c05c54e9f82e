import { ApiError } from "../api/request.ts";
import type { Translate } from "../i18n/words.ts";
import type { loginWords } from "./login-messages.ts";

export interface LoginSpeech {
	t: Translate<keyof (typeof loginWords)["en"]>;
	/** Any other failure in words. */
	say: (error: unknown) => string;
}

/** Why a login did not work, and what to do; `wrong` is for credentials that were refused. */
export function loginProblem(error: unknown, wrong: string, { t, say }: LoginSpeech): string {
	if (!(error instanceof ApiError)) return t("failed", { message: say(error) });
	if (error.status === 401) return wrong;
	if (error.status === 429) return t("limited", { count: error.retryAfterSeconds ?? 60 });
	return error.status === 0 ? t("unreachable") : t("failed", { message: say(error) });
}
