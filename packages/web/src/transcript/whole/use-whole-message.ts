import type { Message } from "@rightseat/protocol/model/message";
import { useContext, useState } from "react";
import { api } from "../../api/api.ts";
import { useWords } from "../../i18n/use-words.tsx";
import { useWhole, type Whole } from "./use-whole.ts";
import { WholeContext } from "./whole-memory.ts";
import { wholeWords } from "./whole-messages.ts";

export interface WholeMessage<M> {
	/** The whole one once it has come. */
	message: M;
	/** For `WholeNote`; undefined when nothing is missing. */
	note: { whole: Whole<unknown>; about: string; onLoad: () => void } | undefined;
}

/** A stored message, and the rest of it when a person wants it. Of a turn that still runs there is none yet. */
export function useWholeMessage<M extends Message | undefined>(conversationId: string, message: M): WholeMessage<M> {
	const t = useWords(wholeWords);
	const [wanted, setWanted] = useState(false);
	const id = message?.id ?? "";
	const cut = message !== undefined && isCut(message);
	const { whole, retry } = useWhole<Message>({
		key: id,
		wanted: wanted && cut,
		memory: useContext(WholeContext)?.messages,
		load: (signal) => api.message(conversationId, id, signal),
	});
	if (message === undefined || !cut) return { message, note: undefined };
	if (whole.kind === "whole" && isOf(message, whole.value)) return { message: whole.value, note: undefined };
	const chars = charsOf(message);
	const about = chars === undefined ? t("partOfList") : t("partOfText", { count: chars });
	return { message, note: { whole, about, onLoad: wanted ? retry : () => setWanted(true) } };
}

/** Calls of tools fetch their own rest, when their card is opened. */
function isCut(message: Message): boolean {
	if (message.truncated !== undefined) return true;
	return message.role === "assistant" && message.metadata.parts.some((part) => "truncated" in part && part.truncated !== undefined);
}

function charsOf(message: Message): number | undefined {
	if (message.truncated?.content !== undefined) return message.truncated.content;
	if (message.role !== "assistant") return undefined;
	const sizes = message.metadata.parts.flatMap((part) => ("truncated" in part && part.truncated !== undefined ? [part.truncated] : []));
	return sizes.length === 0 ? undefined : sizes.reduce((sum, size) => sum + size, 0);
}

function isOf<M extends Message | undefined>(known: M, fetched: Message): fetched is M & Message {
	return fetched.role === known?.role && fetched.id === known.id;
}
