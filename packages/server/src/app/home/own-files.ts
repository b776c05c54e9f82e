import { realpathSync } from "node:fs";
import { join } from "node:path";

/**
 * What Rightseat keeps for itself in its home directory: neither the recorder nor the panel of files looks into it. Work trees lie there too, and are
 * people's own.
 */
export const OWN_ENTRIES: readonly string[] = [
	...[
		"token",
		"config.json",
		"model.json",
		"mcp-servers.json",
		"push-keys.json",
		"open-login.html",
		"server.pid",
		"server.json",
		"service.env",
	],
	...["reach.json", "lan", "fleet"],
	...["rightseat.db", "rightseat.db-wal", "rightseat.db-shm", "rightseat.db.lock", "rightseat.db.pid"],
	...["agent", "attachments", "backups", "changes", "logs", "shell"],
];

/** Their real paths. The home directory must be there. */
export function ownFiles(home: string): string[] {
	const real = realpathSync(home);
	return OWN_ENTRIES.map((name) => join(real, name));
}
