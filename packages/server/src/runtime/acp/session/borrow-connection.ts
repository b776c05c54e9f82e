import { toAppError } from "../../../core/kernel/errors.ts";
import { METHOD_NOT_FOUND, RequestRefused } from "../peer/peer.ts";
import { agentEnvironment } from "../process/agent-env.ts";
import type { AttachmentDeps } from "./attachment.ts";
import { type Connection, connect } from "./connection.ts";
import type { SlotHolder } from "./process-slots.ts";

type Deps = Pick<
	AttachmentDeps,
	"definition" | "limits" | "clock" | "logger" | "redact" | "env" | "markers" | "slots" | "watch" | "cwd" | "account"
>;

/** A process of the agent for one question that belongs to no session; it has left when this settles. Rejects with an AppError. */
export async function borrowConnection<T>(deps: Deps, work: (connection: Connection) => Promise<T>): Promise<T> {
	const { definition, slots, watch } = deps;
	const holder: SlotHolder = { isIdle: () => false, leave: async () => undefined };
	watch.begin();
	await slots.take(holder);
	try {
		const connection = await start(deps);
		try {
			return await work(connection);
		} finally {
			await connection.leave(async () => undefined);
			watch.ended();
		}
	} finally {
		slots.release(holder);
	}

	async function start({ limits, clock, logger, account, redact, cwd }: Deps): Promise<Connection> {
		const mark = await deps.markers.next();
		const own = { ...definition.env, ...definition.environment?.(deps.env) };
		try {
			const connection = await connect({
				...{ definition, limits, clock, logger, account, redact, cwd, mark, signal: new AbortController().signal },
				env: agentEnvironment(deps.env, { own, marker: mark.marker }),
				onRequest: async (method) => {
					throw new RequestRefused(METHOD_NOT_FOUND, `There is no ${method} here.`);
				},
				onNotification: () => undefined,
			});
			connection.ready();
			watch.started(connection.info);
			return connection;
		} catch (error) {
			const known = toAppError(error);
			watch.notStarted(known);
			throw known;
		}
	}
}
