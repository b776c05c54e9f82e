import type { SubAgent, SubAgentPart } from "@rightseat/protocol/model/sub-agent";
import { cutText, cutTextTail } from "@rightseat/protocol/text";
import { newest, type PreviewLevel } from "../kernel/fit.ts";

/** The newest sub-agents, of each the end of what it said and did: what is still to come is appended to it. */
export function previewSubAgents(agents: readonly SubAgent[], level: PreviewLevel): SubAgent[] {
	return newest(agents, level.items).map((agent) => {
		const parts = previewParts(agent.parts, level);
		const isCut = agent.truncated === true || charsOf(parts) < charsOf(agent.parts) || parts.length < agent.parts.length;
		return {
			...agent,
			parts,
			...(agent.error === undefined ? {} : { error: cutText(agent.error, level.field) }),
			...(isCut ? { truncated: true } : {}),
		};
	});
}

function previewParts(parts: readonly SubAgentPart[], level: PreviewLevel): SubAgentPart[] {
	let left = level.field;
	return newest(parts, level.items)
		.toReversed()
		.flatMap((part): SubAgentPart[] => {
			if (part.kind === "tool") return [part];
			const content = part.content.length > left ? cutTextTail(part.content, left) : part.content;
			left -= content.length;
			return content === "" ? [] : [{ ...part, content }];
		})
		.reverse();
}

const charsOf = (parts: readonly SubAgentPart[]) => parts.reduce((sum, part) => sum + (part.kind === "text" ? part.content.length : 0), 0);
