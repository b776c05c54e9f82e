import { visibleCommand } from "@rightseat/protocol/visible-command";
import { Folder, GitBranch } from "lucide-react";
import { OpenAgent } from "../agent/agent-slot.tsx";
import { commonWords } from "../i18n/common-messages.ts";
import { useWords } from "../i18n/use-words.tsx";
import { useApp } from "../state/use-page.tsx";
import { useBranch } from "./use-branch.ts";

/** Where a conversation works: its directory, and the branch that is checked out there. */
export function PlaceLine({ conversationId }: { conversationId: string }) {
	const t = useWords(commonWords);
	const cwd = useApp((state) => state.conversations[conversationId]?.cwd ?? "");
	const git = useBranch(conversationId, cwd);
	if (cwd === "") return null;
	const path = visibleCommand(cwd);
	const { parents, last } = shortPath(path);
	const branch =
		git === undefined ? "" : git.detached ? t("detached", { commit: git.head?.slice(0, 8) ?? "" }) : visibleCommand(git.branch ?? "");
	return (
		<p className="flex min-w-0 items-center gap-1 text-muted text-xs">
			<OpenAgent />
			<Folder size={12} aria-hidden className="shrink-0" />
			<span className="sr-only">{t("workingDirectory")} </span>
			<span className="min-w-0 truncate" title={path}>
				<span className="max-sm:hidden">{parents}</span>
				{last}
			</span>
			{branch !== "" && (
				<>
					<GitBranch size={12} aria-hidden className="ml-1.5 shrink-0" />
					<span className="sr-only">{t("branch")} </span>
					<span className="max-w-[30%] shrink-0 truncate" title={branch}>
						{branch}
					</span>
				</>
			)}
		</p>
	);
}

/** The last two folders are what tells places apart; on a phone there is room for one. */
function shortPath(path: string): { parents: string; last: string } {
	const parts = path.split("/").filter((part) => part !== "");
	const last = parts.at(-1) ?? path;
	if (parts.length <= 2) return { parents: path.slice(0, path.length - last.length), last };
	return { parents: `…/${parts.at(-2)}/`, last };
}
