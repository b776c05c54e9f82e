import type { SpokenLanguage } from "@rightseat/protocol/sentences/say-coded";

/** What the commands say. Every text is here twice; what the agent and the server say comes from them. */
export interface Words {
	unknownFlag(flag: string): string;
	badFlag(flag: string): string;
	badNumber(flag: string, least: number): string;
	tooManyArguments: string;
	noServer(home: string): string;
	notReached(url: string): string;
	badUrl(url: string): string;
	noToken: string;
	noTokenForUrl(url: string): string;
	wrongToken(url: string): string;
	notOurs(url: string): string;
	olderServer(url: string): string;
	olderClient(url: string): string;
	columns: { id: string; state: string; agent: string; age: string; folder: string; title: string };
	states: { streaming: string; asking: string; idle: string; completed: string; error: string };
	nothingHere: string;
	moreConversations(count: number): string;
}

const english: Words = {
	unknownFlag: (flag) => `unknown flag ${flag}. Try --help.`,
	badFlag: (flag) => `${flag} is not written correctly: a flag takes its value as "--flag VALUE", a switch takes none. Try --help.`,
	badNumber: (flag, least) => `--${flag} must be a whole number of at least ${least}.`,
	tooManyArguments: "too many arguments. Put a prompt of several words in quotes; try --help.",
	noServer: (home) => `no Rightseat server runs with ${home}. Start one with "rightseat", or name another with --home or --url.`,
	notReached: (url) => `no Rightseat server answers at ${url}. Start it, or name another with --home or --url.`,
	badUrl: (url) => `--url: ${JSON.stringify(url)} is not an address like http://127.0.0.1:7417.`,
	noToken: "there is no access token: set RIGHTSEAT_TOKEN, or name the server's home with --home.",
	noTokenForUrl: (url) => `set RIGHTSEAT_TOKEN to the access token of ${url}; the token of this machine is not sent to another.`,
	wrongToken: (url) =>
		`${url} does not accept this access token. It is in the file "token" of the server's home; RIGHTSEAT_TOKEN sets another.`,
	notOurs: (url) =>
		`what answers at ${url} is not Rightseat, or a version too old for this command. Update the server, or check the address.`,
	olderServer: (url) => `the server at ${url} is older than this command. Update the server.`,
	olderClient: (url) => `the server at ${url} is newer than this command. Update Rightseat here.`,
	columns: { id: "ID", state: "STATE", agent: "AGENT", age: "AGE", folder: "FOLDER", title: "TITLE" },
	states: { streaming: "working", asking: "asks", idle: "new", completed: "done", error: "failed" },
	nothingHere: 'There are no conversations yet. Begin one with: rightseat ask "…"',
	moreConversations: (count) => `… and more: the newest ${count} are listed; --all lists every one.`,
};

const chinese: Words = {
	unknownFlag: (flag) => `沒有 ${flag} 這個選項。請看 --help。`,
	badFlag: (flag) => `${flag} 的寫法有誤：選項的值寫成「--選項 值」，開關不帶值。請看 --help。`,
	badNumber: (flag, least) => `--${flag} 必須是至少 ${least} 的整數。`,
	tooManyArguments: "參數太多。多個字的提示請加引號；請看 --help。",
	noServer: (home) => `沒有以 ${home} 執行的 Rightseat 伺服器。請用「rightseat」啟動，或用 --home、--url 指定另一個。`,
	notReached: (url) => `${url} 沒有 Rightseat 伺服器回應。請先啟動，或用 --home、--url 指定另一個。`,
	badUrl: (url) => `--url：${JSON.stringify(url)} 不是像 http://127.0.0.1:7417 這樣的網址。`,
	noToken: "沒有存取權杖：請設定 RIGHTSEAT_TOKEN，或用 --home 指定伺服器的資料夾。",
	noTokenForUrl: (url) => `請將 RIGHTSEAT_TOKEN 設為 ${url} 的存取權杖；這台機器的權杖不會傳給別的機器。`,
	wrongToken: (url) => `${url} 不接受這個存取權杖。權杖在伺服器資料夾的「token」檔案裡；也可以用 RIGHTSEAT_TOKEN 設定。`,
	notOurs: (url) => `${url} 的回應不是 Rightseat，或版本太舊，無法使用這個指令。請更新伺服器或檢查網址。`,
	olderServer: (url) => `${url} 的伺服器比這個指令舊。請更新伺服器。`,
	olderClient: (url) => `${url} 的伺服器比這個指令新。請更新這裡的 Rightseat。`,
	columns: { id: "編號", state: "狀態", agent: "代理", age: "時間", folder: "資料夾", title: "標題" },
	states: { streaming: "進行中", asking: "等待回答", idle: "新的", completed: "完成", error: "失敗" },
	nothingHere: '還沒有對話。可以這樣開始：rightseat ask "…"',
	moreConversations: (count) => `……還有更多：以上是最新的 ${count} 個；--all 列出全部。`,
};

/** The words of a language. */
export const wordsIn = (language: SpokenLanguage): Words => (language === "en" ? english : chinese);
