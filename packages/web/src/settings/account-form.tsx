import { modelsAnswer } from "@rightseat/protocol/http/conversations";
import {
	type GhLoginView,
	ghLoginAnswer,
	type ModelAccountView,
	modelAccountAnswer,
	type ProviderType,
} from "@rightseat/protocol/http/model-account";
import { type FormEvent, type ReactNode, useEffect, useId, useState } from "react";
import { requestJson } from "../api/request.ts";
import { useFailureText } from "../i18n/use-failure-text.ts";
import { useWords } from "../i18n/use-words.tsx";
import { useUiSet } from "../state/ui-slice.tsx";
import { useActions } from "../state/use-page.tsx";
import { Button } from "../ui/button.tsx";
import { accountWords } from "./account-messages.ts";
import { ConfirmButton } from "./confirm-button.tsx";
import { Choice, WhenLoaded } from "./parts.tsx";
import { settingsApi } from "./settings-api.ts";
import { useLoad } from "./use-load.ts";

const ADDRESS = "/api/model-account";
const PRESETS: readonly { name: string; type: ProviderType; url: string }[] = [
	{ name: "Ollama", type: "openai", url: "http://127.0.0.1:11434/v1" },
	{ name: "LM Studio", type: "openai", url: "http://127.0.0.1:1234/v1" },
	{ name: "OpenAI", type: "openai", url: "https://api.openai.com/v1" },
	{ name: "OpenRouter", type: "openai", url: "https://openrouter.ai/api/v1" },
	{ name: "Anthropic", type: "anthropic", url: "https://api.anthropic.com" },
];
const BOX = "h-10 w-full rounded-lg border bg-bg px-3 text-sm pointer-coarse:text-[16px] placeholder:text-muted";

interface Note {
	problem: string;
	done: string;
	/** The provider answers, but nobody knows by which name. */
	isUnnamed: boolean;
}
const NOTHING: Note = { problem: "", done: "", isUnnamed: false };

/** Whose model answers in conversations with Copilot, and another one connected in its place. */
export function AccountForm() {
	const t = useWords(accountWords);
	const say = useFailureText();
	const setUi = useUiSet();
	const { loadModels } = useActions();
	const [note, setNote] = useState(NOTHING);
	const { loaded, reload, set } = useLoad(async () => (await requestJson(ADDRESS, modelAccountAnswer)).account);

	const change = async (run: () => Promise<Partial<Note>>): Promise<boolean> => {
		setNote(NOTHING);
		try {
			const done = await run();
			setNote({ ...NOTHING, ...done });
			return true;
		} catch (error) {
			setNote({ ...NOTHING, problem: t("failed", { message: say(error) }) });
			return false;
		}
	};
	/** A model that was chosen before belongs to another provider. */
	const renew = async () => {
		setUi({ newModel: undefined });
		await loadModels();
	};
	const connect = (json: object) =>
		change(async () => {
			set((await requestJson(ADDRESS, modelAccountAnswer, { method: "PUT", json })).account);
			await renew();
			const { models, default: name, state } = await requestJson("/api/copilot/models", modelsAnswer);
			return state === "unlisted" ? { done: t("unlisted"), isUnnamed: true } : { done: t("connected", { count: models.length, name }) };
		});
	const forget = async () => {
		await change(async () => {
			set((await requestJson(ADDRESS, modelAccountAnswer, { method: "DELETE" })).account);
			await renew();
			return { done: t("forgotten") };
		});
	};
	const useName = (name: string) =>
		change(async () => {
			await settingsApi.change({ defaultModel: name });
			await renew();
			return { done: t("named", { name }) };
		});
	return (
		<WhenLoaded loaded={loaded} reload={reload}>
			{(account) => (
				<div className="grid grid-cols-1 gap-4 text-sm">
					<p className="wrap-anywhere">
						{t(account.login === "gh" && account.kind !== "own" ? `gh.${account.kind}` : `now.${account.kind}`, { url: account.url ?? "" })}
					</p>
					{isFixed(account) ? (
						<p className="text-muted">{t(`from.${account.from}`)}</p>
					) : (
						<ConnectFields connect={connect} usesGh={account.login === "gh"}>
							<p role="alert" className="text-danger empty:hidden">
								{note.problem}
							</p>
							<p aria-live="polite" className="text-success empty:hidden">
								{note.done}
							</p>
						</ConnectFields>
					)}
					{note.isUnnamed && <NameModel use={useName} />}
					{account.from === "page" && (
						<div>
							<ConfirmButton small label={t("forget")} question={t("forgetAsk")} confirm={t("forget")} onConfirm={forget} />
						</div>
					)}
				</div>
			)}
		</WhenLoaded>
	);
}

const isFixed = (account: ModelAccountView): account is ModelAccountView & { from: "configuration" | "demo-flag" } =>
	account.from === "configuration" || account.from === "demo-flag";

