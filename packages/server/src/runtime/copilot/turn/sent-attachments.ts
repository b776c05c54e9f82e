import type { MessageOptions } from "@github/copilot-sdk";
import type { TurnAttachment } from "../../../core/ports/agent-runtime.ts";
import { readInlineTexts } from "../../inline-text.ts";

type Sent = NonNullable<MessageOptions["attachments"]>[number];

/**
 * Attachments as the runtime takes them. Of a file it tells the model where it lies, and sends it as a picture if its name ends like one; the words of a
 * small text file go along as well, under the name that its sender gave it, so that no tool is needed to read it.
 */
export async function toSentAttachments(files: readonly TurnAttachment[], redact: (text: string) => string): Promise<Sent[]> {
	const texts = await readInlineTexts(files, redact);
	return files.flatMap((file, index) => {
		const displayName = file.name.toWellFormed();
		const named: Sent = { type: "file", path: file.path, displayName };
		const text = texts[index];
		if (text === undefined) return [named];
		return [named, { type: "blob", data: Buffer.from(text).toString("base64"), mimeType: file.mimeType, displayName }];
	});
}
