import type { KeepReason } from "@rightseat/protocol/http/worktrees";
import type { SpokenLanguage } from "@rightseat/protocol/sentences/say-coded";

/** What `rightseat uninstall` says, each text twice. */
export interface UninstallWords {
	help: string;
	tooMuch(argument: string): string;
	nothing(home: string): string;
	willRemove: string;
	service: string;
	data: string;
	runtime: string;
	worktree: string;
	/** Tailscale Serve leads to us from this address. */
	serve: string;
	willKeep: string;
	keptData: string;
	unknown: string;
	trash: string;
	reasons: Readonly<Record<KeepReason, string>>;
	dryRun: string;
	question: string;
	needsYes: string;
	left: string;
	stillRunning(home: string, process: string): string;
	notRemoved(path: string, reason: string): string;
	removed(path: string): string;
	done: string;
	package: string;
}

const english: UninstallWords = {
	help: `Usage: rightseat uninstall [--keep-data] [--dry-run] [--yes] [--home DIR]

Removes everything that Rightseat made on this machine for a home: the service, what it keeps, what it fetched. Shows it first and asks.
Your working folders are never touched, nor work trees with anything that is saved nowhere else.

  --keep-data  conversations and settings stay
  --dry-run    only show
  --yes        do not ask
  --home DIR   which one (RIGHTSEAT_HOME, else ~/.rightseat)

Exit codes: 0 done, 1 failed, 2 wrong usage.`,
	tooMuch: (argument) => `unknown flag ${argument}. Try --help.`,
	nothing: (home) => `There is nothing of Rightseat for ${home} on this machine.`,
	willRemove: "Removes:",
	service: "the service",
	data: "what Rightseat keeps",
	runtime: "fetched, can be fetched again",
	worktree: "work tree, everything in it is in its repository",
	serve: "Tailscale Serve leads here, switched off",
	willKeep: "Keeps:",
	keptData: "what Rightseat keeps (--keep-data)",
	unknown: "not made by Rightseat",
	trash: "work trees that were removed within the last week",
	reasons: {
		uncommitted: "work tree: changes that are not committed",
		unmerged: "work tree: commits that no other branch has",
		"hidden-edits": "work tree: edits that git was told to overlook",
		"ignored-files": "work tree: ignored files that are nowhere else",
		"nested-repository": "work tree: another repository in it",
		"in-progress": "work tree: a merge or rebase is under way",
		locked: "work tree: locked",
		"in-use": "work tree: a program works in it",
		unreadable: "work tree: git cannot read it",
		failed: "work tree: could not be removed",
	},
	dryRun: "Nothing was changed (--dry-run).",
	question: "Remove all of this? It cannot be taken back.",
	needsYes: "nobody is here to ask: add --yes, or --dry-run to look first.",
	left: "Nothing was changed.",
	stillRunning: (home, process) => `a Rightseat runs with ${home}${process}. Stop it first; nothing was changed.`,
	notRemoved: (path, reason) => `could not remove ${path} (${reason}). What was listed before it is gone; run it again.`,
	removed: (path) => `Removed ${path}`,
	done: "Done.",
	package: "The program itself is removed by whoever installed it: npm uninstall --global rightseat, or delete the clone.",
};

const chinese: UninstallWords = {
	help: `用法：rightseat uninstall [--keep-data] [--dry-run] [--yes] [--home 資料夾]

移除 Rightseat 在這台機器上為某個資料夾建立的一切：服務、保存的資料、下載的檔案。會先顯示並詢問。
絕不會動到你的工作資料夾，也不會動到還有未保存內容的工作樹。

  --keep-data  保留對話和設定
  --dry-run    只顯示，不變更
  --yes        不詢問
  --home 資料夾  指定哪一個（RIGHTSEAT_HOME，否則 ~/.rightseat）

結束代碼：0 完成，1 失敗，2 用法有誤。`,
	tooMuch: (argument) => `沒有 ${argument} 這個選項。請看 --help。`,
	nothing: (home) => `這台機器上沒有 ${home} 的 Rightseat 檔案。`,
	willRemove: "將移除：",
	service: "服務",
	data: "Rightseat 保存的資料",
	runtime: "下載的檔案，可再次下載",
	worktree: "工作樹，內容都已在其儲存庫中",
	serve: "Tailscale Serve 通往這裡，將會關閉",
	willKeep: "將保留：",
	keptData: "Rightseat 保存的資料（--keep-data）",
	unknown: "不是 Rightseat 建立的",
	trash: "過去一週內移除的工作樹",
	reasons: {
		uncommitted: "工作樹：有未提交的變更",
		unmerged: "工作樹：有其他分支沒有的提交",
		"hidden-edits": "工作樹：有要求 git 忽略的修改",
		"ignored-files": "工作樹：有別處沒有的被忽略檔案",
		"nested-repository": "工作樹：裡面有另一個儲存庫",
		"in-progress": "工作樹：合併或變基進行中",
		locked: "工作樹：已鎖定",
		"in-use": "工作樹：有程式正在使用",
		unreadable: "工作樹：git 無法讀取",
		failed: "工作樹：無法移除",
	},
	dryRun: "沒有變更任何東西（--dry-run）。",
	question: "要全部移除嗎？這無法復原。",
	needsYes: "沒有人可以詢問：請加上 --yes，或先用 --dry-run 查看。",
	left: "沒有變更任何東西。",
	stillRunning: (home, process) => `有一個 Rightseat 正在使用 ${home}${process}。請先停止它；沒有變更任何東西。`,
	notRemoved: (path, reason) => `無法移除 ${path}（${reason}）。在它之前列出的已移除；請再執行一次。`,
	removed: (path) => `已移除 ${path}`,
	done: "完成。",
	package: "程式本身由安裝它的方式移除：npm uninstall --global rightseat，或刪除複製的儲存庫。",
};

/** The words of a language. */
export const uninstallWords = (language: SpokenLanguage): UninstallWords => (language === "en" ? english : chinese);
