/** One line of the report: what was looked at, how it is, and what to do if it is not well. */
export interface Finding {
	level: "ok" | "warning" | "error";
	subject: string;
	detail: string;
}

export const ok = (subject: string, detail: string): Finding => ({ level: "ok", subject, detail });
export const warning = (subject: string, detail: string): Finding => ({ level: "warning", subject, detail });
export const failure = (subject: string, detail: string): Finding => ({ level: "error", subject, detail });
