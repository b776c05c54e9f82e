import { type McpToken, mcpTokensAnswer, newMcpTokenAnswer } from "@rightseat/protocol/http/mcp";
import { type FormEvent, useState } from "react";
import { request, requestJson } from "../api/request.ts";
import { useFailureText } from "../i18n/use-failure-text.ts";
import { useLanguage, useWords } from "../i18n/use-words.tsx";
import { Button } from "../ui/button.tsx";
import { ConfirmButton } from "./confirm-button.tsx";
import { Part, Told, WhenLoaded } from "./parts.tsx";
import { programsWords } from "./programs-messages.ts";
import { useLoad } from "./use-load.ts";

const MAX_NAME_CHARS = 60;

interface Wanted {
	name: string;
	permissions: McpToken["permissions"];
	reach: McpToken["reach"];
}

/** The tokens with which other programs come to `/mcp`: made, shown once, revoked. */
export function ProgramsPart() {
	const t = useWords(programsWords);
	const say = useFailureText();
	const { loaded, reload } = useLoad(() => requestJson("/api/mcp-tokens", mcpTokensAnswer));
	const [secret, setSecret] = useState("");
	const [note, setNote] = useState({ problem: "", done: "" });

	const change = async (run: () => Promise<string>) => {
		setSecret("");
		try {
			setNote({ problem: "", done: await run() });
		} catch (error) {
			setNote({ problem: t("failed", { message: say(error) }), done: "" });
		}
		await reload();
	};
	const make = (json: Wanted) =>
		change(async () => {
			setSecret((await requestJson("/api/mcp-tokens", newMcpTokenAnswer, { method: "POST", json })).secret);
			return t("shownOnce");
		});
	const revoke = ({ id, name }: McpToken) =>
		change(async () => {
			await request(`/api/mcp-tokens/${encodeURIComponent(id)}`, { method: "DELETE" });
			return t("revoked", { name });
		});
	return (
		<Part title={t("programs")} hint={t("programsHint")}>
			<WhenLoaded loaded={loaded} reload={reload}>
				{({ tokens }) =>
					tokens.length === 0 ? (
						<p className="text-sm">{t("noTokens")}</p>
					) : (
						<ul aria-label={t("programs")}>
							{tokens.map((token) => (
								<TokenRow key={token.id} token={token} revoke={() => revoke(token)} />
							))}
						</ul>
					)
				}
			</WhenLoaded>
			<MakeToken make={make} />
			{secret !== "" && (
				<input
					readOnly
					aria-label={t("secret")}
					value={secret}
					onFocus={(event) => event.target.select()}
					className="mt-2 w-full rounded-lg border bg-transparent px-3 py-2 font-mono text-sm"
				/>
			)}
			<Told {...note} />
		</Part>
	);
}

function TokenRow({ token, revoke }: { token: McpToken; revoke: () => Promise<void> }) {
	const t = useWords(programsWords);
	const language = useLanguage();
	const { name, permissions, reach, lastUsedAt } = token;
	const time =
		lastUsedAt === null ? t("never") : new Date(lastUsedAt).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
	return (
		<li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-1.5 text-sm">
			<span className="min-w-0 flex-1">
				<span className="block truncate">{name}</span>
				<span className="block text-muted text-xs">{t("about", { permissions: t(permissions), reach: t(reach), time })}</span>
			</span>
			<ConfirmButton
				small
				label={t("revoke")}
				name={t("revokeNamed", { name })}
				question={t("revokeAsk", { name })}
				confirm={t("revoke")}
				onConfirm={revoke}
			/>
		</li>
	);
}

function MakeToken({ make }: { make: (wanted: Wanted) => Promise<void> }) {
	const t = useWords(programsWords);
	const [name, setName] = useState("");
	const [isAuto, setAuto] = useState(false);
	const [isAll, setAll] = useState(false);
	const submit = async (event: FormEvent) => {
		event.preventDefault();
		if (name.trim() === "") return;
		await make({ name: name.trim(), permissions: isAuto ? "auto" : "ask", reach: isAll ? "all" : "own" });
		setName("");
		setAuto(false);
		setAll(false);
	};
	return (
		<form onSubmit={submit} className="grid gap-2 pt-2.5 text-sm">
			<input
				aria-label={t("name")}
				placeholder={t("name")}
				maxLength={MAX_NAME_CHARS}
				value={name}
				onChange={(event) => setName(event.target.value)}
				className="rounded-lg border bg-transparent px-3 py-2"
			/>
			<label className="flex items-center gap-2">
				<input type="checkbox" checked={isAuto} onChange={(event) => setAuto(event.target.checked)} className="accent-accent" />
				{t("allowAuto")}
			</label>
			<label className="flex items-center gap-2">
				<input type="checkbox" checked={isAll} onChange={(event) => setAll(event.target.checked)} className="accent-accent" />
				{t("allowAll")}
			</label>
			<div>
				<Button type="submit" disabled={name.trim() === ""}>
					{t("make")}
				</Button>
			</div>
		</form>
	);
}
