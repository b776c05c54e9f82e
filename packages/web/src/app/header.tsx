import type { Conversation } from "@rightseat/protocol/model/conversation";
import { Menu as MenuIcon, PanelLeft, ScrollText, Search, SquareTerminal } from "lucide-react";
import { useRunCommand } from "../commands/use-commands.ts";
import { commonWords } from "../i18n/common-messages.ts";
import { useWords } from "../i18n/use-words.tsx";
import { useInboxParts } from "../inbox/use-inbox-parts.ts";
import { useActions, useApp } from "../state/use-page.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { LazyView } from "../ui/lazy-view.tsx";
import { useLazy } from "../ui/use-lazy.ts";
import { ConnectionStatus } from "./connection-status.tsx";
import { PlaceLine } from "./place-line.tsx";

const loadForkLinks = () => import("../fork/fork-links.tsx").then((module) => ({ View: module.ForkLinks }));
/** Nothing is measured before the first answer; the code is there before that. */
const loadMeter = () => import("../transcript/cards/context-meter.tsx");
const loadSetup = () => import("../setup/setup-entry.tsx");
const hasForks = (open: Conversation | undefined) => open?.forkedFrom !== undefined || open?.forks !== undefined;

export function Header({ wide }: { wide: boolean }) {
	const t = useWords(commonWords);
	const { show, changeSettings } = useActions();
	const sidebar = useApp((state) => state.settings.sidebar);
	const panel = useApp((state) => state.panel);
	const openId = useApp((state) => state.openId);
	const title = useApp((state) => (state.openId === undefined ? undefined : state.conversations[state.openId]?.title));
	const isForked = useApp(({ openId: id, conversations }) => hasForks(id === undefined ? undefined : conversations[id]));
	const run = useRunCommand();
	const inbox = useInboxParts();
	const meter = useLazy(loadMeter, "idle");
	const setup = useLazy(loadSetup, "idle");
	return (
		<header className="safe-top @container shrink-0">
			{/* Where it is narrow, on a phone or between the list and a panel, the place has a row of its own: between the buttons there is no room for folder, branch and agent. */}
			<div className="flex items-center gap-x-0.5 px-2 @max-[40rem]:flex-wrap @max-[40rem]:pb-1.5 @min-[40rem]:h-13">
				{wide ? (
					<IconButton
						label={sidebar ? t("closeSidebar") : t("openSidebar")}
						icon={<PanelLeft size={18} />}
						onClick={() => changeSettings({ sidebar: !sidebar })}
					/>
				) : (
					<IconButton label={t("openSidebar")} icon={<MenuIcon size={20} />} onClick={() => show({ sidebarOpen: true })} />
				)}
				{inbox !== undefined && <inbox.InboxBadge />}
				<div className="min-w-0 flex-1 @max-[40rem]:contents @min-[40rem]:px-2">
					<h1 dir="auto" className="truncate font-medium text-sm @max-[40rem]:min-w-0 @max-[40rem]:flex-1 @max-[40rem]:px-1" title={title}>
						{title === undefined || title === "" ? t("untitled") : title}
					</h1>
					<div className="@max-[40rem]:order-last @max-[40rem]:min-w-0 @max-[40rem]:basis-full @max-[40rem]:px-2">
						{openId !== undefined && <PlaceLine conversationId={openId} />}
						{isForked && <LazyView load={loadForkLinks} />}
					</div>
				</div>
				<ConnectionStatus />
				{meter !== undefined && <meter.ContextMeter />}
				{setup !== undefined && <setup.SetupEntry />}
				<IconButton label={t("search")} icon={<Search size={18} />} onClick={() => run("palette", { by: "pointer" })} />
				<IconButton
					label={t("processes")}
					pressed={panel === "processes"}
					icon={<ScrollText size={18} />}
					onClick={() => run("processes", { by: "pointer" })}
				/>
				<IconButton
					label={t("terminal")}
					pressed={panel === "terminal"}
					icon={<SquareTerminal size={18} />}
					onClick={() => run("terminal", { by: "pointer" })}
				/>
			</div>
		</header>
	);
}