/** What became of it stands above the button, where whoever pressed it is looking. */
function ConnectFields({
	connect,
	usesGh,
	children,
}: {
	connect: (json: object) => Promise<boolean>;
	usesGh: boolean;
	children: ReactNode;
}) {
	const t = useWords(accountWords);
	const offered = useGhLogin();
	const [way, setWay] = useState<"own" | "copilot">("own");
	const [type, setType] = useState<ProviderType>("openai");
	const [url, setUrl] = useState("");
	const [secret, setSecret] = useState("");
	const [busy, setBusy] = useState(false);
	const ready = !busy && (way === "own" ? url.trim() : secret.trim()) !== "";
	const submit = async (event: FormEvent) => {
		event.preventDefault();
		if (!ready) return;
		const key = secret.trim();
		const json = way === "copilot" ? { kind: way, token: key } : { kind: way, type, url: url.trim(), ...(key !== "" && { key }) };
		if (await run(json)) setSecret("");
	};
	const run = async (json: object): Promise<boolean> => {
		setBusy(true);
		const done = await connect(json);
		setBusy(false);
		return done;
	};
	return (
		<form onSubmit={submit} className="grid grid-cols-1 gap-3" autoComplete="off" noValidate>
			{offered !== undefined && (
				<div className="grid grid-cols-1 gap-2 rounded-lg border p-3">
					<p>{offered.user === undefined ? t("gh.found") : t("gh.foundAs", { user: offered.user })}</p>
					<p className="text-muted text-xs">{t("gh.hint")}</p>
					<div>
						<Button disabled={busy} onClick={() => void run({ kind: "gh" })}>
							{t(usesGh ? "gh.again" : "gh.use")}
						</Button>
					</div>
				</div>
			)}
			<Choice
				name={t("way")}
				value={way}
				onChange={(next) => {
					setWay(next);
					setSecret("");
				}}
				options={[
					{ value: "own", label: t("way.own"), hint: t("way.ownHint") },
					{ value: "copilot", label: t("way.copilot"), hint: t("way.copilotHint") },
				]}
			/>
			{way === "own" && (
				<>
					<div className="flex flex-wrap items-center gap-2">
						<span className="text-muted text-xs">{t("presets")}</span>
						{PRESETS.map((preset) => (
							<Button
								key={preset.name}
								small
								onClick={() => {
									setType(preset.type);
									setUrl(preset.url);
								}}
							>
								{preset.name}
							</Button>
						))}
					</div>
					<Choice
						name={t("protocol")}
						value={type}
						onChange={setType}
						options={(["openai", "azure", "anthropic"] as const).map((value) => ({ value, label: t(`type.${value}`) }))}
					/>
					<Field label={t("address")} type="url" value={url} placeholder="http://127.0.0.1:11434/v1" onChange={setUrl} />
				</>
			)}
			<Field
				label={way === "own" ? t("key") : t("token")}
				type="password"
				value={secret}
				{...(way === "own" && { hint: t("keyHint") })}
				onChange={setSecret}
			/>
			<p className="text-muted text-xs">{t("kept")}</p>
			{children}
			<div>
				<Button type="submit" kind="primary" disabled={!ready}>
					{busy ? t("connecting") : t("connect")}
				</Button>
			</div>
		</form>
	);
}

/** The login of the GitHub CLI, once it is known that there is one. A server that is older has none to offer. */
function useGhLogin(): GhLoginView | undefined {
	const [offered, setOffered] = useState<GhLoginView>();
	useEffect(() => {
		const asked = new AbortController();
		requestJson(`${ADDRESS}/login`, ghLoginAnswer, { signal: asked.signal }).then(
			(found) => setOffered(found.available ? found : undefined),
			() => undefined,
		);
		return () => asked.abort();
	}, []);
	return offered;
}

function Field(props: {
	label: string;
	type: "url" | "password" | "text";
	value: string;
	placeholder?: string;
	hint?: string;
	onChange: (value: string) => void;
}) {
	const id = useId();
	return (
		<div>
			<label htmlFor={id} className="block pb-1 font-medium text-sm">
				{props.label}
			</label>
			<input
				id={id}
				type={props.type}
				value={props.value}
				placeholder={props.placeholder}
				aria-describedby={props.hint === undefined ? undefined : `${id}-hint`}
				// A password manager would offer the access token here, and keep the key as one.
				autoComplete={props.type === "password" ? "new-password" : "off"}
				autoCapitalize="off"
				spellCheck={false}
				onChange={(event) => props.onChange(event.target.value)}
				className={BOX}
			/>
			{props.hint !== undefined && (
				<p id={`${id}-hint`} className="pt-1 text-muted text-xs">
					{props.hint}
				</p>
			)}
		</div>
	);
}

function NameModel({ use }: { use: (name: string) => Promise<boolean> }) {
	const t = useWords(accountWords);
	const [name, setName] = useState("");
	return (
		<form
			className="grid grid-cols-1 gap-2"
			onSubmit={(event) => {
				event.preventDefault();
				if (name.trim() !== "") void use(name.trim());
			}}
		>
			<Field label={t("modelName")} type="text" value={name} placeholder="qwen3" onChange={setName} />
			<div>
				<Button type="submit" disabled={name.trim() === ""}>
					{t("useName")}
				</Button>
			</div>
		</form>
	);
}
