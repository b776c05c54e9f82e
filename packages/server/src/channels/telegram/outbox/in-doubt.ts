import type { Logger } from "../../../core/kernel/logger.ts";
import type { Buttons } from "../commands/buttons.ts";
import type { Languages } from "../messages/languages.ts";
import type { Outbox } from "./outbox.ts";
import { noticeKey, type OutboxRow } from "./outbox-store.ts";

/** Telegram did not confirm a message: it may be there, so it is not sent again unless the person taps the button. */
export function createInDoubtNotice(deps: {
	outbox: Pick<Outbox, "send">;
	buttons: Pick<Buttons, "make">;
	languages: Pick<Languages, "words">;
	logger: Logger;
}): (row: OutboxRow) => void {
	return ({ id, thread, outgoing }) => {
		const { chatId } = thread;
		deps.logger.warn({ chatId, rowId: id }, "Telegram did not confirm a message; it is not sent again");
		const { inDoubt: text, sendAgain } = deps.languages.words(chatId);
		// A notice in doubt gets no notice of its own.
		if (outgoing.kind === "text" && outgoing.text === text) return;
		const keyboard = [[deps.buttons.make(chatId, sendAgain, { kind: "resend", rowId: id })]];
		deps.outbox.send(thread, { kind: "text", text, entities: [], keyboard, silent: true }, { key: noticeKey(id) });
	};
}
