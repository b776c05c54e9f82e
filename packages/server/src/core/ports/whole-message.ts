import type { AssistantMetadata, Message } from "@rightseat/protocol/model/message";
import type { ToolRecord, TurnPart } from "@rightseat/protocol/model/turn";

/** A stored message of any size: what a page shows of it and, where that is cut, the way to the rest. */
export interface WholeMessage {
	readonly message: Message;
	/** Only of an answer of which `message` is a part. */
	readonly answer?: WholeAnswer;
}

/** An answer that is read piece by piece; a piece has a bounded size. */
export interface WholeAnswer {
	/** What it says beside texts and calls. */
	readonly metadata: Omit<AssistantMetadata, "reasoning" | "tools" | "parts">;
	/** All parts in order, their `content` empty, and their text. */
	readonly parts: readonly { part: TurnPart; text(): Iterable<string> }[];
	content(): Iterable<string>;
	/** Nothing when it has none. */
	reasoning(): Iterable<string>;
	/** Every call, whole, one at a time. */
	tools(): Iterable<ToolRecord>;
	findTool(toolCallId: string): ToolRecord | undefined;
}
