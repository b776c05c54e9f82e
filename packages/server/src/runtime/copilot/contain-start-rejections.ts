import type { CopilotClient } from "@github/copilot-sdk";
import type { Logger } from "../../core/logger.ts";

/**
 * A runtime that cannot be executed makes the SDK leave a rejection that nobody handles, which would end this process.
 * It is caught while `start` runs; anything that is not the SDK's goes on to end the process as it should.
 */
export function containStartRejections(client: CopilotClient, logger: Logger): CopilotClient {
	const start = client.start.bind(client);
	client.start = async () => {
		const onRejection = (reason: unknown) => {
			if (!isTransportError(reason)) {
				setImmediate(() => {
					throw reason;
				});
				return;
			}
			logger.warn({ error: reason.message }, "The Copilot runtime could not be reached while it was started.");
		};
		process.on("unhandledRejection", onRejection);
		try {
			await start();
		} finally {
			// The rejection is reported a turn of the loop after the start has failed.
			setTimeout(() => process.off("unhandledRejection", onRejection), 200).unref();
		}
	};
	return client;
}

function isTransportError(reason: unknown): reason is Error {
	if (!(reason instanceof Error)) return false;
	return (
		/copilot-sdk|vscode-jsonrpc/.test(reason.stack ?? "") ||
		/stream was destroyed|EPIPE|connection got disposed|Connection is closed/.test(reason.message)
	);
}
