import { OwnServersPart } from "./own-servers-part.tsx";
import { TrustedFoldersPart } from "./trusted-folders-part.tsx";

/** In the settings: what agents are given besides the folder of a conversation, and which folders may run something. */
export function SetupSection() {
	return (
		<>
			<OwnServersPart />
			<TrustedFoldersPart />
		</>
	);
}
