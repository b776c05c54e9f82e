import { visibleCommand } from "@rightseat/protocol/visible-command";
import { Folder, GitBranch } from "lucide-react";
import { OpenAgent } from "../agent/agent-slot.tsx";
import { useRunCommand } from "../commands/use-commands.ts";
import { commonWords } from "../i18n/common-messages.ts";
import { useWords } from "../i18n/use-words.tsx";
import { useApp } from "../state/use-page.tsx";
import { useBranch } from "./use-branch.ts";

/** Where a conversation works: its directory, the branch that is checked out there and what is not committed; it opens the changes. */
export function PlaceLine({ conversationId }: { conversationId: string }) {
	const t = useWords(commonWords);
	const run = useRunCommand();
	const cwd = useApp((state) => state.conversations[conversationId]?.cwd ?? "");
	const git = useBranch(conversationId, cwd);
	if (cwd === "") return null;
	const path = visibleCommand(cwd);
	const { parents, last } = shortPath(path);
	const branch =
		git === undefined ? "" : git.detached ? t("detached", { commit: git.head?.slice(0, 8) ?? "" }) : visibleCommand(git.branch ?? "");
	const open = new Set(git?.files.flatMap(({ path, oldPath = path }) => [path, oldPath])).size;
	return (
		<div className="flex min-w-0 items-center gap-1 text-muted text-xs">
			<OpenAgent />
			<button
				type="button"
				className="flex min-w-0 flex-1 items-center gap-1 rounded hover:text-ink"
				onClick={() => run("changes", { by: "pointer" })}
			>
				<Folder size={12} aria-hidden className="shrink-0" />
				<span className="sr-only">{t("workingDirectory")} </span>
				<span className="min-w-0 truncate" title={path}>
					<span className="@max-[40rem]:hidden">{parents}</span>
					{last}
				</span>
				{branch !== "" && (
					<>
						<GitBranch size={12} aria-hidden className="ml-1.5 shrink-0" />
						<span className="sr-only">{t("branch")} </span>
						<span className="max-w-[38%] shrink-0 truncate" title={branch}>
							{branch}
						</span>
					</>
				)}
				{open > 0 && (
					<span className="shrink-0 pl-1" title={t("uncommitted", { count: open })}>
						<span className="@max-[40rem]:sr-only">{t("uncommitted", { count: open })}</span>
						{/* Where it is narrow the words would take the room of folder and branch. */}
						<span aria-hidden className="@min-[40rem]:hidden">
							±{open}
						</span>
					</span>
				)}
			</button>
		</div>
	);
}

/** The last two folders are what tells places apart; where it is narrow there is room for one. */
function shortPath(path: string): { parents: string; last: string } {
	const parts = path.split("/").filter((part) => part !== "");
	const last = parts.at(-1) ?? path;
	if (parts.length <= 2) return { parents: path.slice(0, path.length - last.length), last };
	return { parents: `…/${parts.at(-2)}/`, last };
}
