import type { McpServerInput } from "@rightseat/protocol/http/mcp-servers";
import { type FormEvent, type ReactNode, useState } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { Button } from "../ui/button.tsx";
import { serverWords } from "./server-messages.ts";
import { isAddress, readTypedServer } from "./typed-server.ts";

const NOTHING = { name: "", program: "", args: "", secrets: "" };
const BOX = "rounded-lg border bg-transparent px-3 py-2 font-mono text-xs";

/** Adds a server of one's own; what was typed stays until it is kept. */
export function AddServer(props: { isTaken: (name: string) => boolean; add: (name: string, server: McpServerInput) => Promise<boolean> }) {
	const t = useWords(serverWords);
	const [typed, setTyped] = useState(NOTHING);
	const [problem, setProblem] = useState("");
	const change = (patch: Partial<typeof NOTHING>) => setTyped({ ...typed, ...patch });
	const name = typed.name.trim();
	const submit = async (event: FormEvent) => {
		event.preventDefault();
		const read = readTypedServer(typed);
		if ("badLine" in read) return setProblem(t("badLine", { line: read.badLine }));
		if (props.isTaken(name)) return setProblem(t("taken", { name }));
		setProblem("");
		if (await props.add(name, read.server)) setTyped(NOTHING);
	};
	const remote = isAddress(typed.program);
	return (
		<details className="pt-3 text-sm">
			<summary className="cursor-pointer font-medium">{t("add")}</summary>
			<form onSubmit={submit} aria-label={t("add")} className="grid gap-2 pt-2">
				<Field label={t("name")}>
					<input maxLength={60} value={typed.name} onChange={(event) => change({ name: event.target.value })} className={BOX} />
				</Field>
				<Field label={t("program")}>
					<input
						value={typed.program}
						placeholder={t("programHint")}
						onChange={(event) => change({ program: event.target.value })}
						className={BOX}
					/>
				</Field>
				{!remote && (
					<Field label={t("args")}>
						<textarea rows={2} value={typed.args} onChange={(event) => change({ args: event.target.value })} className={BOX} />
					</Field>
				)}
				<Field label={t(remote ? "headers" : "env")}>
					<textarea
						rows={2}
						autoComplete="off"
						spellCheck={false}
						value={typed.secrets}
						onChange={(event) => change({ secrets: event.target.value })}
						className={BOX}
					/>
				</Field>
				<p role="alert" className="text-danger text-sm empty:hidden">
					{problem}
				</p>
				<div>
					<Button type="submit" disabled={name === "" || typed.program.trim() === ""}>
						{t("save")}
					</Button>
				</div>
			</form>
		</details>
	);
}

const Field = ({ label, children }: { label: string; children: ReactNode }) => (
	// biome-ignore lint/a11y/noLabelWithoutControl: the control is the child.
	<label className="grid gap-1">
		<span className="text-muted text-xs">{label}</span>
		{children}
	</label>
);
