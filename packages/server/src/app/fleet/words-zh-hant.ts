import { FLEET_ACTIONS } from "./help.ts";
import { chineseHelp } from "./help-zh-hant.ts";
import type { FleetWords } from "./words.ts";

/** What `rightseat fleet` says in Traditional Chinese. */
export const chineseFleetWords: FleetWords = {
	help: `用法：rightseat fleet 動作 [參數]

透過有 JetStream 的 NATS 伺服器，把多台機器上的 Rightseat 連成機群，在同一個頁面看到所有主機的對話。

  init             建立機群，這台是第一台主機
  invite           顯示代碼，讓另一台主機在 10 分鐘內加入
  join CODE        加入代碼所屬的機群
  status           列出機群的主機，以及是否在線上
  role 主機 權限     變更一台主機在其他主機上的權限：watch、talk 或 full
  remove HOST      以名稱或識別碼移出一台主機；其他主機會換新金鑰
  leave            讓這台主機離開
  moved            這顆磁碟已移到另一台機器，舊機器不再使用
  permissions      顯示 NATS 的使用者設定，每台主機一個，只能說屬於自己的內容
  nats-config 目錄  寫入 nats-server 的設定，含 TLS 和使用者

  --url 位址        init 用的 NATS：nats://127.0.0.1:4222、tls://nats.example.org:4222（RIGHTSEAT_FLEET_URL）
  --creds 檔案      NATS 的憑證（RIGHTSEAT_FLEET_CREDS）
  --ca 檔案         NATS 憑證的憑證機構（RIGHTSEAT_FLEET_CA）
  --name 名稱       init 和 join 時這台主機的名稱（預設為機器名稱）
  --role 權限       invite 時新主機在其他主機上的權限：watch、talk 或 full（預設 full）
  --team           init 時讓新主機只能觀看，除非邀請時給了更多權限
  --door 檔案       init 時新主機用來敲門的 NATS 帳號（user:password）
  --listen 位址     nats-config 時其他機器用來連到這台的位址
  --json           status 時以 JSON 顯示
  --here           leave 時只在這裡清除，不通知其他主機
  --home 目錄       哪一個 Rightseat（RIGHTSEAT_HOME，否則 ~/.rightseat）

結束代碼：0 完成，1 失敗且沒有任何變更，2 用法錯誤，130 以 Ctrl-C 停止。各動作的說明：rightseat fleet 動作 --help。`,
	helpOf: chineseHelp,
	unknownFlag: (flag) => `不認得參數 ${flag}。請試 --help。`,
	unknownAction: (action) => `不認得動作 ${action}。可用的有 ${FLEET_ACTIONS.join("、")}。`,
	tooMany: "參數太多。請試 --help。",
	noUrl: "沒有指定 NATS 伺服器。請加上 --url nats://…，或設定 RIGHTSEAT_FLEET_URL。",
	badName: "--name 必須是一行 1 到 60 個字元。",
	badRole: "--role 必須是 watch、talk 或 full。",
	whichRole: "哪一種權限？必須是 watch、talk 或 full：rightseat fleet role 主機 權限。",
	badDoor: (file) => `${file} 必須是一行 user:password，不含空白。`,
	badListen: "請指定其他機器用來連到這台的位址：--listen 192.168.1.10 或名稱；不是 4222 時再加上 :連接埠。",
	noFolder: "要寫到哪個目錄？rightseat fleet nats-config 目錄。",
	folderUsed: (folder) => `${folder} 已有 nats.conf，請選擇其他目錄。`,
	noCode: "缺少代碼。請在機群的主機上執行 rightseat fleet invite 取得。",
	tornCode: "代碼缺了一部分或被改過。請完整地重新複製。",
	notACode: "這不是邀請代碼。請在機群的主機上執行 rightseat fleet invite 取得。",
	needsCa: (hash) => `那裡的 NATS 使用自己的憑證機構。請把它的憑證檔複製過來，並以 --ca 檔案 指定（SHA-256 ${hash.slice(0, 16)}…）。`,
	otherCa: (file) => `${file} 不是邀請中指定的憑證機構。`,
	noHost: "哪一台主機？請給名稱或識別碼；rightseat fleet status 會列出。",
	unknownHost: (host) => `機群中沒有叫 ${host} 的主機。rightseat fleet status 會列出。`,
	ambiguous: (host) => `有多台主機叫 ${host}，請使用識別碼。`,
	already: (fleet) => `這台主機屬於機群 ${fleet}。要離開：rightseat fleet leave。`,
	outside: "這台主機不屬於任何機群。請以 rightseat fleet init 建立，或以 rightseat fleet join CODE 加入。",
	failed: "沒有任何變更。",

	founded: (fleet, name) => `已建立機群 ${fleet}。這台主機在其中叫做 ${name}。`,
	keepRoot: (file) => `請在安全的地方備份 ${file}：它是機群的根金鑰。`,
	inviteNext: "接下來：rightseat fleet invite",
	fewServers: "NATS 目前不到三台伺服器，正在等其他幾台，最多半分鐘 …",
	kept: (file) => `NATS 的位址已存在 ${file}。`,
	restart: "沒有設定 RIGHTSEAT_FLEET_URL 就啟動的 Rightseat 需要重新啟動。",

	invited: "請在 10 分鐘內於另一台機器執行 rightseat fleet join CODE，並使用這個代碼。持有代碼的人可以加入一次。",
	onlyHere: (url) => `這個代碼只能在這台機器上使用：NATS 位於 ${url}。要讓其他機器加入，請一開始就使用它們連得到的位址。`,
	handedOver: "執行中的伺服器會讓新主機加入。",
	waiting: "等待新主機……（Ctrl-C 停止）",
	compare: (name, words) => `${name} 想要加入。那裡也必須顯示：${words}`,
	areSame: "兩邊的詞相同嗎？[y/N] ",
	joinedBy: (name) => `${name} 已加入。`,
	notJoined: "沒有讓任何主機加入。",
	inviteOver: "沒有主機加入，邀請已過期。",
	stopped: "已停止，邀請失效。",

	words: (words) => `邀請的主機必須顯示：${words}`,
	joined: (fleet, name) => `已加入機群 ${fleet}，名稱為 ${name}。`,
	letIn: "NATS 還不認得這台主機。請管理者將 rightseat fleet permissions 的輸出放進 NATS 設定並重新載入。等待中……",

	status: {
		fleet: (fleet, host, name) => `機群 ${fleet}；這台主機是 ${name}（${host}）`,
		engine: (url, version) => `NATS ${version}，位於 ${url}`,
		online: "在線上",
		offline: "離線",
		self: "這台主機",
		unnamed: "（還沒有名稱）",
	},
	left: "這台主機已離開機群，其他主機會換新金鑰。",
	leftHere: "已在這裡清除機群。其他主機仍把這台算在內，請在那裡移除。",
	removeSetting: (name) => `${name} 仍有設定；沒有它就不會載入任何機群功能。`,
	removed: (name) => `${name} 已被移出機群，其他主機都有新金鑰。`,
	roleChanged: (name, role) => `${name} 現在在其他主機上的權限是 ${role}。`,
	applyPermissions: "請以此取代 NATS 設定中的 authorization，然後執行：nats-server --signal reload",
	natsFolder: (folder, url) =>
		[
			`已建立 ${folder}。接下來在這台機器上執行：`,
			`  nats-server -c ${folder}/nats.conf`,
			`  rightseat fleet init --url ${url} --ca ${folder}/ca.pem --creds ${folder}/fleet.creds --door ${folder}/door.creds`,
			"  rightseat fleet invite",
		].join("\n"),
	moved: "現在這台機器就是這個主機。",
};
