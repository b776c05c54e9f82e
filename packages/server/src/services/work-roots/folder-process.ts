import { systemClock } from "../../core/kernel/clock.ts";
import { type FolderReply, isFolderRequest } from "./folder-protocol.ts";
import { createFolderReader } from "./read-folders.ts";

/** The folder process: looks at the folders that people work in, and may be killed at any time. */
const reader = createFolderReader(systemClock);

// A plain exit would wait for threads that wait for a dead mount.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
process.on("message", (message) => {
	if (!isFolderRequest(message)) return;
	void reader.answer(message.ask).then((answer) => {
		const reply: FolderReply = { id: message.id, answer, stuck: reader.stuck };
		if (process.connected) process.send?.(reply, undefined, undefined, () => undefined);
	});
});
