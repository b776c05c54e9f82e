import type { CopilotSession } from "@github/copilot-sdk";
import type { ContextPicture } from "@rightseat/protocol/http/context";

type Metadata = CopilotSession["rpc"]["metadata"];
type Attribution = NonNullable<Awaited<ReturnType<Metadata["getContextAttribution"]>>["contextAttribution"]>;
type Heaviest = Awaited<ReturnType<Metadata["getContextHeaviestMessages"]>>["messages"];

const HEAVIEST = 5;

/** What fills the context of a session; undefined before its first turn. Asks no model. */
export async function lookAtContext(metadata: Pick<Metadata, "getContextAttribution" | "getContextHeaviestMessages">) {
	const { contextAttribution } = await metadata.getContextAttribution();
	if (contextAttribution === null || contextAttribution === undefined) return undefined;
	const { messages } = await metadata.getContextHeaviestMessages({ limit: HEAVIEST });
	return toPicture(contextAttribution, messages);
}

/** As everybody is told of it: kinds with nothing in them are left out. */
function toPicture(said: Attribution, heaviest: Heaviest): ContextPicture {
	const { systemPrompt, customInstructions, systemTools, mcpTools, messages, freeSpace, buffer } = said.categories;
	const parts = { system: systemPrompt, instructions: customInstructions, tools: systemTools, mcp: mcpTools, messages };
	return {
		tokens: said.totalTokens,
		limit: said.limit,
		categories: Object.entries({ ...parts, free: freeSpace, buffer }).flatMap(([kind, tokens]) => (tokens > 0 ? [{ kind, tokens }] : [])),
		compactionThreshold: said.compactionThreshold,
		heaviest: heaviest.map(({ role, label, tokens }) => ({ role, label: plainLabel(label), tokens })),
	};
}

/** Without who said it, which stands beside it, and without the time that the runtime puts before every prompt. */
const plainLabel = (label: string) => label.replace(/^\w+: /, "").replace(/^<current_datetime>[^<]*(<\/[^>]*>?|<\/…)?\s*/, "");
