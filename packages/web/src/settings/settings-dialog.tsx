import clsx from "clsx";
import { Bell, ChartColumn, Cpu, History, Info, KeyRound, MonitorSmartphone, Network, Puzzle, Send, SlidersHorizontal } from "lucide-react";
import type { ReactNode } from "react";
import { FleetSection } from "../fleet/fleet-section.tsx";
import { useWords } from "../i18n/use-words.tsx";
import { SetupSection } from "../setup/setup-section.tsx";
import { type SettingsSection, useUi, useUiSet } from "../state/ui-slice.tsx";
import { useActions, useApp } from "../state/use-page.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { UsageSection } from "../usage/usage-section.tsx";
import { AboutSection } from "./about-section.tsx";
import { ActivitySection } from "./activity-section.tsx";
import { DevicesSection } from "./devices-section.tsx";
import { GeneralSection } from "./general-section.tsx";
import { ModelSection } from "./model-section.tsx";
import { NotificationSection } from "./notification-section.tsx";
import { SecuritySection } from "./security-section.tsx";
import { settingsWords } from "./settings-messages.ts";
import { TelegramSection } from "./telegram-section.tsx";

const SECTIONS: readonly { id: SettingsSection; icon: ReactNode; content: () => ReactNode }[] = [
	{ id: "general", icon: <SlidersHorizontal size={16} aria-hidden />, content: () => <GeneralSection /> },
	{ id: "model", icon: <Cpu size={16} aria-hidden />, content: () => <ModelSection /> },
	{ id: "notifications", icon: <Bell size={16} aria-hidden />, content: () => <NotificationSection /> },
	{ id: "telegram", icon: <Send size={16} aria-hidden />, content: () => <TelegramSection /> },
	{ id: "devices", icon: <MonitorSmartphone size={16} aria-hidden />, content: () => <DevicesSection /> },
	{ id: "security", icon: <KeyRound size={16} aria-hidden />, content: () => <SecuritySection /> },
	{ id: "setup", icon: <Puzzle size={16} aria-hidden />, content: () => <SetupSection /> },
	{ id: "usage", icon: <ChartColumn size={16} aria-hidden />, content: () => <UsageSection /> },
	{ id: "activity", icon: <History size={16} aria-hidden />, content: () => <ActivitySection /> },
	{ id: "fleet", icon: <Network size={16} aria-hidden />, content: () => <FleetSection /> },
	{ id: "about", icon: <Info size={16} aria-hidden />, content: () => <AboutSection /> },
];

export function SettingsDialog() {
	const t = useWords(settingsWords);
	const { show } = useActions();
	const setUi = useUiSet();
	const section = useUi((state) => state.settingsSection);
	const isInFleet = useApp((state) => state.hosts.length > 0);
	function close() {
		show({ settingsOpen: false });
		setUi({ budgetOf: undefined });
	}
	const current = SECTIONS.find(({ id }) => id === section);
	return (
		<Dialog open onClose={close} title={t("settings")} className="dialog-wide">
			<div className="flex h-[min(560px,72dvh)] min-h-0 flex-col sm:flex-row">
				<nav
					aria-label={t("sections")}
					className="grid shrink-0 grid-cols-4 gap-0.5 border-b p-2 sm:flex sm:w-48 sm:flex-col sm:border-r sm:border-b-0"
				>
					{SECTIONS.filter(({ id }) => id !== "fleet" || isInFleet).map(({ id, icon }) => (
						<button
							key={id}
							type="button"
							aria-current={id === section ? "true" : undefined}
							onClick={() => setUi({ settingsSection: id })}
							className={clsx(
								"inline-flex min-w-0 flex-col items-center gap-1 rounded-lg py-1.5 text-xs sm:min-h-9 sm:flex-row sm:gap-2.5 sm:px-2.5 sm:text-sm",
								id === section ? "bg-hover font-medium" : "text-muted hover:bg-hover hover:text-ink",
							)}
						>
							{icon}
							{t(id)}
						</button>
					))}
				</nav>
				<div className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-5">
					<h3 className="sr-only">{t(section)}</h3>
					<div>{current?.content()}</div>
				</div>
			</div>
		</Dialog>
	);
}
