import { useEffect, useRef, useState } from "react";

/** Files dragged onto any part of the page; without this a browser would leave the page to show the file. True while they hover. */
export function useFileDrop(onFiles: (files: readonly File[]) => void): boolean {
	const [over, setOver] = useState(false);
	const latest = useRef(onFiles);
	latest.current = onFiles;
	useEffect(() => {
		const filesOf = (event: DragEvent) => (event.dataTransfer?.types.includes("Files") === true ? event.dataTransfer : undefined);
		const onOver = (event: DragEvent) => {
			if (filesOf(event) === undefined) return;
			event.preventDefault();
			setOver(true);
		};
		const onLeave = (event: DragEvent) => {
			// Moving from one element to the next also leaves; only the way out of the window has no next one.
			if (event.relatedTarget === null) setOver(false);
		};
		const onDrop = (event: DragEvent) => {
			const files = filesOf(event)?.files;
			if (files === undefined) return;
			event.preventDefault();
			setOver(false);
			latest.current([...files]);
		};
		window.addEventListener("dragover", onOver);
		window.addEventListener("dragleave", onLeave);
		window.addEventListener("drop", onDrop);
		return () => {
			window.removeEventListener("dragover", onOver);
			window.removeEventListener("dragleave", onLeave);
			window.removeEventListener("drop", onDrop);
		};
	}, []);
	return over;
}
