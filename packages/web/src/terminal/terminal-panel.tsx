import "@xterm/xterm/css/xterm.css";
import { AArrowDown, AArrowUp, Power, RotateCw } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useMedia } from "../app/use-media.ts";
import { useWords } from "../i18n/use-words.tsx";
import { useUi, useUiSet } from "../state/ui-slice.tsx";
import { useApp } from "../state/use-page.tsx";
import { Button } from "../ui/button.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { KeyBar } from "./key-bar.tsx";
import { terminalWords } from "./terminal-messages.ts";
import { useTerminal } from "./use-terminal.ts";

const SIZES = { smallest: 9, usual: 13, largest: 24 };

/** A real shell in the conversation's directory, the same on every device that opens it. */
export function TerminalPanel() {
	const conversationId = useApp((state) => state.openId);
	return <ConversationTerminal key={conversationId ?? "home"} conversationId={conversationId} />;
}

function ConversationTerminal({ conversationId }: { conversationId: string | undefined }) {
	const t = useWords(terminalWords);
	const touch = useMedia("(pointer: coarse)");
	const connected = useApp((state) => state.connection.kind === "open");
	const host = useRef<HTMLDivElement>(null);
	const ctrl = useRef(false);
	const [armed, setArmed] = useState(false);
	const [fontSize, setFontSize] = useState(SIZES.usual);
	const arm = (on: boolean) => {
		ctrl.current = on;
		setArmed(on);
	};
	const terminal = useTerminal(host, { conversationId, fontSize, ctrl, onCtrlUsed: () => arm(false) });
	const text = useUi((ui) => ui.terminalText);
	const setUi = useUiSet();
	const { typeWhenReady } = terminal;
	useEffect(() => {
		if (text === undefined) return;
		typeWhenReady(text);
		setUi({ terminalText: undefined });
	}, [text, typeWhenReady, setUi]);
	const zoom = (by: number) => {
		const size = Math.max(SIZES.smallest, Math.min(SIZES.largest, fontSize + by));
		setFontSize(size);
		terminal.setFontSize(size);
	};
	const { state } = terminal;
	useEffect(() => {
		if (state.kind === "exited") host.current?.blur();
	}, [state.kind]);

	return (
		<div className="flex h-full flex-col">
			<div className="flex items-center gap-0.5 border-b px-2 py-0.5">
				<span role="status" className="min-w-0 flex-1 truncate px-2 text-muted text-xs">
					{!connected ? t("waiting") : state.kind === "opening" ? t("connecting") : ""}
				</span>
				<IconButton small label={t("smaller")} icon={<AArrowDown size={16} />} onClick={() => zoom(-1)} />
				<IconButton small label={t("larger")} icon={<AArrowUp size={16} />} onClick={() => zoom(1)} />
				<IconButton small label={t("close")} icon={<Power size={15} />} disabled={state.kind !== "open"} onClick={terminal.end} />
			</div>
			<div ref={host} className="min-h-0 flex-1 overflow-hidden px-2 pt-1" />
			{state.kind === "exited" && (
				<div className="flex items-center gap-3 border-t bg-sunken px-4 py-2 text-sm">
					<p role="status" className="flex-1">
						{state.exitCode === null ? t("killed") : t("exited", { code: state.exitCode })}
					</p>
					<Button small icon={<RotateCw size={14} aria-hidden />} onClick={terminal.restart}>
						{t("restart")}
					</Button>
				</div>
			)}
			{touch && (
				<KeyBar
					ctrl={armed}
					onCtrl={() => arm(!armed)}
					onSequence={(sequence) => {
						arm(false);
						terminal.type(sequence);
					}}
					applicationCursor={terminal.applicationCursor}
				/>
			)}
		</div>
	);
}
