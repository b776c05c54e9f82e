import type { ActionHelp } from "./help.ts";

const FLAGS = `  --url 位址        NATS（RIGHTSEAT_FLEET_URL）
  --creds 檔案      NATS 的憑證（RIGHTSEAT_FLEET_CREDS）
  --ca 檔案         NATS 憑證的憑證機構（RIGHTSEAT_FLEET_CA）
  --home 目錄       哪一個 Rightseat（RIGHTSEAT_HOME，否則 ~/.rightseat）`;

export const chineseHelp: ActionHelp = {
	init: `用法：rightseat fleet init --url 位址 [參數]

建立機群，這台是第一台主機。位址會存在主目錄的 config.json。

  --name 名稱       這台主機的名稱（預設為機器名稱）
  --team           新主機只能觀看，除非邀請時給了更多權限
  --door 檔案       新主機用來敲門的 NATS 帳號（user:password），會放進每個代碼
${FLAGS}`,
	invite: `用法：rightseat fleet invite [參數]

顯示代碼，讓另一台主機在 10 分鐘內加入。在終端機上由人比對四個詞；在腳本中持有代碼者即可加入，由執行中的伺服器放行。

  --role 權限       新主機在其他主機上的權限：watch、talk 或 full（預設依 init，否則為 full）
${FLAGS}`,
	join: `用法：rightseat fleet join CODE [參數]

加入代碼所屬的機群。NATS 的憑證和憑證機構會隨邀請送來；在這裡指定的優先。

  --name 名稱       這台主機的名稱（預設為機器名稱）
${FLAGS}`,
	status: `用法：rightseat fleet status [參數]

列出機群的主機、它們的權限，以及是否在線上。

  --json           以一行 JSON 顯示：fleet、host、nats、hosts
${FLAGS}`,
	role: `用法：rightseat fleet role 主機 權限 [參數]

變更一台主機（名稱或識別碼）在其他主機上的權限：watch（觀看）、talk（也能對代理說話）、full（全部）。立即在各處生效。

${FLAGS}`,
	remove: `用法：rightseat fleet remove 主機 [參數]

以名稱或識別碼移出一台主機。其他主機會立即拒絕它、結束它開啟的一切，並換新金鑰。

${FLAGS}`,
	leave: `用法：rightseat fleet leave [參數]

讓這台主機離開機群。

  --here           只在這裡清除，不通知其他主機
${FLAGS}`,
	moved: `用法：rightseat fleet moved [參數]

這顆磁碟已移到另一台機器，舊機器不再使用：現在這台機器就是這個主機。

  --home 目錄       哪一個 Rightseat（RIGHTSEAT_HOME，否則 ~/.rightseat）`,
	permissions: `用法：rightseat fleet permissions [參數]

顯示 NATS 設定用的使用者：每台主機一個，只能說屬於自己的內容。其中沒有主機的祕密。

${FLAGS}`,
	"nats-config": `用法：rightseat fleet nats-config 目錄 [--listen 位址[:連接埠]]

在目錄中寫入 nats-server 的設定：自有憑證機構的 TLS、使用者、JetStream。啟動方式：nats-server -c 目錄/nats.conf

  --listen 位址     其他機器用來連到這台的位址或名稱（預設為區域網路位址），連接埠 4222`,
};
