import type { PairWords } from "./words.ts";

export const chinesePairWords: PairWords = {
	help: `用法：rightseat pair [--tailscale | --lan | --url 網址] [選項]

讓手機連到這台機器上執行中的 Rightseat：找出可行的方式，經您同意後設定其中一種，確認它真的通到這裡，
並顯示一個 QR 碼，讓手機登入一次。執行中的伺服器會立即使用這個網址，重新啟動後也一樣。

  --tailscale      Tailscale Serve：給您 tailnet 中裝置使用的 https 網址
  --url 網址       您自己設定好的 https 網址，例如反向代理或通道
  --lan            區域網路，使用我們自己的憑證，手機必須先設定信任
  --port N         Tailscale Serve 的連接埠（443、8443 或 10000），或區域網路的連接埠（7418）
  --yes            不詢問；未指定方式時，使用已設定的網址，否則使用 Tailscale
  --off            全部復原
  --home 目錄      哪一個 Rightseat（RIGHTSEAT_HOME，否則為 ~/.rightseat）

結束代碼：0 完成，1 失敗且未做任何變更，2 用法錯誤、未經同意或沒有伺服器。`,
	unknownFlag: (flag) => `不認得的選項 ${flag}。請看 --help。`,
	badFlag: (flag) => `${flag} 的寫法有誤：需要值的選項寫成「--選項 值」，開關則不帶值。請看 --help。`,
	badPort: "--port 必須是 1 到 65535 的整數。",
	oneWay: "--tailscale、--lan、--url 和 --off 只能選一個。",
	badUrl: "--url 必須是不含路徑的 https 網址，例如 https://pilot.example.org。",
	needsYes: "這裡無法詢問任何人，未經同意不會開放任何東西。請加上 --yes，以及 --tailscale、--lan 或 --url 網址。",
	needsWay: "沒有可用的方式。請登入 Tailscale，或使用 --url 網址或 --lan。",
	noServer: (home) => `${home} 沒有執行中的 Rightseat。請用「rightseat」啟動，或用 --home 指定其他目錄。`,
	left: "未開放任何東西。",

	heading: "手機連到這個 Rightseat 的方式：",
	titles: { configured: "已設定", tailscale: "Tailscale", lan: "區域網路", url: "您的網址" },
	configured: (url) => `${url}，來自 RIGHTSEAT_PUBLIC_URL`,
	notConfigured: "無：未設定 RIGHTSEAT_PUBLIC_URL",
	tailscale: {
		missing: "尚未安裝：請從 tailscale.com 安裝，手機上也要安裝",
		loggedOut: "尚未登入：請執行 tailscale up",
		stopped: (state) => `未連線（${state}）：請執行 tailscale up`,
		noHttps: "沒有 HTTPS：請在 login.tailscale.com/admin/dns 開啟 MagicDNS 和 HTTPS 憑證",
		unreadable: (detail) => `沒有回應（${detail}）`,
		portTaken: (port) => `Tailscale Serve 的連接埠 ${port ?? "443、8443 和 10000"} 已通往別處：請用 --port 選擇其他連接埠`,
		ready: (url) => `${url}，僅供您 tailnet 中的裝置使用`,
	},
	lan: {
		none: "這台機器在區域網路中沒有位址",
		possible: (url) => `${url}，使用我們自己的憑證，手機必須先設定信任`,
	},
	url: "--url 網址：您自己通到這裡的 https 網址，例如反向代理或通道",
	open: (url) => `目前開放：${url}`,

	chooseWay: (numbers) => `選擇哪一個？[${numbers}] `,
	question: {
		tailscale: (url, target) => `要讓 Tailscale Serve 在 ${url} 為您的 tailnet 提供服務，後端為 ${target} 嗎？[y/N] `,
		lan: (url) => `要將 ${url} 開放給區域網路中的所有人（需要登入）嗎？[y/N] `,
		url: (url) => `要讓已登入的人透過 ${url} 使用這個 Rightseat 嗎？[y/N] `,
	},

	done: "完成",
	steps: {
		serve: (url, target) => `Tailscale Serve 從 ${url} 通往 ${target}`,
		listen: (url) => `在 ${url} 接受連線`,
		reached: (url) => `${url} 通到這個伺服器，WebSocket 可以通過`,
		kept: "已儲存：現在開始使用，重新啟動後也一樣",
	},
	denied: "Tailscale 不允許這個使用者設定 Serve。請執行一次：sudo tailscale set --operator=$USER，然後再試一次。",
	notEnabled: (link) => `您的 tailnet 尚未開啟 Serve。請開啟 ${link || "Tailscale 的管理主控台"}，然後再試一次。`,
	serveFailed: (detail) => `無法設定 Tailscale Serve（${detail}）。`,
	notStopped: (command, detail) => `無法關閉 Tailscale Serve（${detail}）。請執行：${command}`,
	problems: {
		unreachable: (url, detail) => `從這裡連不到 ${url}（${detail}）。請檢查名稱、代理伺服器和防火牆。`,
		untrusted: (url, detail) => `${url} 沒有這裡信任的憑證（${detail}）。手機也會拒絕它。`,
		elsewhere: (url, status) => `${url} 通往的不是這個 Rightseat（回應 ${status}）。請將它指向上面的位址。`,
		noWebSocket: (url) => `${url} 沒有轉送 WebSocket。代理伺服器必須轉送 Upgrade 和 Connection；請看 docs/proxies.md。`,
	},
	unchanged: "未做任何變更。",

	trustFirst: (address) => `手機必須先信任這台機器。請掃描這個條碼，或在手機上開啟 ${address}，並依照頁面操作：`,
	fingerprint: (text) => `頁面必須顯示這個指紋，否則表示有人在中間攔截：\n${text}`,
	firewall: (port) => `如果手機連不到，可能需要讓這台機器的防火牆允許 TCP 連接埠 ${port}。`,
	also: (addresses) => `如果手機找得到這個名稱，也可以使用 ${addresses}：位址變更後它仍然有效，也可以使用通行密鑰。`,
	scan: "請用手機掃描。10 分鐘內可登入一次：",
	afterwards: "接著頁面會提供安裝和通知的選項。",
	undo: "復原：rightseat pair --off",

	nothingPaired: "沒有配對任何東西，不需要復原。",
	closed: (url) => `${url} 不再通到這裡。已登入的手機仍保持登入；請在設定的裝置中將它們登出。`,
	removeProfile: "憑證機構和它的金鑰已刪除。請同時從手機的設定中移除它的憑證。",
};
