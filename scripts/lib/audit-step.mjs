import { runNpm } from "./run.mjs";

const LIMIT_MS = 60_000;

/** Known weaknesses of what people get. A registry without an audit service, or no network, is a step that was skipped: no failure, and no success either. @type {import("./steps.mjs").Step} */
export const auditStep = {
	name: "audit of the dependencies",
	run: async () => judgeAudit(await runNpm(["audit", "--omit=dev", "--audit-level=high", "--json"], { timeoutMs: LIMIT_MS })),
};

/**
 * @param {{ code: number, output: string }} finished
 * @returns {import("./steps.mjs").Result}
 */
export function judgeAudit({ code, output }) {
	if (code === 0) return { passed: 1, failed: 0 };
	const counts = /"vulnerabilities":\s*\{[\s\S]*?"(?:high|critical)":\s*[1-9]/.test(output);
	if (counts) return { passed: 0, failed: 1, output };
	return {
		passed: 0,
		failed: 0,
		skipped: 1,
		output: "The registry has no audit service that can be reached: THE DEPENDENCIES WERE NOT AUDITED.",
	};
}
