import type { ServiceWords } from "./words.ts";

export const chineseServiceWords: ServiceWords = {
	help: `用法：rightseat service install|status|logs|restart|update|uninstall [選項]

讓 Rightseat 在背景持續執行，屬於目前的使用者：Linux 上是 systemd 使用者服務，macOS 上是 launchd 代理程式。

  install      寫入所需檔案，立即啟動，之後每次登入也會啟動。會先顯示要寫入的內容；可以重複執行。
      --dry-run      只顯示，不變更
      --linger       登出之後也繼續執行（systemd）
      --strict       禁止它啟動的程式取得更多權限：不能用 sudo 和 rootless 容器（systemd）
      --env 名稱     同時帶入這個環境變數，例如 ANTHROPIC_API_KEY；可以重複
      以及 start 的所有選項：--port、--workdir、--public-url……（rightseat help）
  status       說明是否在執行；結束代碼 0 正常，1 不正常，2 未安裝
  logs         顯示記錄；-f 持續顯示，-n N 行，--json 原樣輸出
  restart      正常結束後重新啟動，並等到有回應
  update [版本|套件檔案]
               在旁邊安裝另一個版本（預設為最新），備份後切換；
               新版本一分鐘內不正常就自動回到舊版本
  uninstall    停止並移除 install 寫入的檔案；Rightseat 資料夾裡的資料會保留

  --home 資料夾  指定哪一個（RIGHTSEAT_HOME，否則 ~/.rightseat）

結束代碼：0 完成，1 失敗，2 用法有誤或未安裝。`,
	unknownPart: (name) => `沒有 ${name} 這個指令。可用的有 install、status、logs、restart、update、uninstall；請看 --help。`,
	unknownFlag: (flag) => `沒有 ${flag} 這個選項。請看 --help。`,
	badFlag: (flag) => `${flag} 的寫法有誤：選項的值寫成「--選項 值」，開關不帶值。請看 --help。`,
	noSupervisor: (platform) => `${platform} 上沒有 systemd，也沒有 launchd。請用你現有的程序管理工具啟動「rightseat」。`,
	noManager: (reason) =>
		`這個使用者的服務管理程式沒有回應（${reason}）。請直接以這個使用者登入，不要用 su 或 sudo；或用你現有的程序管理工具啟動「rightseat」。`,
	managerRefused: (command, reason) => `「${command}」失敗：${reason}`,
	homeInUse: (home, process) => `另一個不是此服務的 Rightseat 正在使用 ${home}${process}。請先停止它，或用 --home 選擇別的資料夾。`,
	portInUse: (port) => `連接埠 ${port} 已被別的程式使用。請停止該程式，或用 --port 選擇別的連接埠。`,
	temporaryPlace: (path) =>
		`這個 Rightseat 位於 npm 可能清空的快取中（${path}）。請先安裝：npm install --global rightseat，再執行 rightseat service install。`,
	notInEnvironment: (name) => `--env ${name}：這裡沒有設定這個變數。`,
	badEnvironmentLine: (file, line) => `${file} 的第 ${line} 行不是「名稱=值」。請更正後執行 rightseat service restart。`,
	environmentHead: "Rightseat 服務每次啟動時讀取；變更後請執行：rightseat service restart\n每行寫「名稱=值」；雙引號中的值是 JSON 字串。",
	diskRefused: (path, reason) => `無法寫入 ${path}（${reason}）。沒有啟動任何東西；請檢查磁碟和權限後再試一次。`,

	willWrite: (file) => `寫入 ${file}：`,
	willKeep: (file) => `${file} 已是最新。`,
	environmentOf: (file) => `以下列變數啟動，存放在只有你能讀取的 ${file}：`,
	hidden: "（不顯示）",
	dryRun: "沒有變更任何東西（--dry-run）。",
	waiting: "等待回應……",
	upToDate: "服務已安裝並在執行；沒有變更任何東西。",
	installed: "服務已安裝並在執行。",
	openOnce: (url) => `請開啟 ${url}\n  這個連結可以登入一次，10 分鐘內有效。`,
	notReady: (detail) => `服務已安裝但不正常（${detail}）。請看 rightseat service logs，修正後執行 rightseat service restart。`,
	lastSaid: "它最後的訊息：",

	lingerOff: "你從這台機器完全登出後，systemd 會結束你的服務，下次登入時再啟動。",
	lingerQuestion: "要讓 Rightseat 和你所有的服務不登入也繼續執行嗎？這會用 loginctl 為你的使用者開啟「linger」。",
	lingerHint: "若要不登入也繼續執行：rightseat service install --linger",
	lingerDone: "從現在起，機器開機後就會執行，不論是否登入。若要取消：loginctl disable-linger",
	lingerOn: "機器開機後就會執行，不論是否登入（linger 已開啟）。",
	loginOnly: "你登入這台 Mac 時它才會執行。",

	notInstalled: (home) => `${home} 沒有安裝服務。安裝方式：rightseat service install`,
	running: ({ supervisor, pid, version }) => `Rightseat ${version} 以 ${supervisor} 服務執行中，程序 ${pid}，有回應。`,
	degraded: "其中有些部分無法運作：網頁會說明是什麼，rightseat doctor 會說明怎麼做。",
	notAnswering: (pid) => `服務在執行（程序 ${pid}），但還沒有回應。請看 rightseat service logs。`,
	starting: "服務正在啟動或結束；請稍後再看。",
	stopped: (detail) => `服務已安裝，但沒有執行（${detail}）。啟動方式：rightseat service restart`,
	failed: (detail) => `服務失敗（${detail}）。請看 rightseat service logs，然後執行：rightseat service restart`,
	labels: {
		address: "網址",
		since: "開始於",
		home: "資料夾",
		definition: "定義於",
		settings: "設定",
		log: "記錄",
		afterLogout: "登出後",
	},
	goesOn: "繼續執行",
	endsWithLogout: "隨你最後一次登出而結束；rightseat service install --linger 可讓它繼續",

	restarted: (version) => `Rightseat ${version} 已重新啟動並有回應。`,
	noLog: (file) => `還沒有記錄（${file}）。`,
	badCount: "-n 必須是 1 到 100000 的整數。",
	removed: (file) => `已移除 ${file}`,
	uninstalled: (home) => `服務已移除。Rightseat 的資料仍在 ${home}。`,
};
