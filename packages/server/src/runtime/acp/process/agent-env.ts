import { CONVERSATION_VARIABLE } from "@rightseat/protocol/mcp-caller";
import { MARKER_VARIABLE } from "../../markers.ts";

/**
 * The environment of an agent: what a terminal of this person would hold, with the keys of their providers, and nothing that is ours. Agents
 * hand it on to every command that they run.
 */
export function agentEnvironment(
	env: Record<string, string | undefined>,
	more: { own: Record<string, string>; marker: string; conversation?: string },
): Record<string, string> {
	const kept: Record<string, string> = {};
	for (const [name, value] of Object.entries(env)) {
		if (value !== undefined && !OURS.test(name)) kept[name] = value;
	}
	if (kept.PATH !== undefined) kept.PATH = withoutPackagePaths(kept.PATH);
	// What a person wrote into the configuration of this agent wins, whatever its name.
	const ofConversation: Record<string, string> = more.conversation === undefined ? {} : { [CONVERSATION_VARIABLE]: more.conversation };
	return { ...kept, NO_COLOR: "1", ...more.own, ...ofConversation, [MARKER_VARIABLE]: more.marker };
}

const OURS =
	/^(?:RIGHTSEAT_.*|COPILOT_.*|TELEGRAM_.*|GITHUB_TOKEN|GH_TOKEN|NODE_OPTIONS|NODE_CHANNEL_.*|NODE_ENV|BASH_ENV|ENV|npm_.*|VITEST.*)$/;

/** Directories that a package script puts in front; a person's terminal does not have them. */
function withoutPackagePaths(path: string): string {
	return path
		.split(":")
		.filter((entry) => !entry.endsWith("/node_modules/.bin") && !entry.endsWith("/node-gyp-bin"))
		.join(":");
}
