import { TelegramSection } from "../settings/telegram-section.tsx";

/** The bot: where it is, and who may use it; or how to make one. */
export function TelegramStep() {
	return <TelegramSection />;
}
