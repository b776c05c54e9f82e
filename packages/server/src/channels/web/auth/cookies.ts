/** Cookies are shared by all ports of a host, so the name carries ours; a sibling's cookie cannot shadow it unseen. */
export function cookieName(port: number, secure: boolean): string {
	return secure ? `__Host-rightseat_${port}` : `rightseat_${port}`;
}

/** The port under which the browser sees us, which is another one than ours when it is forwarded; ours if the Host names none. */
export function portSeen(host: string | undefined, port: number): number {
	const named = /:(\d{1,5})$/.exec(host ?? "")?.[1];
	return named === undefined ? port : Number(named);
}

const MAX_CANDIDATES = 4;

/** Every value sent under the name, in order; another program on this host may have set one of them. */
export function cookieValues(header: string | undefined, name: string): string[] {
	if (header === undefined) return [];
	const values: string[] = [];
	for (const part of header.split(";")) {
		const at = part.indexOf("=");
		if (at === -1 || part.slice(0, at).trim() !== name) continue;
		values.push(part.slice(at + 1).trim());
		if (values.length === MAX_CANDIDATES) break;
	}
	return values;
}

export function setCookie(cookie: { name: string; value: string; maxAgeSeconds: number; secure: boolean }): string {
	const parts = [`${cookie.name}=${cookie.value}`, "Path=/", "HttpOnly", "SameSite=Strict", `Max-Age=${cookie.maxAgeSeconds}`];
	if (cookie.secure) parts.push("Secure");
	return parts.join("; ");
}
