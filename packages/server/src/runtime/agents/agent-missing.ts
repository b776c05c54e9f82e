import { AppError } from "../../core/kernel/errors.ts";
import { acpErrors } from "../acp/acp-errors.ts";
import type { AgentDefinition } from "./agent-definition.ts";

/** Why an agent cannot be used, and exactly what to install. */
export function agentMissing({ name, command, installCommand }: AgentDefinition, { behind }: { behind: boolean }): AppError {
	const [program] = command;
	if (!behind || installCommand === undefined) return acpErrors.missing(name, program, installCommand);
	return new AppError(
		"agent-missing",
		`${name} is there, but not ${program}, which drives it from here. Install that with: ${installCommand}`,
		{ params: { reason: "adapter", name, program, install: installCommand } },
	);
}
