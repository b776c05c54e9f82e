import type { IncomingMessage, ServerResponse } from "node:http";
import type { LanCertificate } from "./lan.ts";

/** Where the authority's certificate is fetched. */
const CERTIFICATE_PATH = "/rightseat-ca.crt";

/**
 * What plain HTTP gets in the local network: the certificate of our authority and how to install it. Nothing of the product is here, and nothing
 * secret: whoever listens learns a public key. Whoever sits in between could give out another one, therefore the fingerprint.
 */
export function answerTrustPage(
	request: IncomingMessage,
	response: ServerResponse,
	{ certificate, addresses }: { certificate: LanCertificate; addresses: readonly string[] },
): void {
	response.setHeader("x-content-type-options", "nosniff");
	response.setHeader("cache-control", "no-store");
	response.setHeader("connection", "close");
	if (request.method !== "GET" && request.method !== "HEAD") {
		response.writeHead(405).end();
	} else if (request.url === CERTIFICATE_PATH) {
		// Not as an attachment: a phone that is to install it must not put it away among its files.
		response.writeHead(200, { "content-type": "application/x-x509-ca-cert" }).end(certificate.ca);
	} else if (request.url === "/") {
		// Only an address of ours: a name that somebody else chose is not repeated.
		const address = addresses.find((known) => new URL(known).host === request.headers.host) ?? addresses[0] ?? "";
		response.writeHead(200, {
			"content-type": "text/html; charset=utf-8",
			"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
			"referrer-policy": "no-referrer",
		});
		response.end(pageOf(isChinese(request.headers["accept-language"]) ? chinese : english, certificate.fingerprint, address));
	} else {
		response.writeHead(302, { location: "/" }).end();
	}
}

const isChinese = (accepted: string | undefined) => /^\s*zh/i.test(accepted ?? "");

interface Words {
	language: string;
	title: string;
	why: string;
	compare: string;
	fetch: string;
	steps: readonly { system: string; step: string }[];
	open: string;
	end: string;
}

const english: Words = {
	language: "en",
	title: "Trust this Rightseat",
	why: "This Rightseat made its own certificate authority. Your phone has to be told once that it may trust it; until then the page can be opened only past a warning, and can neither be installed nor send notifications. The authority is limited to private addresses and this machine's name: it cannot vouch for any site on the internet.",
	compare: "Compare this fingerprint with the one that “rightseat pair” shows. If they differ, stop: somebody is in between.",
	fetch: "1. Get the certificate",
	steps: [
		{
			system: "iPhone, iPad",
			step: "Settings → Profile Downloaded → Install. Then Settings → General → About → Certificate Trust Settings: switch on “Rightseat”.",
		},
		{
			system: "Android",
			step: "Settings → Security → More security settings → Encryption & credentials → Install a certificate → CA certificate: choose rightseat-ca.crt.",
		},
	],
	open: "3. Open Rightseat, then scan the second code",
	end: "When you no longer need it, remove the certificate in the same place of your phone's settings.",
};

const chinese: Words = {
	language: "zh-Hant",
	title: "信任這個 Rightseat",
	why: "這個 Rightseat 建立了自己的憑證機構。您的手機需要設定一次信任；在那之前，只能略過警告開啟頁面，無法安裝，也無法傳送通知。這個憑證機構只限於私人位址和這台機器的名稱，不能為網際網路上的任何網站作保。",
	compare: "請將這個指紋與「rightseat pair」顯示的指紋比對。若不相同，請停止：有人在中間攔截。",
	fetch: "1. 取得憑證",
	steps: [
		{ system: "iPhone、iPad", step: "設定 → 已下載描述檔 → 安裝。接著前往 設定 → 一般 → 關於本機 → 憑證信任設定，開啟「Rightseat」。" },
		{ system: "Android", step: "設定 → 安全性 → 更多安全性設定 → 加密與憑證 → 安裝憑證 → CA 憑證，選擇 rightseat-ca.crt。" },
	],
	open: "3. 開啟 Rightseat，然後掃描第二個條碼",
	end: "不再需要時，請在手機設定的同一處移除這個憑證。",
};

/** No script, nothing from elsewhere, and no text but ours. */
function pageOf(words: Words, fingerprint: string, address: string): string {
	const steps = words.steps.map(({ system, step }) => `<li><b>${system}</b><br>${step}</li>`).join("");
	return `<!doctype html><html lang="${words.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${words.title}</title><style>body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:2rem auto;padding:0 1.2rem;color-scheme:light dark}
code{display:block;overflow-wrap:anywhere;padding:.6rem;border:1px solid #8888;border-radius:.5rem}a{font-weight:600}</style></head><body>
<h1>${words.title}</h1><p>${words.why}</p><p>${words.compare}</p><code>${fingerprint}</code>
<p><a href="${CERTIFICATE_PATH}">${words.fetch}</a></p><p>2.</p><ul>${steps}</ul>
<p><a href="${address}/">${words.open}</a></p><p>${words.end}</p></body></html>
`;
}
