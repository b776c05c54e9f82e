import { type FormEvent, useState } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { Button } from "../ui/button.tsx";
import { conversationSetupApi } from "./conversation-setup-api.ts";
import { serverWords } from "./server-messages.ts";

/**
 * Signing in to an MCP server. Its page sends the browser back to the machine that Rightseat runs on; from a phone that address opens nothing, so it is
 * pasted here.
 */
export function SignIn(props: { conversationId: string; name: string; change: (run: () => Promise<unknown>) => Promise<boolean> }) {
	const { conversationId, name, change } = props;
	const t = useWords(serverWords);
	const [page, setPage] = useState("");
	const [address, setAddress] = useState("");
	const begin = () =>
		change(async () => {
			const { authorizationUrl = "" } = await conversationSetupApi.beginLogin(conversationId, name);
			// What a server names is a page of the web, or nothing.
			setPage(/^https?:\/\//i.test(authorizationUrl) ? authorizationUrl : "");
		});
	const end = async (event: FormEvent) => {
		event.preventDefault();
		if (await change(() => conversationSetupApi.endLogin(conversationId, name, address.trim()))) {
			setPage("");
			setAddress("");
		}
	};
	if (page === "") {
		return (
			<Button small className="mt-1.5" onClick={() => void begin()}>
				{t("signIn", { name })}
			</Button>
		);
	}
	return (
		<form onSubmit={end} className="grid gap-1.5 pt-1.5 text-xs">
			<p>
				1.{" "}
				<a href={page} target="_blank" rel="noopener noreferrer" className="text-accent underline">
					{t("openPage")}
				</a>
			</p>
			<p>2. {t("pasteHint")}</p>
			<div className="flex gap-2">
				<input
					aria-label={t("paste")}
					placeholder={t("paste")}
					value={address}
					onChange={(event) => setAddress(event.target.value)}
					className="min-w-0 flex-1 rounded-lg border bg-transparent px-2 py-1.5 font-mono"
				/>
				<Button small type="submit" disabled={address.trim() === ""}>
					{t("finish")}
				</Button>
			</div>
		</form>
	);
}
