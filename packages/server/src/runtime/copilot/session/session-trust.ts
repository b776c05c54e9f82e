import type { Folders } from "../../../core/ports/folders.ts";
import type { TrustedFolders } from "../../../core/ports/trusted-folders.ts";

export interface SessionTrustDeps {
	cwd: string;
	folders: Pick<Folders, "look">;
	trusted: Pick<TrustedFolders, "isTrusted">;
}

/** Whether what the working directory brings may run in one session. */
export interface SessionTrust {
	/** As of now, for the real path of now; the session is being opened with this answer. */
	decide(): Promise<boolean>;
	/** A person has said something else since the session was opened. */
	isOutdated(): boolean;
}

export function createSessionTrust({ cwd, folders, trusted }: SessionTrustDeps): SessionTrust {
	let decided: { realPath: string; isTrusted: boolean } | undefined;
	return {
		async decide() {
			// A link may have taken its place since the conversation was given this folder.
			const realPath = (await folders.look(cwd))?.realPath ?? cwd;
			decided = { realPath, isTrusted: trusted.isTrusted(realPath) };
			return decided.isTrusted;
		},
		isOutdated: () => decided !== undefined && trusted.isTrusted(decided.realPath) !== decided.isTrusted,
	};
}
