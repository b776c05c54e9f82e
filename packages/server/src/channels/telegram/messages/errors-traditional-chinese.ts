import type { ErrorCode } from "../../../core/kernel/errors.ts";

/** What the server's errors mean and what to do next; a new code needs a sentence here. */
const SENTENCES: Record<ErrorCode, string> = {
	"bad-request": "無法處理這個要求。",
	"bad-json": "收到的資料不是有效的 JSON。",
	"bad-frame": "收到的資料格式不正確。",
	"unknown-type": "無法辨識這種要求。",
	unauthorized: "請先登入。",
	"login-revoked": "這個登入已被撤銷，請重新登入。",
	forbidden: "不允許這項操作。",
	"host-not-allowed": "不允許使用這個位址。",
	"not-found": "找不到這個項目。",
	"conversation-not-found": "找不到這個對話，可能已被刪除。",
	"conversation-closing": "這個對話正在刪除。",
	"message-not-found": "找不到這則訊息。",
	"request-not-found": "這個問題已經回答、已過期，或因重新啟動而結束。",
	"unknown-model": "沒有這個模型。/model 會列出可用的模型。",
	"cwd-missing": "找不到這個目錄。請用 /cwd 選擇其他目錄。",
	"folder-not-answering": "這個資料夾沒有回應，可能在已中斷的磁碟上。",
	"no-repository": "這個資料夾不在 git 儲存庫中。",
	"id-reused": "這則訊息已經收過，內容卻不同。",
	"empty-prompt": "訊息是空的。",
	"queue-full": "佇列已滿。請等待，或取消一則排隊中的訊息。",
	"not-running": "目前沒有任何工作在執行。",
	"attachment-not-found": "這個檔案已經不存在，請再傳送一次。",
	"attachment-too-large": "檔案太大。",
	"too-large": "內容太長。",
	"rate-limited": "太頻繁了。請稍候再試。",
	"too-many-subscriptions": "開啟的對話太多。",
	"too-many-commands": "這個對話中執行的指令太多。請先結束一個。",
	"too-many-terminals": "開啟的終端機太多。",
	"terminal-not-found": "找不到這個終端機。",
	"exec-not-found": "找不到這個指令，可能已經結束。",
	"storage-read-only": "磁碟已滿或無法寫入，目前只能讀取。請騰出空間。",
	"storage-busy": "資料庫忙碌中。請稍候再試。",
	"storage-unusable": "無法使用資料庫。伺服器的記錄檔有詳細說明。",
	"shell-unavailable": "無法啟動 bash。請在執行伺服器的電腦上安裝 bash。",
	"runtime-start-failed": "代理無法啟動。",
	"runtime-died": "代理意外結束，正在重新啟動。請再傳送一次。",
	"runtime-resting": "代理多次失敗，暫時休息。請稍候再試。",
	"runtime-token-refused": "代理的權杖被拒絕。請檢查 GITHUB_TOKEN。",
	"session-failed": "無法開啟代理的工作階段。",
	"provider-auth": "模型服務拒絕了金鑰。請檢查設定。",
	"provider-rate-limit": "模型服務的用量已達上限。請稍候再試。",
	"provider-unreachable": "無法連線到模型服務。",
	"provider-error": "模型服務回報錯誤。",
	"prompt-too-long": "內容超過模型一次能接受的長度。請縮短訊息、移除指令結果，或改用內容視窗較大的模型。",
	"port-in-use": "這個連接埠已被使用。",
	"shutting-down": "伺服器正在關閉。",
	interrupted: "回答被中斷。傳送「繼續」即可接續。",
	internal: "伺服器發生錯誤，詳細資訊請看記錄檔。",
};

/** Here the server's own sentence says which one, how much or why, which the code does not. */
const WITH_DETAIL: ReadonlySet<string> = new Set<ErrorCode>([
	...(["bad-request", "cwd-missing", "too-large", "attachment-too-large", "runtime-start-failed", "session-failed"] as const),
	...(["provider-auth", "provider-rate-limit", "provider-unreachable", "provider-error", "storage-read-only"] as const),
]);

export function errorsTraditionalChinese(code: string, message: string): string {
	const sentence = new Map<string, string>(Object.entries(SENTENCES)).get(code);
	if (sentence === undefined) return message;
	return WITH_DETAIL.has(code) ? `${sentence}（${message}）` : sentence;
}
