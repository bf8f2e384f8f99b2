import { createAttempts, type KeyHeader } from "../../../client/attempts.ts";
import type { Reply } from "../../../client/calls.ts";
import { unwrap } from "../../../client/index.ts";
import { createMiniProgramApi, createMiniProgramUpload, type WxRequest } from "../../../client/mini_program.ts";
import type { UploadedPictures } from "../../../client/pictures.ts";
import config from "../../config.json";
import { language, languageKey } from "../texts/texts.ts";
import { removeFile } from "./files.ts";

/** Kept on the phone: that somebody has signed in, and who invited them. */
const memberKey = "is-member";
const referrerKey = "referrer";

interface Session {
  token: string;
  uid: number;
  expiresAt: number;
}

/** Nobody has signed in on this phone, or they have signed out. */
export class SignedOut extends Error {}

const request: WxRequest = (sent) => wx.request(sent);
const options = {
  functionsUrl: config.functionsUrl,
  request,
  language: language === "zh" ? ("zh-CN" as const) : ("en" as const),
};
const visitor = createMiniProgramApi(options);
const member = { ...options, accessToken: async () => (await session()).token };
/** For members. */
export const api = createMiniProgramApi(member);
const upload = createMiniProgramUpload(member);
/** For everybody: visitors see the products, too. */
export const shop = createMiniProgramApi({
  ...options,
  accessToken: () =>
    session().then(
      ({ token }) => token,
      () => undefined,
    ),
});

let known: Session | undefined;
/** The sign-in that is on its way. */
let opening: Promise<Session> | undefined;
let changes = 0;

export const isMember = () => wx.getStorageSync(memberKey) === true;

/**
 * Remembers who invited the visitor, until they sign in. A later link replaces it.
 * @param spread of a share link, or of the scene of a code
 */
export function rememberReferrer(spread: string | undefined): void {
  if (spread !== undefined && /^[1-9]\d{0,15}$/.test(spread)) wx.setStorageSync(referrerKey, spread);
}

/** Who invited the visitor; empty if nobody is known. */
export const referrer = () => wx.getStorageSync<string>(referrerKey);

/**
 * The session of the member. WeChat signs members in without asking them again, so an expired session is replaced by a
 * new sign-in.
 */
export async function session(): Promise<Session> {
  if (!isMember()) throw new SignedOut();
  return known && known.expiresAt > Date.now() ? known : openSession();
}

function openSession(): Promise<Session> {
  opening ??= signInWithWechat().finally(() => (opening = undefined));
  return opening;
}

async function signInWithWechat(): Promise<Session> {
  const { code } = await wx.login();
  const spread = referrer();
  const body = { code, ...(spread && { spread }) };
  const { access_token, uid, expires_in } = await unwrap(visitor.POST("/api/auth/wechat", { body }));
  wx.removeStorageSync(referrerKey);
  return (known = { token: access_token, uid, expiresAt: Date.now() + (expires_in - 60) * 1000 });
}

/** Makes the user of WeChat a member, or signs the member in. */
export async function signIn(): Promise<void> {
  await openSession();
  wx.setStorageSync(memberKey, true);
  changes += 1;
}

/** Signs out on this phone, which keeps its language. */
export function signOut(): void {
  const chosen = wx.getStorageSync<string>(languageKey);
  wx.clearStorageSync();
  wx.setStorageSync(languageKey, chosen);
  removeFile();
  known = undefined;
  changes += 1;
}

/**
 * Sends a request. If the store does not take the session any more, WeChat signs the member in again, and it is sent
 * once more.
 */
async function renewing<Data>(send: () => Promise<Reply<Data>>): Promise<Reply<Data>> {
  const reply = await send();
  if (reply.error?.status !== 401) return reply;
  known = undefined;
  return send();
}

/** Reads something. @throws StoreError if the store returns an error */
export const ask = <Data>(send: () => Promise<Reply<Data>>): Promise<Data> => unwrap(renewing(send));

/** Uploads a picture. @throws StoreError if the store refuses it */
export const uploadContent = <Kind extends keyof UploadedPictures>(
  kind: Kind,
  content: ArrayBuffer,
): Promise<UploadedPictures[Kind]> => ask(() => upload(kind, content));

// Keys tell the writes of one member apart, so they need not be secret.
const newKey = () =>
  `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}`;

/**
 * Creates a function for writes, which have the key of their first attempt until the response is final
 * (`apps/client/attempts.ts`).
 */
export function createWriter() {
  const attempt = createAttempts(newKey);
  return async <Data>(input: unknown, send: (key: KeyHeader) => Promise<Reply<Data>>): Promise<Data> => {
    const data = await attempt(input, (key) => renewing(() => send(key)));
    changes += 1;
    return data;
  };
}

/** Counts what the member has changed. A list that was read before is out of date. */
export const changeCount = () => changes;
