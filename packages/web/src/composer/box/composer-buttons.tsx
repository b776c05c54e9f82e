import clsx from "clsx";
import { ArrowUp, Paperclip, Square } from "lucide-react";
import { useRef } from "react";
import { AgentOptions, NewAgent } from "../../agent/agent-slot.tsx";
import { useWords } from "../../i18n/use-words.tsx";
import { ModelPicker } from "../../model/model-picker.tsx";
import { openAgent } from "../../state/agent.ts";
import { useApp } from "../../state/use-page.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { composerWords } from "../composer-messages.ts";
import { PermissionsMenu } from "./permissions-menu.tsx";
import { SteerButton } from "./steer-button.tsx";
import { TurnButton } from "./turn-button.tsx";

/** The row under the text: what goes along on the left, what happens next on the right, where a thumb reaches. */
export function ComposerButtons(props: {
	shell: boolean;
	shellHintId: string;
	running: boolean;
	empty: boolean;
	overflow: number;
	onFiles: (files: readonly File[]) => void;
	onSend: () => void;
	onSteer: () => void;
	onStop: () => void;
}) {
	const t = useWords(composerWords);
	const picker = useRef<HTMLInputElement>(null);
	const isNew = useApp((state) => openAgent(state) === undefined);
	return (
		<div className="picks flex items-center gap-1 px-2 pb-2">
			<input
				ref={picker}
				type="file"
				multiple
				hidden
				onChange={(event) => {
					props.onFiles([...(event.target.files ?? [])]);
					event.target.value = "";
				}}
			/>
			<IconButton label={t("attach")} icon={<Paperclip size={18} />} onClick={() => picker.current?.click()} />
			{props.shell ? (
				<p id={props.shellHintId} className="min-w-0 flex-1 truncate px-1 text-warn text-xs">
					<strong className="mr-1.5 rounded bg-warn-soft px-1.5 py-0.5 font-mono">$ {t("shell")}</strong>
					<span className="max-sm:sr-only">{t("shellHint")}</span>
				</p>
			) : (
				<>
					<PermissionsMenu />
					<div className={clsx("pickers flex min-w-0", props.running && !props.empty && "max-sm:hidden")}>
						{isNew && <NewAgent />}
						<ModelPicker />
						<AgentOptions />
					</div>
					<span className="min-w-0 flex-1" />
				</>
			)}
			{props.overflow > 0 && (
				<span role="alert" className="px-1 text-danger text-xs">
					{t("tooLong", { count: props.overflow })}
				</span>
			)}
			{props.running && (
				<TurnButton onClick={props.onStop}>
					<Square size={11} fill="currentColor" aria-hidden />
					{t("stop")}
				</TurnButton>
			)}
			{props.running && !props.empty && !props.shell && <SteerButton onSteer={props.onSteer} />}
			<button
				type="button"
				aria-label={t("send")}
				title={props.running ? t("sendQueues") : t("send")}
				disabled={props.empty}
				onClick={(event) => {
					// By keyboard: the box is empty then, the button disabled, and a disabled one cannot keep the focus.
					if (event.detail === 0) document.getElementById("message")?.focus();
					props.onSend();
				}}
				className={clsx(
					"grid size-9 shrink-0 place-items-center rounded-full transition-colors disabled:bg-hover disabled:text-muted",
					props.shell ? "bg-warn text-bg" : "bg-accent text-on-accent hover:bg-accent-hover",
				)}
			>
				<ArrowUp size={18} aria-hidden />
			</button>
		</div>
	);
}
