import { resolve } from "node:path";
import type { FolderSetupAnswer, FolderTrustList } from "@rightseat/protocol/http/folders";
import { AppError } from "../../core/kernel/errors.ts";
import type { AuditLog } from "../../core/ports/audit.ts";
import type { Folders } from "../../core/ports/folders.ts";
import type { TrustedFolders } from "../../core/ports/trusted-folders.ts";
import type { WorkRoots } from "../work-roots/work-roots.ts";

/** What folders bring for agents, and what people say about that. Paths are as people write them, and refused outside the work roots. */
export interface FolderTrust {
	setup(path: string): Promise<FolderSetupAnswer>;
	/** What people said so far, wherever it is; it can be taken back there. */
	list(): FolderTrustList["folders"];
	/** For this folder and all below it. Resolves when it is kept. */
	set(path: string, word: { trusted: boolean; source: string }): Promise<void>;
}

export function createFolderTrust(deps: {
	roots: WorkRoots;
	folders: Pick<Folders, "setup">;
	trusted: TrustedFolders;
	audit: Pick<AuditLog, "record">;
}): FolderTrust {
	const { roots, folders, trusted, audit } = deps;

	/** Trust in a folder that is gone, or no longer in a work root, can be taken back as well: something else may come into its place. */
	async function resolveGone(path: string, error: unknown): Promise<string> {
		const written = resolve(path);
		if (trusted.list().some((word) => word.trusted && word.path === path)) return path;
		const isGone = error instanceof AppError && error.code === "cwd-missing" && path.startsWith("/");
		if (!isGone || !trusted.isTrusted(written) || !(await roots.contains(written))) throw error;
		return written;
	}

	return {
		async setup(path) {
			const real = await roots.check(path);
			const { found, more } = await folders.setup(real);
			return { path: real, trusted: trusted.isTrusted(real), found, ...(more ? { more } : {}) };
		},
		list: () => trusted.list(),
		async set(path, { trusted: isTrusted, source }) {
			const checked = roots.check(path);
			const real = await (isTrusted ? checked : checked.catch((error: unknown) => resolveGone(path, error)));
			await trusted.set(real, isTrusted);
			// A link may stand where a trusted folder was; that one shall not be trusted when it comes back.
			if (!isTrusted && path.startsWith("/") && trusted.isTrusted(resolve(path))) await trusted.set(resolve(path), false);
			audit.record({ kind: "folder-trust", source, detail: `${isTrusted ? "trusted" : "not trusted"} ${real}` });
		},
	};
}
