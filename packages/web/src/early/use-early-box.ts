import { useLayoutEffect, useRef } from "react";
import { conversationOf } from "../state/conversation-path.ts";
import { type EarlyText, takeEarlyBox } from "./early-box.ts";

/** Goes on with what was written before this box existed, as soon as the conversation of the address is the open one. */
export function useEarlyBox(openId: string | undefined, receive: (early: EarlyText) => void): void {
	const newest = useRef(receive);
	newest.current = receive;
	useLayoutEffect(() => {
		if (openId === conversationOf(location.pathname)) takeEarlyBox(document, (early) => newest.current(early));
	}, [openId]);
}
