import type { SpokenLanguage } from "@rightseat/protocol/sentences/say-coded";

/** What `rightseat service update` says, each text twice. */
export interface UpdateWords {
	badTarget(target: string): string;
	fetching(target: string): string;
	unchanged(reason: string): string;
	notFetched(reason: string): string;
	notOurs: string;
	doesNotRun(reason: string): string;
	noSpace(folder: string, neededMb: number, freeMb: number): string;
	already(version: string): string;
	backingUp(version: string): string;
	backup(path: string): string;
	updated(version: string): string;
	kept(folder: string): string;
	goingBack(version: string, reason: string): string;
	sameDatabase: string;
	restored(aside: string): string;
	back: string;
	notBack(backup: string): string;
	stuck(reason: string, backup: string): string;
}

const english: UpdateWords = {
	badTarget: (target) => `${target} is neither a version like 1.2.3 nor a package file that exists.`,
	fetching: (target) => `Installing ${target} beside the version that runs …`,
	unchanged: (reason) => `${reason} Nothing was changed; the old version runs on.`,
	notFetched: (reason) => `the new version could not be installed: ${reason}.`,
	notOurs: "this package is not Rightseat.",
	doesNotRun: (reason) => `the new version does not run here: ${reason}.`,
	noSpace: (folder, neededMb, freeMb) =>
		`there is not enough free space: ${neededMb} MB are needed in ${folder}, ${freeMb} MB are free. Make space and try again.`,
	already: (version) => `Version ${version} runs already.`,
	backingUp: (version) => `Stopping the service, making a backup, starting version ${version} …`,
	backup: (path) => `Backup: ${path}`,
	updated: (version) => `Rightseat ${version} runs and answers.`,
	kept: (folder) => `The version before it is kept in ${folder}`,
	goingBack: (version, reason) => `Version ${version} is not healthy (${reason}). Going back to the version before it …`,
	sameDatabase: "The new version had not changed the database's schema, so the old one goes on with it: nothing is lost.",
	restored: (aside) =>
		`The new version had changed the database, so the backup is in its place again. What was written since the update is kept in ${aside}; the old version cannot read it.`,
	back: "the update was taken back; the old version runs and answers.",
	notBack: (backup) =>
		`the update was taken back, but the old version does not answer either. Look at rightseat service logs. The backup is ${backup}`,
	stuck: (reason, backup) =>
		`the update could not be taken back: ${reason} The service is stopped. Put that right; where the old version then cannot read the database, put the backup ${backup} in the place of rightseat.db, and run rightseat service restart.`,
};

const chinese: UpdateWords = {
	badTarget: (target) => `${target} 既不是像 1.2.3 的版本，也不是存在的套件檔案。`,
	fetching: (target) => `正在將 ${target} 安裝在目前版本旁……`,
	unchanged: (reason) => `${reason} 沒有變更任何東西；舊版本繼續執行。`,
	notFetched: (reason) => `無法安裝新版本：${reason}。`,
	notOurs: "這個套件不是 Rightseat。",
	doesNotRun: (reason) => `新版本無法在這裡執行：${reason}。`,
	noSpace: (folder, neededMb, freeMb) => `磁碟空間不足：${folder} 需要 ${neededMb} MB，只有 ${freeMb} MB 可用。請清出空間後再試一次。`,
	already: (version) => `版本 ${version} 已在執行。`,
	backingUp: (version) => `正在停止服務、備份並啟動版本 ${version}……`,
	backup: (path) => `備份：${path}`,
	updated: (version) => `Rightseat ${version} 正在執行並有回應。`,
	kept: (folder) => `之前的版本保留在 ${folder}`,
	goingBack: (version, reason) => `版本 ${version} 不正常（${reason}）。正在回到之前的版本……`,
	sameDatabase: "新版本沒有變更資料庫結構，舊版本會繼續使用它：沒有遺失任何東西。",
	restored: (aside) => `新版本變更了資料庫，因此已還原備份。更新之後寫入的內容保留在 ${aside}；舊版本無法讀取。`,
	back: "更新已取消；舊版本正在執行並有回應。",
	notBack: (backup) => `更新已取消，但舊版本也沒有回應。請看 rightseat service logs。備份在 ${backup}`,
	stuck: (reason, backup) =>
		`無法取消更新：${reason} 服務已停止。請先排除問題；若舊版本無法讀取資料庫，請以備份 ${backup} 取代 rightseat.db，再執行 rightseat service restart。`,
};

/** The words of a language. */
export const updateWords = (language: SpokenLanguage): UpdateWords => (language === "en" ? english : chinese);
