import { createFolderClient } from "../../packages/server/src/channels/web/folders/folder-client.ts";
import { createFolderReader } from "../../packages/server/src/channels/web/folders/read-folders.ts";
import type { Clock } from "../../packages/server/src/core/clock.ts";
import { silentLogger } from "../../packages/server/src/core/logger.ts";
import type { Folders } from "../../packages/server/src/core/ports/folders.ts";

/** The folder process's work done here, for tests whose folders are sure to answer. */
export function createLocalFolders(clock: Clock): Folders & { close(): void } {
	return createFolderClient({
		clock,
		logger: silentLogger,
		start(listener) {
			const reader = createFolderReader(clock);
			return {
				send: ({ id, ask }) => void reader.answer(ask).then((answer) => listener.reply({ id, answer, stuck: reader.stuck })),
				kill: () => listener.exit(),
			};
		},
	});
}
