import type { SessionServer } from "../../../core/ports/agent-setup.ts";

/** How often a server that does not answer in time gets another chance before a person has to switch it off and on. */
const MAX_CHANCES = 2;

/** Servers that a session goes on without, because they do not answer, or have more tools than a model can be given. */
export interface LeftOut {
	put(server: SessionServer, error: string): void;
	/** True while a server as it is defined now is left out. */
	has(server: SessionServer): boolean;
	error(name: string): string | undefined;
	/** It gets another chance, unless it had enough. */
	release(name: string): void;
	/** Why it is left out has become known. */
	explain(name: string, error: string): void;
	/** A person wants it again. */
	forget(name: string): void;
}

export function createLeftOut(): LeftOut {
	const all = new Map<string, { definition: string; error: string; chances: number; isOut: boolean }>();
	return {
		put({ name, server }, error) {
			const definition = JSON.stringify(server);
			const known = all.get(name);
			const chances = known?.definition === definition ? known.chances + 1 : 1;
			all.set(name, { definition, error, chances, isOut: true });
		},
		has({ name, server }) {
			const known = all.get(name);
			return known?.isOut === true && known.definition === JSON.stringify(server);
		},
		error: (name) => all.get(name)?.error,
		release(name) {
			const known = all.get(name);
			if (known !== undefined && known.chances < MAX_CHANCES) known.isOut = false;
		},
		explain(name, error) {
			const known = all.get(name);
			if (known !== undefined) known.error = error;
		},
		forget: (name) => void all.delete(name),
	};
}
