import type { AppError } from "../core/kernel/errors.ts";
import type { Bus } from "./bus.ts";
import type { Copies } from "./snapshots/copies.ts";

/** The engine, as one host of a fleet uses it. What it carries may be lost; whether it is there is told. */
export interface Courier {
	readonly bus: Bus;
	/** Of this fleet. */
	copies(fleet: string): Copies;
	/** The largest message that may be sent now, seal included. */
	maxBytes(): number;
	status(): CourierStatus;
	/** After every change of `status`. */
	onStatus(listener: () => void): () => void;
	/** A connection was lost and is back: whatever was said meanwhile is lost. */
	onBack(listener: () => void): () => void;
	/** The node that we are connected to is the one where hosts that lost each other meet. */
	isAtFirst(): boolean;
	/** The node that we are connected to seems to be cut off from the others: use another one, if there is one. */
	leaveNode(): void;
	close(): Promise<void>;
}

export type CourierStatus =
	/** `isUnsafe`: an old server that a person has allowed. */
	| { kind: "connected"; version: string; isUnsafe: boolean }
	| { kind: "connecting"; because: AppError | undefined }
	/** It is tried again, but rarely: a person has to change something. */
	| { kind: "refused"; because: AppError };
