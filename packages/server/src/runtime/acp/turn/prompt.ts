import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import type { TurnAttachment, TurnInput } from "../../../core/ports/agent-runtime.ts";
import { readInlineTexts } from "../../inline-text.ts";

/** One block of a prompt. */
export type PromptBlock =
	| { type: "text"; text: string }
	| { type: "image"; mimeType: string; data: string }
	| { type: "resource"; resource: { uri: string; mimeType: string; text: string } }
	| { type: "resource_link"; uri: string; name: string; mimeType: string };

export interface PromptRules {
	hasImages: boolean;
	/** It takes what is in a file along with the prompt. */
	hasEmbedded: boolean;
	/** Unknown commands are swallowed without a word. */
	swallowsSlash: boolean;
	/** The commands that the agent knows. */
	commands: readonly string[];
	/** Takes our own secrets out of a text. */
	redact(text: string): string;
}

/** A picture goes along with the prompt up to this size; a larger one as a link. */
const MAX_IMAGE_BYTES = 10 * 1024 * 1024;

/** The prompt as the agent gets it: words, pictures where it can see them, small text files where it takes them, and links to all other files. */
export async function toPrompt(input: TurnInput, rules: PromptRules): Promise<PromptBlock[]> {
	const { attachments = [] } = input;
	const texts = rules.hasEmbedded ? await readInlineTexts(attachments, rules.redact) : [];
	const files = await Promise.all(attachments.map((file, index) => toBlock(file, rules.hasImages, texts[index])));
	return [...files, { type: "text", text: wordsOf(input.prompt.toWellFormed(), rules) }];
}

function wordsOf(prompt: string, { swallowsSlash, commands }: PromptRules): string {
	const command = /^\s*\/([^\s/]*)/.exec(prompt)?.[1];
	if (!swallowsSlash || command === undefined || commands.includes(command)) return prompt;
	return `The message: ${prompt}`;
}

async function toBlock({ path, name, mimeType }: TurnAttachment, hasImages: boolean, text: string | undefined): Promise<PromptBlock> {
	const uri = pathToFileURL(path).href;
	if (text !== undefined) return { type: "resource", resource: { uri, mimeType, text } };
	const link: PromptBlock = { type: "resource_link", uri, name: name.toWellFormed(), mimeType };
	if (!hasImages || !mimeType.startsWith("image/")) return link;
	const bytes = await readFile(path).catch(() => undefined);
	if (bytes === undefined || bytes.length > MAX_IMAGE_BYTES) return link;
	return { type: "image", mimeType, data: bytes.toString("base64") };
}
