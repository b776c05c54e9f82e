/** Ids are branded where they enter; inside, a bare string is never an id. The only casts of the project live here. */

declare const brand: unique symbol;
/** A value that is told apart from others of its base type at compile time only. */
export type Brand<T, B extends string> = T & { readonly [brand]: B };

export type ConversationId = Brand<string, "ConversationId">;
export type MessageId = Brand<string, "MessageId">;
export type ExecId = Brand<string, "ExecId">;
export type ScheduleId = Brand<string, "ScheduleId">;
export type Epoch = Brand<string, "Epoch">;
export type Seq = Brand<number, "Seq">;

export const conversationId = (value: string) => value as ConversationId;
export const messageId = (value: string) => value as MessageId;
export const execId = (value: string) => value as ExecId;
export const scheduleId = (value: string) => value as ScheduleId;
export const epoch = (value: string) => value as Epoch;
export const seq = (value: number) => value as Seq;

/** New ids; injected so that tests can count on them. */
export interface IdSource {
	/** A fresh unique id of letters, digits and dashes. */
	next(): string;
}

export const randomIds: IdSource = { next: () => globalThis.crypto.randomUUID() };
