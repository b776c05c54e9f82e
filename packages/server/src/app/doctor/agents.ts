import { systemClock } from "../../core/kernel/clock.ts";
import { agentMissing } from "../../runtime/agents/agent-missing.ts";
import { defineAgents } from "../../runtime/agents/define-agents.ts";
import { findPrograms } from "../../runtime/agents/find-programs.ts";
import { readPrograms } from "../../services/work-roots/read-programs.ts";
import type { Config } from "../config/config.ts";
import { type Finding, ok, warning } from "./finding.ts";

/** Which agents beside Copilot are on this machine, and what to install for those that are wanted and are not. Starts none. */
export async function checkAgents(
	{ agents, defaultAgent }: Pick<Config, "agents" | "defaultAgent">,
	env: NodeJS.ProcessEnv,
): Promise<Finding> {
	const subject = "other agents";
	const defined = defineAgents(agents);
	const wanted = defined.flatMap(({ definition, behind }) => [definition.command[0], ...(behind === undefined ? [] : [behind])]);
	const { found } = await findPrograms(wanted, { path: env.PATH ?? "", programs: { programs: readPrograms }, clock: systemClock });
	const there: string[] = [];
	const missing: string[] = [];
	for (const { from, definition, behind } of defined) {
		const program = found.get(definition.command[0]);
		const hasBehind = behind !== undefined && found.has(behind);
		if (program !== undefined) there.push(`${definition.name}${program.version === null ? "" : ` ${program.version}`} (${definition.id})`);
		else if (from === "configuration" || hasBehind || definition.id === defaultAgent) {
			missing.push(agentMissing(definition, { behind: hasBehind }).message);
		}
	}
	const listed = there.length === 0 ? "none found; docs/agents.md says how to add one" : there.join(", ");
	return missing.length === 0 ? ok(subject, listed) : warning(subject, `${listed}. ${missing.join(" ")}`);
}
