import type { Clock } from "../../packages/server/src/core/kernel/clock.ts";
import { silentLogger } from "../../packages/server/src/core/kernel/logger.ts";
import type { Folders } from "../../packages/server/src/core/ports/folders.ts";
import { createFolderClient } from "../../packages/server/src/services/work-roots/folder-client.ts";
import { createFolderReader } from "../../packages/server/src/services/work-roots/read-folders.ts";

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
