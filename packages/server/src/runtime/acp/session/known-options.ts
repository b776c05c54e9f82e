import type { Logger } from "../../../core/kernel/logger.ts";
import { OWN_MODE, type SessionSettings } from "../../../core/ports/agent-runtime.ts";
import type { AcpDefinition, AcpLimits } from "../acp-definition.ts";
import type { Quirks } from "../quirks.ts";
import type { SessionUpdate } from "../turn/updates.ts";
import { applySettings, notTaken } from "./apply-options.ts";
import type { Attached } from "./attachment.ts";
import { decidesAlone, modeFor, modeNow } from "./modes.ts";
import { type Options, renewed, setOption } from "./options.ts";

/** What can be chosen in a session and which commands it knows, as the agent last said. */
export interface KnownOptions {
	/** What the agent reports of it. One that puts itself into a mode in which nobody is asked is put back, or ended. */
	learn(update: SessionUpdate): void;
	set(options: Options): void;
	/** Rejects with an AppError; without an open session, or for the agent's own choice, it does nothing. */
	setModel(model: string): Promise<void>;
	/** The same for how it works. */
	apply(settings: SessionSettings): Promise<void>;
	/** What the conversation is set to and the agent does not have. */
	notTaken(): string[];
	readonly model: string | undefined;
	readonly commands: readonly string[];
}

export function createKnownOptions(deps: {
	definition: AcpDefinition;
	quirks: Quirks;
	limits: AcpLimits;
	logger: Logger;
	current(): Attached | undefined;
	settings(): SessionSettings;
	onModeLeft(): void;
	onOptions(options: Options): void;
}): KnownOptions {
	const { definition, quirks, limits, logger } = deps;
	let options: Options = {};
	let commands: string[] = [];
	/** What the agent says of its mode meanwhile is our own doing. */
	let isSetting = false;

	const setting = ({ connection, sessionId }: Attached) => ({
		...{ peer: connection.peer, sessionId, name: definition.name, ms: limits.optionMs },
	});

	function set(now: Options): void {
		options = now;
		deps.onOptions(now);
	}

	async function askAgain(current: Attached): Promise<void> {
		const mode = modeFor(options, { mode: OWN_MODE }, quirks);
		if (mode === undefined) return;
		try {
			options = await setOption(options, "mode", mode, setting(current));
		} catch (error) {
			logger.warn({ err: error, agent: definition.id }, "An agent that decides by itself stays in that mode; it is ended");
			void current.connection.kill();
		}
	}

	/** One that has left the mode that people chose says so; one that decides by itself from now on is put back. */
	function watchMode(): void {
		const current = deps.current();
		if (current === undefined) return;
		const wanted = deps.settings().mode;
		const isAlone = options.mode !== undefined && decidesAlone(options.mode.current, quirks);
		if (wanted !== OWN_MODE && !isSetting && modeNow(options, quirks) !== wanted) deps.onModeLeft();
		if (isAlone) void askAgain(current);
	}

	return {
		learn(update) {
			if (update.kind === "commands") commands = update.names;
			if (update.kind === "options") set(renewed(options, { configOptions: update.options }));
			if (update.kind === "mode" && options.mode !== undefined) options = { ...options, mode: { ...options.mode, current: update.modeId } };
			if (update.kind === "mode" || update.kind === "options") watchMode();
		},
		set,
		async setModel(model) {
			const current = deps.current();
			if (current === undefined || model === "" || options.model === undefined) return;
			set(await setOption(options, "model", model, setting(current)));
		},
		async apply(settings) {
			const current = deps.current();
			if (current === undefined) return;
			isSetting = true;
			try {
				set(await applySettings(options, { ...settings, rules: quirks }, setting(current)));
			} finally {
				isSetting = false;
			}
		},
		notTaken: () => notTaken(options, { ...deps.settings(), rules: quirks }),
		get model() {
			return options.model?.current;
		},
		get commands() {
			return commands;
		},
	};
}
