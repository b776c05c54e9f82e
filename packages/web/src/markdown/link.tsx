import { ExternalLink, ImageOff } from "lucide-react";
import type { ReactNode } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { markdownWords } from "./markdown-messages.ts";
import { safeUrl } from "./parser.ts";

/** A link that says where it goes. One that leads nowhere a browser should go is plain text with its target beside it. */
export function Link({ href, text, children }: { href: string; text: string; children: ReactNode }) {
	const t = useWords(markdownWords);
	const url = safeUrl(href);
	if (url === undefined) return <span title={href}>{children}</span>;
	const host = url.protocol === "mailto:" || url.protocol === "tel:" ? url.pathname : url.host;
	return (
		<a href={url.href} target="_blank" rel="noopener noreferrer nofollow" title={t("opensIn", { url: url.href })}>
			{children}
			{!saysHost(text.trim(), host) && <span className="md-host">{host}</span>}
		</a>
	);
}

/** The text is the address itself. A host somewhere in it is not enough: `https://good.example/?q=evil.example` leads to the good one. */
function saysHost(text: string, host: string): boolean {
	if (text === host) return true;
	const said = safeUrl(text) ?? safeUrl(`https://${text}`);
	return said !== undefined && said.host === host && said.username === "";
}

/** A picture from elsewhere is never fetched by itself: its address can carry secrets out. */
export function ImageChip({ src, alt }: { src: string; alt: string }) {
	const t = useWords(markdownWords);
	const url = safeUrl(src);
	if (url === undefined) return <span className="md-image">{alt === "" ? src.slice(0, 200) : alt}</span>;
	return (
		<a
			className="md-image"
			href={url.href}
			target="_blank"
			rel="noopener noreferrer nofollow"
			title={`${url.href}\n${t("remoteImageHint")}`}
		>
			<ImageOff size={14} aria-hidden />
			{alt !== "" && <span>{alt}</span>}
			<span className="md-image-host">{t("remoteImage", { host: url.host })}</span>
			<ExternalLink size={13} aria-hidden />
		</a>
	);
}
