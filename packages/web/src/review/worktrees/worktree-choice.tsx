import type { NewWorktree } from "../../api/api.ts";
import { useWords } from "../../i18n/use-words.tsx";
import { worktreeWords } from "./worktree-messages.ts";

const FIELD = "mt-1 w-full rounded-lg border border-line-strong bg-surface px-2.5 py-1.5 text-sm";

/** Whether a new conversation gets a work tree of its own. */
export function WorktreeChoice({
	value,
	onChange,
}: {
	value: NewWorktree | undefined;
	onChange: (value: NewWorktree | undefined) => void;
}) {
	const t = useWords(worktreeWords);
	const given = typeof value === "object" ? value : {};
	const set = (patch: { branch?: string; setup?: string }) => {
		const { branch = "", setup = "" } = { ...given, ...patch };
		const next = { ...(branch === "" ? {} : { branch }), ...(setup === "" ? {} : { setup }) };
		onChange(Object.keys(next).length === 0 ? true : next);
	};
	return (
		<div className="text-sm">
			<label className="flex items-start gap-2">
				<input
					type="checkbox"
					className="mt-1"
					checked={value !== undefined}
					onChange={() => onChange(value === undefined ? true : undefined)}
				/>
				<span>
					<span className="font-medium">{t("own")}</span>
					<span className="block text-muted">{t("ownHint")}</span>
				</span>
			</label>
			{value !== undefined && (
				<div className="grid gap-2 pt-2 pl-5.5">
					<label className="block">
						{t("branch")}
						<input
							value={given.branch ?? ""}
							maxLength={60}
							onChange={(event) => set({ branch: event.target.value.trim() })}
							className={FIELD}
						/>
					</label>
					<label className="block">
						{t("setup")}
						<input
							value={given.setup ?? ""}
							maxLength={4_096}
							placeholder="npm ci"
							onChange={(event) => set({ setup: event.target.value })}
							className={`${FIELD} font-mono`}
						/>
					</label>
				</div>
			)}
		</div>
	);
}
