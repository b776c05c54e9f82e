import type { Logger } from "../../../core/kernel/logger.ts";
import type { AcpDefinition, AcpLimits } from "../acp-definition.ts";
import type { Quirks } from "../quirks.ts";
import type { SessionUpdate } from "../turn/updates.ts";
import type { Attached } from "./attachment.ts";
import { askModeOf, decidesAlone, type Options, readOptions, setOption } from "./options.ts";

/** What can be chosen in a session and which commands it knows, as the agent last said. */
export interface KnownOptions {
	/** What the agent reports of it. One that puts itself into a mode in which nobody is asked is put back, or ended. */
	learn(update: SessionUpdate): void;
	set(options: Options): void;
	/** Rejects with an AppError; without an open session, or for the agent's own choice, it does nothing. */
	setModel(model: string): Promise<void>;
	readonly model: string | undefined;
	readonly commands: readonly string[];
}

export function createKnownOptions(deps: {
	definition: AcpDefinition;
	quirks: Quirks;
	limits: AcpLimits;
	logger: Logger;
	current(): Attached | undefined;
	onOptions(options: Options): void;
}): KnownOptions {
	const { definition, quirks, limits, logger } = deps;
	let options: Options = {};
	let commands: string[] = [];

	const setting = ({ connection, sessionId }: Attached) => ({
		...{ peer: connection.peer, sessionId, name: definition.name, ms: limits.optionMs },
	});

	function set(now: Options): void {
		options = now;
		deps.onOptions(now);
	}

	async function askAgain(current: Attached): Promise<void> {
		const mode = askModeOf(options.mode, quirks.askModes);
		if (mode === undefined) return;
		try {
			options = await setOption(options, "mode", mode, setting(current));
		} catch (error) {
			logger.warn({ err: error, agent: definition.id }, "An agent that decides by itself stays in that mode; it is ended");
			void current.connection.kill();
		}
	}

	return {
		learn(update) {
			if (update.kind === "commands") commands = update.names;
			if (update.kind === "options") set({ ...options, ...readOptions({ configOptions: update.options }) });
			if (update.kind === "mode" && options.mode !== undefined) options = { ...options, mode: { ...options.mode, current: update.modeId } };
			if (update.kind !== "mode" && update.kind !== "options") return;
			const current = deps.current();
			if (current !== undefined && options.mode !== undefined && decidesAlone(options.mode.current)) void askAgain(current);
		},
		set,
		async setModel(model) {
			const current = deps.current();
			if (current === undefined || model === "" || options.model === undefined) return;
			set(await setOption(options, "model", model, setting(current)));
		},
		get model() {
			return options.model?.current;
		},
		get commands() {
			return commands;
		},
	};
}
