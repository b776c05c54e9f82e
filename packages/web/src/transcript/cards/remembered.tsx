import type { PermissionRequest } from "@rightseat/protocol/model/ask";
import type { RememberedRule } from "@rightseat/protocol/model/remembered-rule";
import { useLazy } from "../../ui/use-lazy.ts";

const load = () => import("./remembered-parts.tsx");

/** What a person can allow for good at a request, or allowed before a call; the code comes when there is something of it. */
export function Remembered(props: { rules: readonly RememberedRule[]; asked?: { conversationId: string; request: PermissionRequest } }) {
	const code = useLazy(load, "now");
	if (code === undefined) return null;
	return props.asked === undefined ? <code.AllowedBy {...props} /> : <code.AlwaysAllow {...props} {...props.asked} />;
}
