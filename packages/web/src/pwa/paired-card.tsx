import { useEffect, useState } from "react";
import { useFailureText } from "../i18n/use-failure-text.ts";
import { useWords } from "../i18n/use-words.tsx";
import { Button } from "../ui/button.tsx";
import { pairedWords } from "./paired-messages.ts";
import { type PushState, pushState, turnPushOn } from "./push.ts";

/** What Chromium gives a page that can be installed. */
interface InstallPrompt extends Event {
	prompt(): Promise<unknown>;
}
const isInstallPrompt = (event: Event): event is InstallPrompt => "prompt" in event && typeof event.prompt === "function";

/** After a login by the code of `rightseat pair`: what a phone can have, once. */
export function PairedCard() {
	const t = useWords(pairedWords);
	const [shown, setShown] = useState(true);
	if (!shown) return null;
	const finish = () => {
		// A reload of this entry of the history does not offer it again.
		history.replaceState(null, "", location.href);
		setShown(false);
	};
	return (
		<section
			aria-labelledby="paired-title"
			className="fixed inset-x-3 top-16 z-30 mx-auto max-w-sm rounded-xl border bg-surface p-4 text-sm shadow-float"
		>
			<h2 id="paired-title" className="font-semibold text-base">
				{t("title")}
			</h2>
			<p className="pt-1 text-muted">{t("intro")}</p>
			<InstallPart />
			<NotifyPart />
			<div className="pt-3 text-right">
				<Button kind="quiet" onClick={finish}>
					{t("done")}
				</Button>
			</div>
		</section>
	);
}

function InstallPart() {
	const t = useWords(pairedWords);
	const [offer, setOffer] = useState<InstallPrompt>();
	const [installed, setInstalled] = useState(() => matchMedia("(display-mode: standalone)").matches);
	useEffect(() => {
		const onOffer = (event: Event) => {
			if (!isInstallPrompt(event)) return;
			event.preventDefault();
			setOffer(event);
		};
		const onInstalled = () => setInstalled(true);
		addEventListener("beforeinstallprompt", onOffer);
		addEventListener("appinstalled", onInstalled);
		return () => {
			removeEventListener("beforeinstallprompt", onOffer);
			removeEventListener("appinstalled", onInstalled);
		};
	}, []);
	if (installed) return <p className="pt-3">{t("installed")}</p>;
	if (offer === undefined) return <p className="pt-3">{t(isApple() ? "installShare" : "installMenu")}</p>;
	return (
		<div className="pt-3">
			<Button kind="primary" className="min-h-11 w-full" onClick={() => void offer.prompt()}>
				{t("install")}
			</Button>
		</div>
	);
}

/** Phones and tablets of Apple, which have no event for it; newer tablets call themselves a Mac with a touch screen. */
const isApple = () =>
	/iPhone|iPad|iPod/.test(navigator.userAgent) || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);

function NotifyPart() {
	const t = useWords(pairedWords);
	const say = useFailureText();
	const [state, setState] = useState<PushState | "untrusted">();
	const [problem, setProblem] = useState("");
	useEffect(() => {
		// One that cannot be asked is one that cannot notify.
		pushState().then(setState, () => setState("unsupported"));
	}, []);
	const turnOn = async () => {
		try {
			// Without a worker there is nothing to wait for: a browser that was told to go on past a bad certificate takes none.
			const worker = await navigator.serviceWorker.getRegistration();
			setState(worker === undefined ? "untrusted" : await turnPushOn());
			setProblem("");
		} catch (error) {
			setProblem(t("failed", { message: say(error) }));
		}
	};
	if (state === undefined) return null;
	return (
		<div className="pt-3">
			{state === "off" ? (
				<Button className="min-h-11 w-full" onClick={() => void turnOn()}>
					{t("notify")}
				</Button>
			) : (
				<p role="status">{t(state === "on" ? "notifying" : state)}</p>
			)}
			<p role="alert" className="text-danger">
				{problem}
			</p>
		</div>
	);
}
