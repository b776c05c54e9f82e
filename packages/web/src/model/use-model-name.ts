import type { Model } from "@rightseat/protocol/model/language-model";
import { composerWords } from "../composer/composer-messages.ts";
import { useWords } from "../i18n/use-words.tsx";

/** The demo pilot, and an agent's own choice, are named in the page's language; every other model as its maker named it. */
export function useModelName(): (model: Model) => string {
	const t = useWords(composerWords);
	return ({ id, name, demo }) => (demo === true ? t("modelDemoName") : id === "" ? t("modelOwn") : name);
}
