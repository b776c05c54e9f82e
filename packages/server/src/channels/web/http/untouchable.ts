import type { FastifyReply } from "fastify";
import { ATTACHMENT_POLICY } from "./security-headers.ts";

/** What somebody's file says must do nothing in a browser. */
export function untouchable(reply: FastifyReply, type: string): FastifyReply {
	reply.header("content-security-policy", ATTACHMENT_POLICY);
	reply.header("cache-control", "no-store");
	reply.header("content-disposition", "attachment");
	return reply.header("content-type", type);
}
