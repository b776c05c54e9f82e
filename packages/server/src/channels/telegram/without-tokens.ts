/** Takes bot tokens out of a text: Telegram's file addresses and some errors carry them. */
export const withoutTokens = (text: string) => text.replace(/\b(bot)?\d{5,}:[\w-]{20,}/g, "[bot token]");
