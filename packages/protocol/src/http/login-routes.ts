import * as z from "zod/mini";
import { healthAnswer } from "./app.ts";
import { addPasskeyBody, passkeyLoginBody } from "./credential-requests.ts";
import { lockedAnswer, lockListAnswer, loginCodeAnswer, passkeysAnswer, sessionsAnswer } from "./login.ts";
import { loginMethodsAnswer } from "./login-methods.ts";
import { passkeyChallengeAnswer, passkeyCreationAnswer } from "./passkey-options.ts";
import { healthQuery, reachAnswer, reachBody, reachTrialAnswer, reachTrialBody } from "./reach.ts";
import { loginBody, passwordBody } from "./requests.ts";
import { created, DONE, type HttpRoute, ok } from "./route.ts";

/** Every route about getting in and out, with what it takes and answers. */
export const loginRoutes: HttpRoute[] = [
	{ method: "GET", path: "/healthz", about: "Is the server well?", isOpen: true, query: healthQuery, answers: ok(healthAnswer) },
	{ method: "POST", path: "/api/login", about: "Log in and get a cookie.", isOpen: true, body: loginBody, answers: DONE },
	{ method: "GET", path: "/api/login-methods", about: "Ways to log in.", isOpen: true, answers: ok(loginMethodsAnswer) },
	{
		method: "POST",
		path: "/api/login/passkey/options",
		about: "A challenge for a passkey.",
		isOpen: true,
		answers: ok(passkeyChallengeAnswer),
		refusals: [404],
	},
	{
		method: "POST",
		path: "/api/login/passkey",
		about: "Log in with a passkey.",
		isOpen: true,
		body: passkeyLoginBody,
		answers: DONE,
	},
	{ method: "POST", path: "/api/logout", about: "End this session and its sockets.", answers: DONE },
	{ method: "POST", path: "/api/logout-everywhere", about: "End every other session, socket and login code.", answers: DONE },
	{ method: "GET", path: "/api/lock", about: "Every way in beside this session.", answers: ok(lockListAnswer) },
	{ method: "POST", path: "/api/lock", about: "Close every way in beside this session.", answers: ok(lockedAnswer) },
	{ method: "GET", path: "/api/sessions", about: "Devices that are logged in.", answers: ok(sessionsAnswer) },
	{ method: "DELETE", path: "/api/sessions/:id", about: "Log a device out.", answers: DONE, refusals: [404] },
	{ method: "POST", path: "/api/login-code", about: "A link that logs another device in, once.", answers: created(loginCodeAnswer) },
	{ method: "POST", path: "/api/token/rotate", about: "Replace the access token; everyone is out.", answers: DONE },
	{ method: "POST", path: "/api/password", about: "Set a password.", body: passwordBody, answers: DONE },
	{ method: "DELETE", path: "/api/password", about: "Take the password away.", answers: DONE },
	{ method: "GET", path: "/api/passkeys", about: "The passkeys.", answers: ok(passkeysAnswer) },
	{ method: "POST", path: "/api/passkeys/options", about: "Options for a new passkey.", answers: ok(passkeyCreationAnswer) },
	{ method: "POST", path: "/api/passkeys", about: "Keep a new passkey.", body: addPasskeyBody, answers: created(z.object({})) },
	{ method: "GET", path: "/api/reach", about: "How phones reach this server.", answers: ok(reachAnswer) },
	{
		method: "PUT",
		path: "/api/reach",
		about: "Let phones reach this server under an address, or in the local network.",
		body: reachBody,
		answers: ok(reachAnswer),
		refusals: [409],
	},
	{ method: "DELETE", path: "/api/reach", about: "Take that back.", answers: DONE },
	{
		method: "POST",
		path: "/api/reach/trial",
		about: "Prepare to try whether an address leads to this server.",
		body: reachTrialBody,
		answers: created(reachTrialAnswer),
	},
	{ method: "DELETE", path: "/api/passkeys/:id", about: "Take a passkey away.", answers: DONE, refusals: [404] },
];
