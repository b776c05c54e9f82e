import { type DragEvent, useState } from "react";

/** Files dragged from outside; rows dragged within the page are left alone. */
export function useFileDrop(onFiles: (files: readonly File[]) => void) {
	const [over, setOver] = useState(false);
	const carriesFiles = (event: DragEvent) => [...event.dataTransfer.types].includes("Files");
	return {
		over,
		handlers: {
			onDragOver(event: DragEvent) {
				if (!carriesFiles(event)) return;
				event.preventDefault();
				setOver(true);
			},
			onDragLeave: () => setOver(false),
			onDrop(event: DragEvent) {
				if (!carriesFiles(event)) return;
				event.preventDefault();
				setOver(false);
				onFiles([...event.dataTransfer.files]);
			},
		},
	};
}
